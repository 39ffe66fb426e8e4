import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { describePlugin } from '@trellis/sdk/testing/server';

const plugins = resolve(import.meta.dirname, '../../plugins');

const ids = readdirSync(plugins).filter((id) => existsSync(join(plugins, id, 'plugin.json')));

test.each(ids)('the folder of %s is called like the plugin', (id) => {
  expect(JSON.parse(readFileSync(join(plugins, id, 'plugin.json'), 'utf8'))).toMatchObject({ id });
});

for (const id of ids) describePlugin(join(plugins, id));
