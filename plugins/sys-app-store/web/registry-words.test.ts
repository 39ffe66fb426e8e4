import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { registryWords } from './registry-words.ts';

const plugins = join(import.meta.dirname, '../..');
/** What manifests list beside items of registries; the dialog has lines of their own for it. */
const others = new Set(['hooks', 'hosts', 'permissions', 'routes', 'tables']);

test('each registry that a plugin of the product fills is called by words', () => {
  const folders = readdirSync(plugins, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const filled = folders.flatMap(({ name }) => {
    const manifest = JSON.parse(readFileSync(join(plugins, name, 'plugin.json'), 'utf8')) as {
      readonly contributes?: object;
    };
    return Object.keys(manifest.contributes ?? {});
  });
  expect(filled.length).toBeGreaterThan(100);
  const nameless = filled.filter((id) => !others.has(id) && registryWords[id] === undefined);
  expect([...new Set(nameless)]).toEqual([]);
});
