import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { discoverInstalled } from './discover.ts';
import { PluginStaging } from './staging.ts';

let home: string;
let staging: PluginStaging;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'trellis-staging-'));
  staging = new PluginStaging(home);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const facts = { id: 'acme', version: '1.0.0', source: 'file', sha256: '', bytes: 2, files: 1 } as const;
const put = () => staging.put(new Map([['dist/web/index.js', Buffer.from('ok')]]), facts);
const hour = 60 * 60 * 1000;

test('What waits for a decision, or was left behind by a crash, is nobody’s plugin and goes after an hour', async () => {
  const ticket = await put();
  expect(await discoverInstalled(home)).toEqual([]);
  await staging.sweep();
  expect(await staging.factsOf(ticket)).toEqual(facts);
  await staging.sweep(Date.now() + 2 * hour);
  await expect(staging.factsOf(ticket)).rejects.toMatchObject({ code: 'PLUGIN_PROPOSAL_GONE' });
  expect(await readdir(join(home, '.staging'))).toEqual([]);
});

test('It comes into its place whole, and leaves it whole', async () => {
  const place = join(home, 'acme/1.0.0');
  const ticket = await put();
  await staging.take(ticket, place);
  expect(await readFile(join(place, 'dist/web/index.js'), 'utf8')).toBe('ok');
  await staging.putBack(ticket, place);
  expect(await readdir(join(home, 'acme'))).toEqual([]);
  await staging.take(ticket, place);
  await staging.remove(ticket);
  expect(await readFile(join(place, 'dist/web/index.js'), 'utf8')).toBe('ok');
  await staging.bin(place);
  expect(await readdir(join(home, 'acme'))).toEqual([]);
  expect(await readdir(join(home, '.staging'))).toEqual([]);
});

test('A ticket is no path', async () => {
  for (const ticket of ['', '..', '../acme', 'a/b', '0'.repeat(31)]) {
    await expect(staging.factsOf(ticket)).rejects.toMatchObject({ code: 'PLUGIN_PROPOSAL_GONE' });
    await staging.remove(ticket);
  }
  expect(await readdir(home)).toEqual([]);
});
