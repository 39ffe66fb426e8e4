import { expect, test } from '@jest/globals';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { describeEachDatabase } from '../databases/testing.ts';
import { compileExpression } from './compile-expression.ts';
import { reading, tableSql } from './compile-context.ts';
import { selectPage } from './select.ts';
import { columnId, createTables } from './testing/tables.ts';

const tables = {
  shop: {
    columns: { id: 'integer', name: 'string' },
    rows: [
      [1, 'north'],
      [2, 'south'],
    ],
  },
  sale: {
    columns: { id: 'integer', shop: 'integer', amount: 'integer' },
    rows: [
      [1, 1, 5],
      [2, 1, 70],
      [3, 2, 90],
      [4, 2, 95],
    ],
  },
  tag: {
    columns: { id: 'integer', name: 'string' },
    rows: [
      [1, 'new'],
      [2, 'old'],
    ],
  },
  tagging: {
    columns: { id: 'integer', shop: 'integer', tag: 'integer' },
    rows: [
      [1, 1, 1],
      [2, 1, 2],
      [3, 2, 2],
    ],
  },
} as const;

const end = (table: string, ...names: string[]) => names.map((name) => columnId(table, name));

const links = [
  {
    id: 'sales',
    kind: 'hasMany',
    tableId: 'shop',
    columnIds: end('shop', 'id'),
    toTableId: 'sale',
    toColumnIds: end('sale', 'shop'),
    through: undefined,
  },
  {
    id: 'shopOfSale',
    kind: 'belongsTo',
    tableId: 'sale',
    columnIds: end('sale', 'shop'),
    toTableId: 'shop',
    toColumnIds: end('shop', 'id'),
    through: undefined,
  },
  {
    id: 'tags',
    kind: 'manyToMany',
    tableId: 'shop',
    columnIds: end('shop', 'id'),
    toTableId: 'tag',
    toColumnIds: end('tag', 'id'),
    through: { tableId: 'tagging', columnIds: end('tagging', 'shop'), toColumnIds: end('tagging', 'tag') },
  },
] as const;

function compares(table: string, column: string, comparison: 'eq' | 'lt', value: number): Predicate {
  return {
    kind: 'compare',
    comparison,
    left: { kind: 'column', columnId: columnId(table, column) },
    right: { kind: 'literal', value, storage: 'integer' },
  };
}

describeEachDatabase('a rule about the rows of a table', (open) => {
  async function start(rules: Readonly<Record<string, Predicate>>) {
    const database = await open();
    const { context: plain } = await createTables(database, tables, links);
    const context = (table: string) => {
      const of = plain(table);
      return reading({ ...of, reach: { ...of.reach, ruleOf: (id: string) => rules[id] } });
    };
    /** What an expression is in each shop. */
    async function inShops(expression: Expression) {
      const shop = context('shop');
      const { sql } = compileExpression(shop, expression);
      const statement = shop.dialect.statements.select({
        columns: sql,
        from: tableSql(shop),
        orderBy: [{ sql: 't0.id', bindings: [] }],
      });
      const { rows } = await database.read((unit) => unit.rows(statement));
      return rows.map(([cell]) => Number(cell));
    }
    /** The shops that exist for the caller. */
    async function shops(predicate?: Predicate) {
      const query = { ...context('shop'), rule: rules['shop'], predicate, order: [] };
      const statement = selectPage(query, query.table.primaryKey, { limit: 10, offset: 0 });
      const { rows } = await database.read((unit) => unit.rows(statement));
      return rows.map(([id]) => Number(id)).toSorted((left, right) => left - right);
    }
    return { inShops, shops };
  }

  const related = (linkId: string, aggregate: 'count' | 'sum', of?: string): Expression => ({
    kind: 'related',
    linkId,
    aggregate,
    ...(of !== undefined && { of: { kind: 'column', columnId: of } }),
  });

  test('holds for linked rows too: aggregates and conditions know only those that exist for the caller', async () => {
    const { inShops, shops } = await start({ sale: compares('sale', 'amount', 'lt', 80) });
    expect(await inShops(related('sales', 'count'))).toEqual([2, 0]);
    expect(await inShops(related('sales', 'sum', columnId('sale', 'amount')))).toEqual([75, 0]);
    expect(await shops({ kind: 'some', linkId: 'sales' })).toEqual([1]);
  });

  test('holds for the rows of a junction table as well', async () => {
    const { inShops } = await start({ tagging: compares('tagging', 'tag', 'eq', 1) });
    expect(await inShops(related('tags', 'count'))).toEqual([1, 0]);
  });

  test('that asks for linked rows means all of them, whatever else the caller may see', async () => {
    const large: Predicate = { kind: 'not', item: compares('sale', 'amount', 'lt', 80) };
    const { shops, inShops } = await start({
      shop: { kind: 'some', linkId: 'sales', where: large },
      // Each of the two rules asks for rows of the other table.
      sale: {
        kind: 'and',
        items: [compares('sale', 'amount', 'lt', 92), { kind: 'some', linkId: 'shopOfSale' }],
      },
    });
    expect(await shops()).toEqual([2]);
    expect(await inShops(related('sales', 'count'))).toEqual([2, 1]);
  });
});
