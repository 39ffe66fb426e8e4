import { expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { addedColumn } from './column-requests.ts';

const table = (...columns: readonly (readonly [id: string, uidt: string])[]): TableEntity =>
  ({ id: 'md_1', columns: columns.map(([id, uidt]) => ({ id, uidt, title: id })) }) as unknown as TableEntity;

test('of the columns that a link brings, the link is the one that was added, not the key behind it', () => {
  const before = table(['title', 'SingleLineText']);
  const after = table(['title', 'SingleLineText'], ['key', 'ForeignKey'], ['link', 'LinkToAnotherRecord']);
  expect(addedColumn(before, after)?.id).toBe('link');
  expect(addedColumn(before, before)).toBeUndefined();
});

test('a key alone is what was added', () => {
  expect(addedColumn(table(), table(['key', 'ForeignKey']))?.id).toBe('key');
});
