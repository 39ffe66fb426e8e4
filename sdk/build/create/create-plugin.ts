import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { manifestSchema, validateSchema } from '@trellis/core';
import { commonFiles } from './common-files.ts';

/** What plugins are written in. */
export type Language = 'typescript' | 'javascript';

/** What a new plugin is made of. */
export interface NewPlugin {
  readonly id: string;
  /** What people see. Default: the id as words. */
  readonly name?: string;
  /** One of `listTemplates`. */
  readonly template: string;
  /** What `package.json` asks npm for: a version range, or `file:` and the path of a tarball. */
  readonly sdk: string;
  readonly language: Language;
}

/** The kinds of plugins that can be made. */
export async function listTemplates(templates: string): Promise<readonly string[]> {
  return (await readdir(templates)).sort();
}

/**
 * Writes a new plugin into a folder of its own, called like its id, in `parent`.
 *
 * @param templates the folder of the templates in its language
 * @returns the new folder
 * @throws Error for an id or a name that no plugin can have, and for a folder that holds something
 */
export async function createPlugin(plugin: NewPlugin, parent: string, templates: string): Promise<string> {
  const { id, template, sdk, language, name = asWords(id) } = plugin;
  checkNames(id, name);
  const folder = join(parent, id);
  if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new Error(`${folder} holds something already; name another id, or empty it.`);
  const inWordsOfPlugin = renamed(id, name);
  const from = join(templates, template);
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = join(entry.parentPath, entry.name);
    files.set(inWordsOfPlugin(file.slice(from.length + 1)), inWordsOfPlugin(await readFile(file, 'utf8')));
  }
  const readme = files.get('README.md') ?? '';
  for (const [path, text] of commonFiles({ id, sdk, language, readme })) files.set(path, text);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

function checkNames(id: string, name: string): void {
  const { id: ofId, name: ofName } = manifestSchema.properties ?? {};
  if (ofId === undefined || validateSchema(ofId, id).length > 0)
    throw new Error(
      `'${id}' is no id of a plugin; ids are lower-case words between hyphens, such as 'acme-mood'.`,
    );
  // The name is written into texts of JSON, TypeScript and Markdown.
  if (ofName === undefined || validateSchema(ofName, name).length > 0 || /['"`\\<>{}$\n]/.test(name))
    throw new Error(
      `'${name}' cannot be its name: up to 80 characters without quotes, brackets and the like.`,
    );
}

/** Puts the plugin's own words in the place of the template's: its id in each way of writing, and its name. */
function renamed(id: string, name: string): (text: string) => string {
  const capitals = id.replaceAll(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  const words: readonly (readonly [string, string])[] = [
    ['my-plugin', id],
    ['My plugin', name],
    ['MyPlugin', capitals],
    ['myPlugin', capitals.charAt(0).toLowerCase() + capitals.slice(1)],
    ['MY_PLUGIN', id.toUpperCase().replaceAll('-', '_')],
  ];
  const owns = new Map(words);
  const any = new RegExp(words.map(([word]) => word).join('|'), 'g');
  return (text) => text.replaceAll(any, (word) => owns.get(word) ?? word);
}

function asWords(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
