import { expect, jest, test } from '@jest/globals';
import type { SearchSource } from '@trellis/sdk/web';
import type { ViewName } from '../shared/index.ts';
import { viewSearch } from './view-search.ts';

type Given = Parameters<SearchSource['list']>;

const nameOf = (id: string, table: string): ViewName => ({
  id,
  title: `View ${id}`,
  icon: null,
  table: { id: table, title: `Table ${table}` },
});

test('views of all tables of the project are found by name, those of the open table first, and open in its tab', async () => {
  const request = jest.fn(async () => [
    nameOf('a', 'one'),
    nameOf('b', 'one'),
    nameOf('only', 'lonely'),
    nameOf('c', 'open'),
    nameOf('d', 'open'),
  ]);
  const context = { project: { id: 'p_1' }, table: { id: 'open' } } as Given[0];
  const openTab = jest.fn();
  const host = { api: { request }, shell: { openTab } } as unknown as Given[1];
  expect(viewSearch.when?.({} as Given[0])).toBe(false);
  const found = await viewSearch.list(context, host);
  expect(found.map(({ label, detail }) => `${label}, ${detail}`)).toEqual([
    'View c, Table open',
    'View d, Table open',
    'View a, Table one',
    'View b, Table one',
  ]);
  found[2]?.open(host);
  expect(openTab).toHaveBeenCalledWith({ type: 'table', key: 'one', name: 'Table one', view: 'a' });
});
