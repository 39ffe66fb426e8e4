import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { MyPluginCell } from './MyPluginCell.tsx';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);

test('a cell shows its colour', () => {
  const column = aColumn('cl_1', 'Colour', { uidt: 'MyPlugin' });
  const cell = <MyPluginCell value="#1971c2" column={column} row={undefined} options={{}} selected={false} />;
  const { getByText } = renderWithHost(cell);
  expect(getByText('#1971c2').getAttribute('title')).toBe('The colour #1971c2');
});
