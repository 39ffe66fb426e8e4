import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { PluginStatus } from '@trellis/core';
import type { FoundPlugin } from './library/found-plugin.ts';
import { toWebEntry, webPlaceOf } from './web-entries.ts';

test('a place in a page is looked for in the web half of a plugin, and in nothing beside it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'trellis-places-')));
  try {
    const folder = join(root, 'acme/1.0.0');
    for (const half of ['web', 'server']) {
      await mkdir(join(folder, 'dist', half), { recursive: true });
      await writeFile(join(folder, 'dist', half, 'index.js'), 'throw new Error();');
    }
    const manifest = { id: 'acme', name: 'Acme', version: '1.0.0', category: 'app' };
    const found = { id: 'acme', origin: 'installed', folder, versions: ['1.0.0'], manifest };
    const all = [found as unknown as FoundPlugin];
    const [entry] = toWebEntry({ id: 'acme', manifest } as unknown as PluginStatus, all, {});
    const base = entry?.url?.replace('index.js', '') ?? '';
    const placeOf = (file: string) => webPlaceOf(all, 'acme', `${base}${file}:1:7`);
    expect(placeOf('index.js')).toBe('dist/web/index.js:1:7');
    for (const file of [
      '../server/index.js',
      'x/../../server/index.js',
      '../../plugin.json',
      '../web-2/index.js',
    ])
      expect(placeOf(file)).toBeUndefined();
  } finally {
    await rm(root, { recursive: true });
  }
});
