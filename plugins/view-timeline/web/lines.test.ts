import { expect, test } from '@jest/globals';
import { aColumn } from '@trellis/sdk/testing/web';
import type { DatedColumn } from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { linesInGroups, linesInOrder, type Lines } from './lines.ts';

const from = { id: 'cl_day', show: (value: unknown) => value ?? undefined } as DatedColumn;
const row = (key: string, day: string | null, state?: string): RowData => ({
  key,
  values: { cl_day: day, cl_state: state },
});
const all = ({ count, at }: Lines) => Array.from({ length: count }, (_, index) => at(index));

test('each row of the days has its line, read or not, however many there are, and a new row comes last', () => {
  const rowAt = (index: number) => (index === 0 ? row('a', '2026-03-04') : undefined);
  const lines = linesInOrder({ count: 100_000, atLeast: 0, rowAt }, { from }, true);
  expect(lines.count).toBe(100_001);
  expect(lines.at(0)).toMatchObject({ kind: 'row', days: { start: '2026-03-04', end: '2026-03-05' } });
  expect(lines.at(99_999)).toEqual({ kind: 'waiting', index: 99_999 });
  expect(lines.at(100_000)).toEqual({ kind: 'new', group: undefined });
  expect(linesInOrder({ count: undefined, atLeast: 1, rowAt }, { from }, false).count).toBe(1);
});

test('a row that has just lost its day keeps its line, without a bar', () => {
  const lines = linesInOrder({ count: 1, atLeast: 1, rowAt: () => row('a', null) }, { from }, false);
  expect(lines.at(0)).toMatchObject({ kind: 'row', days: undefined });
});

test('groups stand in the order of the options, those of no group last, each with its rows', () => {
  const options = [
    { id: 'o1', title: 'Open', color: '#cfdffe' },
    { id: 'o2', title: 'Done', color: '#d0f1fd' },
  ];
  const groupedBy = aColumn('cl_state', 'State', { meta: { options } });
  const day = '2026-03-04';
  const rows = [row('a', day), row('b', day, 'Done'), row('c', day, 'Open'), row('d', day, 'Done')];
  const told = all(linesInGroups(rows, { from }, { groupedBy, takesNew: true })).map((line) =>
    line.kind === 'group' ? [line.group.value, line.count] : line.kind === 'row' ? line.row.key : line.kind,
  );
  expect(told).toEqual([['Open', 1], 'c', 'new', ['Done', 2], 'b', 'd', 'new', [null, 1], 'a', 'new']);
});
