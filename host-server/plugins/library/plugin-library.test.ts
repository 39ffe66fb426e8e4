import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTestServer } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../metadata/tokens.ts';
import { createPluginLibrary } from './plugin-library.ts';

test('a plugin that another server removed is not remembered by one that has not heard of it and installs something else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'trellis-library-'));
  const server = await createTestServer();
  try {
    const installedFolder = join(root, 'plugins');
    const copy = async (id: string) => {
      const folder = join(installedFolder, id, '1.0.0');
      await mkdir(join(folder, 'dist/server'), { recursive: true });
      const manifest = { id, name: id, version: '1.0.0', category: 'app', engines: { trellis: '*' }, sdk: 1 };
      await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
      await writeFile(join(folder, 'dist/server/index.js'), 'export default { setup() {} };');
    };
    const libraryOf = async () => {
      const metadata = server.host.container.get(MetadataToken);
      const library = createPluginLibrary({ metadata, builtInFolder: join(root, 'none'), installedFolder });
      await library.load();
      return library;
    };
    await copy('acme');
    const [here, there] = [await libraryOf(), await libraryOf()];
    await here.remember();
    await rm(join(installedFolder, 'acme'), { recursive: true });
    here.accept({ id: 'acme' });
    await here.forget('acme');

    await copy('other');
    for (const change of await there.look()) if (change.id === 'other') there.accept(change);
    await there.remember(['other']);
    const later = await libraryOf();
    expect([later.remembered('acme'), later.missing()]).toEqual([undefined, []]);
    expect(later.remembered('other')).toMatchObject({ version: '1.0.0', isInstalled: true });
  } finally {
    await server.dispose();
    await rm(root, { recursive: true });
  }
});
