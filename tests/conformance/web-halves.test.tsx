import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';

const plugins = resolve(import.meta.dirname, '../../plugins');

for (const id of readdirSync(plugins)) {
  if (existsSync(join(plugins, id, 'plugin.json'))) describeWebPlugin(join(plugins, id));
}
