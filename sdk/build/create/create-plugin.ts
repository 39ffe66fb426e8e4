import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { manifestSchema, validateSchema } from '@trellis/core';
import { commonFiles } from './common-files.ts';

/** The languages of plugins. */
export type Language = 'typescript' | 'javascript';

/** The choices for a new plugin. */
export interface NewPlugin {
  readonly id: string;
  /** The name for people. Default: derived from the id. */
  readonly name?: string;
  /** One of `listTemplates`. */
  readonly template: string;
  /** The SDK's entry in `package.json`: a version range, or `file:` and the path of a tarball. */
  readonly sdk: string;
  readonly language: Language;
}

/** The available templates. */
export async function listTemplates(templates: string): Promise<readonly string[]> {
  return (await readdir(templates)).sort();
}

/**
 * Writes a new plugin into a new folder in `parent`, named like its id.
 *
 * @param templates the folder of its language's templates
 * @returns the new folder
 * @throws Error for an invalid id or name, and for a folder that is not empty
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
  // The name is inserted into JSON, TypeScript and Markdown.
  if (ofName === undefined || validateSchema(ofName, name).length > 0 || /['"`\\<>{}$\n]/.test(name))
    throw new Error(
      `'${name}' cannot be its name: up to 80 characters without quotes, brackets and the like.`,
    );
}

/** Replaces the template's names by the plugin's: its id in each notation, and its name. */
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
