import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Theme } from '@trellis/sdk/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import plugin from './index.tsx';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);

test('both looks name the same colours', () => {
  const themes: Theme[] = [];
  const register = (_registry: string, theme: Theme) => themes.push(theme);
  void plugin.setup({ register } as never);
  for (const { light, dark } of themes) expect(Object.keys(light)).toEqual(Object.keys(dark));
  expect(themes).toHaveLength(1);
});
