import { expect, test } from '@jest/globals';
import type { BaseEntity, TableEntity } from '@trellis/sdk/shared';
import { isOfOthers, tablesByBase } from './tables-by-base.ts';

const base = (id: string, more: Partial<BaseEntity>): BaseEntity => ({
  id,
  project_id: 'p_1',
  alias: null,
  type: 'pg',
  is_meta: false,
  inflection_column: null,
  inflection_table: null,
  created_at: '',
  updated_at: '',
  ...more,
});
const table = (title: string, base_id: string) => ({ title, base_id }) as TableEntity;
const own = base('own', { is_meta: true });
const shop = base('shop', { alias: 'Shop' });
const t = (text: string) => text;

test('tables stand by their databases where a project has several, each with a name', () => {
  const tables = [table('A', 'shop'), table('B', 'own'), table('C', 'shop')];
  const groups = tablesByBase(tables, { bases: [own, shop, base('empty', {})] }, t);
  expect(groups.map(({ name, tables: of }) => [name, of.map(({ title }) => title)])).toEqual([
    ['Database of this server', ['B']],
    ['Shop', ['A', 'C']],
  ]);
  expect(tablesByBase(tables, { bases: [shop] }, t)).toMatchObject([{ name: undefined, tables }]);
});

test('what is deleted stays in the database of others, and in no other one', () => {
  const project = { bases: [own, shop], is_meta: false };
  expect(isOfOthers(table('A', 'shop'), project)).toBe(true);
  expect(isOfOthers(table('B', 'own'), project)).toBe(false);
  expect(isOfOthers(table('B', 'unknown'), { is_meta: true })).toBe(false);
});
