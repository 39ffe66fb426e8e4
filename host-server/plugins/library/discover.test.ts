import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeInstallNote } from './install-note.ts';
import { discoverBuiltIn, discoverInstalled, mergeFound } from './discover.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'trellis-discover-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(data, path)), { recursive: true });
  await writeFile(join(data, path), text);
}

async function plugin(id: string, folder: string, version = folder): Promise<void> {
  const manifest = {
    id,
    name: id,
    version,
    category: 'other',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: false,
  };
  await write(`plugins/${id}/${folder}/plugin.json`, JSON.stringify(manifest));
  await write(`plugins/${id}/${folder}/dist/web/index.js`, '');
}

async function found(id: string) {
  const all = await discoverInstalled(join(data, 'plugins'));
  return all.find((of) => of.id === id);
}

test('The newest version runs: a release before what was tried out for it, by number and not by letter', async () => {
  for (const version of ['1.9.0', '1.10.0', '1.10.0-beta.2', '1.2.0']) await plugin('acme', version);
  expect((await found('acme'))?.manifest?.version).toBe('1.10.0');
});

test('Older versions are listed, and a folder that is not taken is told of, such as one with the id of a built-in plugin', async () => {
  for (const version of ['1.0.0', '1.1.0']) await plugin('acme', version);
  await plugin('column-rating', '1.0.0');
  const builtIn = { id: 'column-rating', name: 'Rating', version: '9.0.0', category: 'column' };
  await write(
    'built-in/column-rating/plugin.json',
    JSON.stringify({ ...builtIn, engines: { trellis: '*' }, sdk: 1 }),
  );
  const all = mergeFound(
    await discoverBuiltIn(join(data, 'built-in')),
    await discoverInstalled(join(data, 'plugins')),
  );
  expect(all).toMatchObject([
    {
      origin: 'built-in',
      notes: [expect.stringMatching(/'column-rating' is built in; give yours another id/)],
    },
    { id: 'acme', manifest: { version: '1.1.0' }, versions: ['1.1.0', '1.0.0'] },
  ]);
});

test('The version that was chosen runs, though a newer one lies beside it', async () => {
  for (const version of ['1.0.0', '1.1.0']) await plugin('acme', version);
  await writeInstallNote(join(data, 'plugins/acme'), { inUse: '1.0.0' });
  expect((await found('acme'))?.manifest?.version).toBe('1.0.0');
  await writeInstallNote(join(data, 'plugins/acme'), { inUse: '0.9.0' });
  expect((await found('acme'))?.manifest?.version).toBe('1.1.0');
});

test('A version that was copied by half leaves the one before it in service', async () => {
  await plugin('acme', '1.0.0');
  await write('plugins/acme/1.1.0/dist/web/index.js', '');
  expect(await found('acme')).toMatchObject({
    manifest: { version: '1.0.0' },
    notes: [expect.stringContaining('acme/1.1.0 has no plugin.json')],
  });
});

test('A symbolic link to the folder of its author counts, and one that leads nowhere is told of', async () => {
  await plugin('acme', '1.0.0');
  await mkdir(join(data, 'linked/plugins/acme'), { recursive: true });
  await symlink(join(data, 'plugins/acme/1.0.0'), join(data, 'linked/plugins/acme/1.0.0'));
  const all = await discoverInstalled(join(data, 'linked/plugins'));
  expect(all).toMatchObject([{ id: 'acme', manifest: { version: '1.0.0' } }]);
  await symlink(join(data, 'nowhere'), join(data, 'plugins/acme/1.1.0'));
  expect(await found('acme')).toMatchObject({
    manifest: { version: '1.0.0' },
    notes: ['acme/1.1.0 is a link that leads nowhere; mend it or remove it.'],
  });
});

test('A link in the place of a whole plugin that leads nowhere is listed with the reason', async () => {
  await mkdir(join(data, 'plugins'));
  await symlink(join(data, 'nowhere'), join(data, 'plugins/acme'));
  expect((await found('acme'))?.problem).toBe('acme is a link that leads nowhere; mend it or remove it.');
});

test.each([
  ['no folder of its version', 'plugins/acme/plugin.json', '{}', /acme\/1\.0\.0\/plugin\.json/],
  ['a folder that is no version', 'plugins/acme/new/plugin.json', '{}', /None of its folders is a version/],
  ['an empty folder', 'plugins/acme/.keep', '', /Its folder holds no version/],
  [
    'broken JSON',
    'plugins/acme/1.0.0/plugin.json',
    '{"id": }',
    /^acme\/1\.0\.0\/plugin\.json:1:8 is no JSON/,
  ],
])('What cannot run is listed with the reason: %s', async (_what, path, text, reason) => {
  await write(path, text);
  const plain = await found('acme');
  expect(plain?.manifest).toBeUndefined();
  expect(plain?.problem).toMatch(reason);
});

test('A folder that was not built, and one that is called like another version, are listed with the reason', async () => {
  await plugin('acme', '1.0.0', '2.0.0');
  await plugin('unbuilt', '1.0.0');
  await rm(join(data, 'plugins/unbuilt/1.0.0/dist'), { recursive: true });
  expect((await found('acme'))?.problem).toMatch(/says version 2\.0\.0/);
  expect((await found('unbuilt'))?.problem).toMatch(/nothing to run .* build:plugin/);
});
