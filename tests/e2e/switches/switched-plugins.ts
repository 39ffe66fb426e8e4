import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PluginManifest } from '@trellis/core';
import { createPlugin } from '../../../sdk/build/create/create-plugin.ts';
import { buildAndInstallFolder } from '../outside-plugins.ts';

const root = resolve(import.meta.dirname, '../../..');
const sdk = join(root, 'sdk');

/** The templates for authors. */
const templates = readdirSync(join(sdk, 'templates')).toSorted();
/** The book's examples besides the product's parts. */
const ofBook = readdirSync(join(sdk, 'examples')).toSorted();
const installed = [...templates.map((kind) => `acme-${kind}`), ...ofBook];

/** Some of each kind: those that show on a table's page, and those with only a server half. */
const someOfProduct = [
  'column-rating',
  'view-kanban',
  'row-comments',
  'command-palette',
  'notification-center',
  'export-excel',
  'auth-github',
  'channel-slack',
];

/** A sample: everything made from templates, and the book's examples. */
export const sample: readonly string[] = [...someOfProduct, ...installed];

/** Every plugin that can be disabled; these include all worked examples of the book. */
export const everyPlugin: readonly string[] = [...partsThatGoOff(), ...installed];

function partsThatGoOff(): readonly string[] {
  return readdirSync(join(root, 'plugins'))
    .filter((id) => existsSync(join(root, 'plugins', id, 'plugin.json')))
    .filter((id) => {
      const text = readFileSync(join(root, 'plugins', id, 'plugin.json'), 'utf8');
      return (JSON.parse(text) as PluginManifest).system !== true;
    })
    .toSorted();
}

/** Builds and installs a plugin from each template, and the book's examples. */
export async function installExamples(dataDir: string): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), 'trellis-templates-'));
  try {
    for (const template of templates) {
      const id = `acme-${template}`;
      const plugin = { id, template, sdk: '*', language: 'typescript' } as const;
      const folder = await createPlugin(plugin, made, join(sdk, 'templates'));
      // The SDK that it extends is not installed next to it.
      await rm(join(folder, 'tsconfig.json'));
      buildAndInstallFolder(id, folder, dataDir, '0.1.0');
    }
    for (const id of ofBook) {
      await cp(join(sdk, 'examples', id), join(made, id), { recursive: true });
      buildAndInstallFolder(id, join(made, id), dataDir);
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
