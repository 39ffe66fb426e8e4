import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** When this fails after a change that is meant: `npm run api-report`, and look at what changed for plugin authors. */
test('what the SDK exports is what its committed report says, each with a description and how stable it is', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['tests/api/report.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout + stderr).toBe('');
});
