import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { join, relative } from 'node:path';
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
    const { halves, waysOut } = await buildPlugin(folder);
    const manifest = await readManifest(folder);
    say(`${manifest.name} (${manifest.id}) ${manifest.version}, for Trellis ${manifest.engines.trellis}`);
    for (const [heading, items] of asked(manifest))
      if (items.length > 0) say(`${heading}: ${items.join(', ')}`);
    if (waysOut.length > 0)
      say(`reaches hosts and programs past what its manifest lists by: ${waysOut.join(', ')}`);
    for (const half of halves) say(`${half} half: ${await weigh(join(folder, 'dist', half))}`);
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
    ['needs', ranges(manifest.dependencies)],
    ['uses where that is there', ranges(manifest.optionalDependencies)],
    ['never beside', ranges(manifest.conflicts)],
    ['asks for', manifest.permissions ?? []],
    ['settings', settings],
  ];
}

function ranges(plugins: PluginManifest['dependencies'] = {}): readonly string[] {
  return Object.entries(plugins).map(([id, range]) => `${id} ${range}`);
}

/** The files that load with the half itself; the others load on demand. */
const atFirst = new Set(['index.js', 'index.css']);

/** A built half's size without source maps, which load only for debugging. */
async function weigh(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const parts = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(folder, name)) })),
  );
  const first = parts.filter(({ name }) => atFirst.has(name));
  const all = sizes(parts.map(({ content }) => content));
  return first.length === parts.length
    ? all
    : `${all}, of which ${sizes(first.map(({ content }) => content))}, at first`;
}

function sizes(contents: readonly Uint8Array[]): string {
  const sum = (lengths: readonly number[]) => kilobytes(lengths.reduce((total, length) => total + length, 0));
  const compressed = contents.map((content) => gzipSync(content).length);
  return `${sum(contents.map(({ length }) => length))}, ${sum(compressed)} compressed`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
