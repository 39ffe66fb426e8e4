#!/usr/bin/env node
/** `npm create trellis-plugin <id> -- --template <template>`: writes a new plugin into a folder named like its id. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { meantInstead } from '@trellis/core';
import { asksForHelp, endWithReader, readArguments, say, tell, UsageError } from '../command/command.ts';
import { createPlugin, type Language, listTemplates } from './create-plugin.ts';

/** The folders of the templates by language. */
const templates: Readonly<Record<Language, string>> = {
  typescript: fileURLToPath(new URL('../templates/typescript/', import.meta.url)),
  javascript: fileURLToPath(new URL('../templates/javascript/', import.meta.url)),
};

async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** Asks the person; resolves to undefined if the input is not a terminal. */
async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await lines.question(`${question} `)).trim();
    return answer === '' ? undefined : answer;
  } finally {
    lines.close();
  }
}

async function run(args: readonly string[]): Promise<void> {
  const { named, values, flags } = readArguments(args, ['template', 'name', 'sdk'], ['javascript']);
  const language = flags.javascript === true ? 'javascript' : 'typescript';
  const kinds = await listTemplates(templates[language]);
  const id = named[0] ?? (await ask('Which id, such as acme-mood?'));
  const template = values.template ?? (await ask(`Which template? ${kinds.join(', ')}:`));
  if (id === undefined || template === undefined) throw new UsageError('An id and a template are needed.');
  if (!kinds.includes(template))
    throw new UsageError(`There is no template '${template}'${meantInstead(template, kinds)}`);
  const sdk = values.sdk ?? `^${await ownVersion()}`;
  // The folder in which the person runs `npm create`.
  const parent = process.env['INIT_CWD'] ?? process.cwd();
  const folder = await createPlugin(
    { id, template, sdk, language, ...(values.name !== undefined && { name: values.name }) },
    parent,
    templates[language],
  );
  say(`Made ${folder}. Go on with:\n\n  cd ${id}\n  npm install\n  npm run check`);
}

async function usage(): Promise<string> {
  const kinds = (await listTemplates(templates.typescript)).join(', ');
  return `create-trellis-plugin <id> --template <template> [--javascript] [--name <name>] [--sdk <version or file>]\nTemplates: ${kinds}\n`;
}

const args = process.argv.slice(2);
endWithReader();
try {
  if (args.some(asksForHelp)) process.stdout.write(await usage());
  else await run(args);
} catch (error) {
  tell(error);
  process.exitCode = 1;
  if (error instanceof UsageError) {
    process.stderr.write(await usage());
    process.exitCode = 2;
  }
}
