import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-hung-'));
  const config = {
    testEnvironment: join(root, 'sdk/testing/jest/node-environment.cjs'),
    testMatch: ['<rootDir>/*.test.js'],
    reporters: [[join(root, 'tests/end-hung-run.mjs'), { perFile: 0.2, afterLast: 0.02 }]],
    cache: false,
  };
  const files = {
    'package.json': '{ "type": "module" }',
    'jest.config.json': JSON.stringify(config),
    'ends.test.js': `test('ends', () => {});`,
    'waits.test.js': `await new Promise(() => {}); test('is never reached', () => {});`,
    // As in a loop, and nobody has to compute it.
    'loops.test.js': `test('never ends', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`,
    'leaves.test.js': `test('leaves something running', () => { setInterval(() => {}, 1000); });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

function runJest(...args: readonly string[]) {
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '-c', join(folder, 'jest.config.json'), ...args];
  return new Promise<{ code: unknown; errors: string }>((ended) => {
    execFile(process.execPath, ['--experimental-vm-modules', ...jest], (error, _, errors) =>
      ended({ code: error?.code ?? 0, errors }),
    );
  });
}

test.each(['waits', 'loops'])('a run ends where a file %s for ever, and names the file', async (kind) => {
  const { code, errors } = await runJest('--maxWorkers=2', 'ends', kind);
  expect(code).toBe(1);
  expect(errors).toMatch(new RegExp(`${kind}\\.test\\.js runs for 0\\.2 minutes and does not end\\.`));
});

test('a run ends where Jest stays after its last result, and names what it waits for', async () => {
  const { code, errors } = await runJest('--runInBand', 'leaves');
  expect(code).toBe(1);
  expect(errors).toMatch(/does not end 0\.02 minutes after its last result\. It waits for: .*Timeout/);
});

test('a run in which all files end ends by itself', async () => {
  expect(await runJest('--runInBand', 'ends')).toMatchObject({ code: 0 });
});
