import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import type { PluginManifest } from '@trellis/core';
import { pluginFiles } from '../archive/plugin-files.ts';
import { buildPlugin } from '../build-plugin.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { type Command, namedFolder, readArguments, say } from './command.ts';

export const reportCommand: Command = {
  takes: '[folder]',
  does: 'builds the plugin and tells what it adds, what it asks for and what it weighs',
  async run(args) {
    const { named } = readArguments(args);
    const folder = namedFolder(named[0]);
    const { halves } = await buildPlugin(folder);
    const manifest = await readManifest(folder);
    say(`${manifest.name} (${manifest.id}) ${manifest.version}, for Trellis ${manifest.engines.trellis}`);
    for (const [heading, items] of asked(manifest))
      if (items.length > 0) say(`${heading}: ${items.join(', ')}`);
    for (const half of halves) {
      const code = await readFile(join(folder, 'dist', half, 'index.js'));
      say(`${half} half: ${kilobytes(code.length)}, ${kilobytes(gzipSync(code).length)} compressed`);
    }
    const files = [...(await pluginFiles(folder, manifest)).values()];
    const bytes = files.reduce((sum, file) => sum + file.length, 0);
    say(`installed: ${files.length} files, ${kilobytes(bytes)}`);
    return 0;
  },
};

function asked(manifest: PluginManifest): readonly (readonly [string, readonly string[]])[] {
  const {
    routes = [],
    hosts = [],
    tables = [],
    hooks = [],
    pages = [],
    ...registries
  } = manifest.contributes ?? {};
  const added = Object.entries(registries).map(([registry, items = []]) => {
    const ids = items.map((item) => (typeof item === 'string' ? item : item.id));
    return `${registry} ${ids.join(' ')}`;
  });
  const settings = Object.entries(manifest.settings?.properties ?? {}).map(([name, { format }]) =>
    format === 'secret' ? `${name} (secret)` : name,
  );
  return [
    ['adds', added],
    ['serves', routes],
    ['calls', hosts],
    ['makes the tables', tables],
    ['can change or refuse by', hooks],
    ['pages', pages.map(({ id }) => id)],
    ['needs', Object.entries(manifest.dependencies ?? {}).map(([id, range]) => `${id} ${range}`)],
    ['asks for', manifest.permissions ?? []],
    ['settings', settings],
  ];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
