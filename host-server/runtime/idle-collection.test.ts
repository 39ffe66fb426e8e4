import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('what work left of the heap is given back while the thread rests', async () => {
  const command = [join(root, 'tests/run-typescript.mjs'), join(root, 'host-server/runtime/idle-thread.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  const [worked = 0, rested = 0] = stdout.split(' ').map(Number);
  expect(worked).toBeGreaterThan(30);
  expect(rested).toBeLessThan(worked / 2);
});
