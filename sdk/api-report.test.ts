import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

test('every entry that authors import has a report', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const entries = Object.keys(exports).filter((name) => !name.includes('*'));
  expect(entries).toContain('./testing/jest');
  expect(readdirSync(join(root, 'sdk/api')).toSorted()).toEqual(
    entries.map((name) => `${name.slice(2).replaceAll('/', '-')}.txt`).toSorted(),
  );
});
