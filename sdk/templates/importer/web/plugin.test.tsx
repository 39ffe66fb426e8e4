import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ImportFormat } from '@trellis/sdk/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import plugin from './index.tsx';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);

test('people choose files by their ending', () => {
  const formats: ImportFormat[] = [];
  const register = (_registry: string, format: ImportFormat) => formats.push(format);
  void plugin.setup({ register } as never);
  expect(formats.map(({ extensions }) => extensions)).toEqual([['jsonl']]);
});
