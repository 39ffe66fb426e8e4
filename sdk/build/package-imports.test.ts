import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BundledCommand } from '../testing/bundled-command.ts';
import { testManifest } from '../testing/test-manifest.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

const repository = resolve(import.meta.dirname, '../..');
let folder: string;

const command = new BundledCommand();
const build = () => command.run(['build', folder]);

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** A package whose manifest says what a test is about. */
const smiles = (manifest: object = {}) => ({
  'node_modules/smiles/package.json': JSON.stringify({ name: 'smiles', type: 'module', ...manifest }),
});

const page = `import { smile } from 'smiles';\nexport default { setup: () => smile() };`;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-packages-')));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(repository, 'node_modules/@trellis'), join(folder, 'node_modules/@trellis'));
  write({ 'plugin.json': JSON.stringify(testManifest('column-mood', 'Mood')) });
});

afterEach(() => {
  for (const name of ['server', 'web', 'package.json', 'node_modules/smiles', 'node_modules/deep'])
    rmSync(join(folder, name), { recursive: true, force: true });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  command.dispose();
});

describe('what a plugin imports of packages', () => {
  test.each([
    ['server', 'server/index.ts'],
    ['web', 'web/index.tsx'],
  ])('a package that is there by chance is refused, since others would miss it: %s half', (_, entry) => {
    write({
      ...smiles({ main: 'index.js' }),
      'node_modules/smiles/index.js': 'export const smile = () => 1;',
      'package.json': '{ "type": "module", "devDependencies": { "@trellis/sdk": "*" } }',
      [entry]: page,
    });
    expect(build()).toEqual({
      status: 1,
      output: `${entry}:1:23 imports 'smiles', a package that package.json does not name, so that it is missing where nothing else brings it; run "npm install smiles" in the plugin's folder.\n`,
    });
    write({ 'package.json': '{ "type": "module", "devDependencies": { "smiles": "*" } }' });
    expect(build()).toMatchObject({ status: 0 });
  });

  test('what comes with the SDK need not be named', () => {
    symlinkSync(join(repository, 'node_modules/react'), join(folder, 'node_modules/react'));
    write({
      'package.json': '{ "type": "module" }',
      'server/index.ts': `import { createElement } from 'react';\nexport default { setup: () => createElement('b') };`,
    });
    expect(build()).toMatchObject({ status: 0 });
  });
});

describe('what packages import where the plugin runs', () => {
  test('a package that uses a module of Node in a page is refused, with the own import that leads to it', () => {
    write({
      ...smiles({ main: 'index.js' }),
      'node_modules/smiles/index.js': `export { smile } from 'deep';`,
      'node_modules/deep/package.json': '{ "name": "deep", "type": "module", "main": "deep.js" }',
      'node_modules/deep/deep.js': `import { readFileSync } from 'node:fs';\nexport const smile = () => readFileSync('x');`,
      'web/index.tsx': page,
    });
    expect(build()).toEqual({
      status: 1,
      output:
        "web/index.tsx:1:23 imports 'smiles'; with it comes node_modules/deep/deep.js, which imports 'node:fs', which browsers do not have; take another package, or do that in the server half, behind a route of the plugin.\n",
    });
  });

  test.each([
    [
      'that its manifest replaces in pages',
      { browser: { fs: false } },
      `import fs from 'fs';\nexport const smile = () => fs.readFileSync?.('x');`,
    ],
    [
      'behind a condition',
      {},
      `export const smile = () => (typeof process === 'undefined' ? 1 : import('node:fs'));`,
    ],
    [
      'in a part that the plugin does not use',
      {},
      `import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync('x');\nexport const smile = () => 1;`,
    ],
    [
      'in a file that it has for Node alone',
      { exports: { node: './node.js', default: './index.js' } },
      'export const smile = () => 1;',
    ],
  ])('a package builds that imports a module of Node %s', (_, manifest, index) => {
    write({
      ...smiles({ main: 'index.js', ...manifest }),
      'node_modules/smiles/index.js': index,
      'node_modules/smiles/node.js': `import { readFileSync } from 'node:fs';\nexport const smile = () => readFileSync('x');`,
      'web/index.tsx': page,
    });
    expect(build()).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'dist/web/index.js'), 'utf8')).not.toMatch(
      /(?:from|import)\s*['"]node:/,
    );
  });

  test.each([
    ['server', 'server/index.ts'],
    ['web', 'web/index.tsx'],
  ])('a package that imports one that is not installed is refused: %s half', (_, entry) => {
    write({
      ...smiles({ main: 'index.js' }),
      'node_modules/smiles/index.js': `import { grin } from 'no-such-grin/part';\nexport const smile = () => grin();`,
      [entry]: page,
    });
    expect(build()).toEqual({
      status: 1,
      output: `${entry}:1:23 imports 'smiles'; with it comes node_modules/smiles/index.js, which imports 'no-such-grin/part', a package that is not installed; run "npm install no-such-grin" in the plugin's folder.\n`,
    });
  });

  test('a package whose part for pages may load one that is not installed is refused, as the page would fail at it', () => {
    write({
      ...smiles({ main: 'index.js' }),
      'node_modules/smiles/index.js': `export const smile = () => import('no-such-grin');`,
      'web/index.tsx': page,
    });
    expect(build()).toEqual({
      status: 1,
      output: expect.stringMatching(
        /^web\/index.tsx:1:23 imports 'smiles'; .* run "npm install no-such-grin" in .*\n$/,
      ),
    });
  });

  test.each([
    [
      'that it can do without, by its manifest',
      { peerDependencies: { grin: '*' }, peerDependenciesMeta: { grin: { optional: true } } },
      `import { grin } from 'grin';\nexport const smile = () => grin?.();`,
    ],
    [
      'that it tries',
      { type: 'commonjs' },
      `let grin; try { grin = require('grin'); } catch {}\nexports.smile = () => grin;`,
    ],
  ])('a package builds that imports one %s', (_, manifest, index) => {
    write({
      ...smiles({ main: 'index.js', ...manifest }),
      'node_modules/smiles/index.js': index,
      'server/index.ts': page,
    });
    expect(build()).toEqual({
      status: 0,
      output: `Built server of 'column-mood' into ${join(folder, 'dist')}\n`,
    });
  });
});
