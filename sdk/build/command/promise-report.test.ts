import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { JsonPlaces } from '../manifest/json-places.ts';
import { brokenPromises } from './promise-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'trellis-promises-'));
const results = join(folder, 'results.json');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function broken(...tests: readonly (readonly [group: string, message: string])[]): void {
  const assertionResults = tests.map(([group, message]) => ({
    ancestorTitles: [group],
    title: 'leaves nothing running when it is switched off',
    status: 'failed',
    failureMessages: [message],
  }));
  writeFileSync(
    results,
    JSON.stringify({ testResults: [{ message: '', status: 'failed', assertionResults }] }),
  );
}

const plugin = (id: string) => ({
  id,
  folder: join(folder, id),
  places: new JsonPlaces('{ "id": "' + id + '" }'),
});

test('says of several plugins whose place it is', async () => {
  const left = 'server/index.ts:8:5 A timer that begins here goes on after the plugin was switched off.';
  broken(
    ['the plugin acme-one', `BrokenPromises: ${left}`],
    ['the plugin acme-two', `BrokenPromises: ${left}`],
  );
  expect(await brokenPromises(results, [plugin('acme-one'), plugin('acme-two')])).toBe(
    `acme-one/${left}\nacme-two/${left}`,
  );
  broken(['the plugin acme-one', `BrokenPromises: ${left}`]);
  expect(await brokenPromises(results, [plugin('acme-one')])).toBe(left);
});
