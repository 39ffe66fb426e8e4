import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('threads keep to the nursery that they are started with, whatever the command line gives the main thread', async () => {
  const script = join(root, 'host-server/runtime/thread-nursery.ts');
  const command = ['--max-semi-space-size=8', join(root, 'tests/run-typescript.mjs'), script];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThanOrEqual(4);
});
