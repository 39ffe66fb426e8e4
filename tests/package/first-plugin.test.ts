import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Reader } from './followed-book.ts';
import { LocalRegistry } from './local-registry.ts';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const outside = new OutsideFolder();
const registry = new LocalRegistry();

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
  const reader = new Reader(outside.path, registry.url);
  const folder = await reader.follow('A first plugin in ten minutes', start);
  // Nothing is missing among what npm installed, and everything fits.
  await reader.type('npm ls --all', folder);
  expect(existsSync(join(folder, 'acme-mood-0.1.0.tgz'))).toBe(true);
  const { output } = outside.trellisPlugin(['verify', 'acme-mood-0.1.0.tgz'], folder);
  expect(output).toMatch(/^acme-mood 0\.1\.0: \d+ files/);
}, 900_000);
