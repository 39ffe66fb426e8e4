import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseManifest } from '@trellis/core';
import { testManifest } from '../../testing/test-manifest.ts';
import { pluginFiles } from './plugin-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-files-'));
  for (const file of ['plugin.json', 'server/index.ts', 'dist/server/index.js', 'mood.svg']) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const packed = async (icon: string) =>
  [
    ...(
      await pluginFiles(folder, parseManifest(testManifest('acme-mood', 'Mood', { icon }), 'plugin.json'))
    ).keys(),
  ].toSorted();

test('a picture of the plugin is packed, and no folder that is called like a picture of the product', async () => {
  expect(await packed('mood.svg')).toEqual(['dist/server/index.js', 'mood.svg', 'plugin.json']);
  expect(await packed('server')).toEqual(['dist/server/index.js', 'plugin.json']);
  expect(await packed('heart')).toEqual(['dist/server/index.js', 'plugin.json']);
});
