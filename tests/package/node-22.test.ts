import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileDriver } from './compiled-driver.ts';
import { Reader } from './followed-book.ts';
import { LocalRegistry } from './local-registry.ts';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const node = process.env['TRELLIS_TEST_NODE22'];
const kinds = readdirSync(resolve(import.meta.dirname, '../../sdk/templates')).sort();

/** Where Node 22 runs the packages as npm installs them for it; everything of them is elsewhere than in the repository. */
function suite(program: string): void {
  const outside = new OutsideFolder();
  const start = join(outside.path, 'plugins');
  let registry: LocalRegistry;
  let reader: Reader;
  let folder = '';

  beforeAll(async () => {
    outside.write({ 'package.json': '{ "name": "acme", "private": true }' });
    mkdirSync(start);
    packSdkInto(start);
    const driver = compileDriver(join(outside.path, 'driver'), program);
    registry = new LocalRegistry({ 'better-sqlite3': driver });
    await registry.listen();
    reader = new Reader(outside.path, registry.url, program);
  }, 900_000);
  afterAll(() => {
    registry?.close();
    outside.dispose();
  });

  test('follow the book to the letter, from the tarballs to a packed plugin', async () => {
    expect(await reader.type('node --version', start)).toMatch(/^v22\./);
    folder = await reader.follow('A first plugin in ten minutes', start);
    expect(await reader.type('npm ls --all', folder)).not.toMatch(/invalid|EBADENGINE|UNMET DEPENDENCY/);
    expect(existsSync(join(folder, 'acme-mood-0.1.0.tgz'))).toBe(true);
  }, 1_800_000);

  test('begin, check, test and pack a plugin of each kind', async () => {
    if (folder === '')
      throw new Error('The book was not followed to its end, so there is nothing installed.');
    // As in a workspace, whose packages are installed once.
    renameSync(join(folder, 'node_modules'), join(start, 'node_modules'));
    const run = (line: string) => reader.type(`${line}\n`, start);
    const ids = kinds.map((kind) => `acme-${kind}`);
    const command = 'node node_modules/@trellis/sdk/dist/server/trellis-plugin.mjs';
    for (const kind of kinds)
      await run(
        `npm exec --yes --package="$PWD/$(ls create-trellis-plugin-*.tgz)" -- create-trellis-plugin acme-${kind} --template ${kind}`,
      );
    const checked = await run(`${command} check ${ids.join(' ')}`);
    expect(checked.match(/^ok {6}(?:types|promises)$/gm)).toHaveLength(ids.length + 1);
    expect(await run(`${command} test ${ids.map((id) => `/${id}/`).join(' ')}`)).toMatch(
      /Tests: +\d+ passed, \d+ total/,
    );
    for (const id of ids) await run(`${command} pack ${id}`);
    expect(ids.filter((id) => !existsSync(join(start, id, `${id}-0.1.0.tgz`)))).toEqual([]);
  }, 1_800_000);
}

describe('on Node 22, the packages', () => {
  if (node !== undefined) suite(resolve(node));
  // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect -- says in the report what did not run
  else test.skip('not run: set TRELLIS_TEST_NODE22 to the program of a Node 22', () => {});
});
