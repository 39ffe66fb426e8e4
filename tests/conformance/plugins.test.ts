import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describePlugin } from '@trellis/sdk/testing/server';

const plugins = resolve(import.meta.dirname, '../../plugins');

for (const id of readdirSync(plugins)) {
  if (existsSync(join(plugins, id, 'plugin.json'))) describePlugin(join(plugins, id));
}
