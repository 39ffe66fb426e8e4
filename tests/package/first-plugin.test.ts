import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LocalRegistry } from './local-registry.ts';
import { OutsideFolder, packSdkInto, sharedOutside } from './outside-folder.ts';

const outside = new OutsideFolder();
const registry = new LocalRegistry();
const readme = readFileSync(resolve(import.meta.dirname, '../../sdk/README.md'), 'utf8');

/** A block of the chapter: lines to type, or a file to write, whose path its first line says. */
interface Step {
  readonly language: string;
  readonly text: string;
}

function stepsOf(chapter: string): readonly Step[] {
  const [, body = ''] = readme.split(`## ${chapter}\n`);
  const [own = ''] = body.split('\n## ');
  return [...own.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
}

/** Runs lines as a person types them, until one fails. @returns the folder in which they end */
async function type(lines: string, folder: string): Promise<string> {
  const shell = spawn('sh', ['-e', '-c', `${lines}\npwd`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the settings and the cache of whoever runs this. The driver of SQLite comes compiled with the package.
    env: {
      PATH: process.env['PATH'],
      HOME: outside.path,
      ...sharedOutside(),
      npm_config_registry: registry.url,
      npm_config_ignore_scripts: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
  });
  const ended = new Promise<number | null>((done) => void shell.on('close', done));
  const [output, problems, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (status !== 0) throw new Error(`${lines}ended with ${status} and said:\n${output}${problems}`);
  return output.trimEnd().split('\n').at(-1) ?? folder;
}

/** Where the reader stands: within a project of theirs, which npm would otherwise take for the place of what is named by `./`. */
const start = join(outside.path, 'plugins');

beforeAll(async () => {
  outside.write({ 'package.json': '{ "name": "acme", "private": true }' });
  mkdirSync(start);
  packSdkInto(start);
  await registry.listen();
});

afterAll(() => {
  registry.close();
  outside.dispose();
});

test('the first plugin of the README works when it is followed to the letter, with npm itself', async () => {
  let folder = start;
  for (const { language, text: block } of stepsOf('A first plugin in ten minutes')) {
    if (language === 'sh') folder = await type(block, folder);
    else {
      const [, path = ''] = /^\/\/ (\S+)\n/.exec(block) ?? [];
      // Each file is one that the template has: a reader looks for nothing.
      expect([path, existsSync(join(folder, path))]).toEqual([path, true]);
      outside.write({ [join(folder, path).slice(outside.path.length + 1)]: block });
    }
  }
  // Nothing is missing among what npm installed, and everything fits.
  await type('npm ls --all', folder);
  expect(existsSync(join(folder, 'acme-mood-0.1.0.tgz'))).toBe(true);
  const { output } = outside.trellisPlugin(['verify', 'acme-mood-0.1.0.tgz'], folder);
  expect(output).toMatch(/^acme-mood 0\.1\.0: \d+ files/);
}, 900_000);
