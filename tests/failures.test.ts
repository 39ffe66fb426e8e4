import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failuresOf } from './failures.mjs';

const root = resolve(import.meta.dirname, '..');
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'trellis-failures-')));
  const files = {
    'package.json': '{ "type": "module" }',
    'jest.config.json': '{ "testMatch": ["<rootDir>/*.test.js"], "cache": false }',
    'well.test.js': `test('is well', () => {});`,
    'red.test.js': `describe('a thing', () => {
      test('is three', () => { expect(2).toBe(3); });
      test('is thrown', () => { throw new Error('first line\\nsecond line'); });
    });`,
    'unloaded.test.js': `import './absent.js'; test('is never reached', () => {});`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

test('each failed test has a line, and each file that could not be loaded', async () => {
  const output = join(folder, 'results.json');
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '-c', join(folder, 'jest.config.json')];
  const args = ['--experimental-vm-modules', ...jest, '--runInBand', '--json', `--outputFile=${output}`];
  await new Promise<void>((ended) => execFile(process.execPath, args, () => ended()));
  const { testResults } = JSON.parse(await readFile(output, 'utf8'));
  expect(failuresOf(testResults, folder + sep).toSorted()).toEqual([
    'red.test.js: a thing is three: Error: expect(received).toBe(expected) // Object.is equality',
    'red.test.js: a thing is thrown: Error: first line',
    expect.stringMatching(/^unloaded\.test\.js: .*absent\.js/),
  ]);
  const many = Array.from({ length: 40 }, () => testResults).flat();
  expect(failuresOf(many, folder + sep)).toHaveLength(31);
  expect(failuresOf(many, folder + sep).at(-1)).toBe('and 90 more');
});
