import { describe, expect, test } from '@jest/globals';
import type { LinkSchema } from '@trellis/sdk/server';
import type { Expression } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { observeDialect } from '../databases/testing/observed-dialect.ts';
import { recordStatements } from '../databases/testing/recorded-statements.ts';
import { tsqlProblems } from '../databases/testing/tsql.ts';
import { dialectOf } from '../dialects/select-dialect.ts';
import { bound, text } from '../sql/fragment.ts';
import type { Query } from '../sql/unit.ts';
import { reading, tableSql, type CompileContext } from './compile-context.ts';
import { compileExpression } from './compile-expression.ts';
import { selectFigures } from './figures.ts';
import { hostFunctions } from './host-functions.ts';
import { insertRows } from './insert.ts';
import { JoinedRows } from './joined-rows.ts';
import { selectLinkedPage } from './linked-pages.ts';
import { selectLast, selectNextKey, selectSide } from './neighbours.ts';
import { selectGroupPages, selectHolding, selectLinked } from './partitions.ts';
import { selectRepeated, selectScan, selectSome } from './samples.ts';
import {
  lockingRows,
  selectAll,
  selectCount,
  selectGroups,
  selectIn,
  selectNewest,
  selectOne,
  selectPage,
  selectNumber,
  selectSize,
  selectWhere,
  type CompiledQuery,
} from './select.ts';
import { library, links, lists } from './testing/library.ts';
import { columnId, createTables } from './testing/tables.ts';
import { column, trees } from './testing/trees.ts';
import { updateEach } from './update-each.ts';
import { deleteIn, deleteMatching, deleteRow, updateIn, updateMatching, updateRow } from './write.ts';

/** No SQL Server runs here, so what is sent to one is held to a parser of its language that others have written. */

const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_122);

describe.each([undefined, 'sales'])('what SQL Server is asked, with tables in the schema %s', (schema) => {
  const observed = observeDialect(dialectOf('mssql', schema));

  async function start() {
    const recorded = recordStatements(observed.dialect);
    const { database } = recorded;
    const { context } = await createTables(database, library, links, lists);
    const expectTsql = async (query: Query) => {
      recorded.take();
      await database.read((unit) => unit.rows(query));
      for (const sql of recorded.take())
        expect({ sql, problems: tsqlProblems(sql) }).toEqual({ sql, problems: [] });
    };
    return { recorded, database, context, expectTsql };
  }

  function queryOf(context: CompileContext, more: Partial<CompiledQuery> = {}): CompiledQuery {
    const order = context.table.primaryKey.map((key) => ({ column: key, direction: 'asc' as const }));
    return { ...context, predicate: undefined, order, ...more };
  }

  test('is T-SQL where tables are made and filled', async () => {
    const recorded = recordStatements(observed.dialect);
    await createTables(recorded.database, library, links);
    for (const sql of recorded.take())
      expect({ sql, problems: tsqlProblems(sql) }).toEqual({ sql, problems: [] });
  });

  test('is T-SQL whatever is computed, asked for and ordered by', async () => {
    const { context, expectTsql } = await start();
    for (const name of ['author', 'book']) {
      const of = trees(name, 3);
      const tested = of.predicate.map((item): Expression => ({ kind: 'test', predicate: item }));
      const quotient = fc
        .tuple(of.number, of.number)
        .map(([left, right]): Expression => ({ kind: 'arithmetic', operator: 'divide', left, right }));
      const tree = fc.oneof(of.number, quotient, of.text, of.date, tested);
      await fc.assert(
        fc.asyncProperty(tree, of.predicate, async (value, predicate) => {
          const joins = new JoinedRows();
          const from = { ...reading(context(name)), joins };
          const made = compileExpression(from, value).sql;
          await expectTsql(
            from.dialect.statements.select({
              columns: made,
              from: joins.from(tableSql(from)),
              orderBy: [compileExpression(from, column(name, 'id')).sql],
            }),
          );
          const query = queryOf(context(name), { predicate });
          await expectTsql(selectPage(query, query.table.columns, { limit: 25, offset: 50 }));
          await expectTsql(selectCount(query).query);
          await expectTsql(deleteMatching({ ...context(name), predicate, order: [] }));
        }),
        { seed, numRuns: 60 },
      );
    }
  });

  test('is T-SQL for every function that formulas have', async () => {
    const { context, expectTsql } = await start();
    const given: Readonly<Record<string, Expression>> = {
      text: column('author', 'name'),
      bigint: { kind: 'literal', value: 3, storage: 'bigint' },
      float: { kind: 'literal', value: 0.5, storage: 'float' },
      decimal: { kind: 'literal', value: '1.25', storage: 'decimal' },
      datetime: { kind: 'literal', value: '2024-02-29 13:30:00', storage: 'datetime' },
      date: { kind: 'literal', value: '2024-02-29', storage: 'date' },
    };
    for (const { definition } of hostFunctions.values()) {
      for (const count of [definition.parameters.filter(({ optional }) => optional !== true).length, 3]) {
        const parameters = definition.parameters.slice(0, count);
        for (const turn of [0, 1, 2, 3]) {
          const args = parameters.map(({ kinds }): Expression => {
            const list = kinds === 'any' ? ['text', 'decimal', 'date', 'float'] : kinds;
            const usable = list.filter((kind) => Object.hasOwn(given, kind));
            return (
              given[usable[turn % usable.length] ?? 'text'] ?? {
                kind: 'literal',
                value: 'a',
                storage: 'text',
              }
            );
          });
          if (definition.id === 'FORMAT_DATE')
            args[1] = {
              kind: 'literal',
              value: "dddd, D MMM YYYY hh:mm:ss A 'x' MMMM ddd YY MM M DD HH H h",
              storage: 'text',
            };
          if (definition.id.startsWith('READ_'))
            args[1] = {
              kind: 'literal',
              value: "DD.MM.YYYY 'at' hh:mm:ss A",
              storage: 'text',
            };
          const from = reading(context('author'));
          const call: Expression = { kind: 'call', function: definition.id, arguments: args };
          await expectTsql(
            from.dialect.statements.select({
              columns: compileExpression(from, call).sql,
              from: tableSql(from),
            }),
          );
        }
      }
    }
  });

  test('is T-SQL for what is made of several values in a cell', async () => {
    const { context, expectTsql } = await start();
    const from = reading(context('author'));
    for (const list of ['titles', 'labels']) {
      const of = column('author', list);
      const columnId = `author.${list}`;
      for (const aggregate of ['count', 'countDistinct', 'max', 'join'] as const) {
        const values: Expression = {
          kind: 'values',
          columnId,
          aggregate,
          of,
          separator: column('author', 'name'),
        };
        await expectTsql(
          from.dialect.statements.select({
            columns: compileExpression(from, values).sql,
            from: tableSql(from),
          }),
        );
      }
    }
  });

  test('is T-SQL for rows in the order of what their cells hold several of', async () => {
    const { context, expectTsql } = await start();
    for (const [id, at] of Object.keys(lists).map((of) => [of, of.split('.')[0] ?? ''] as const)) {
      const of = context(at);
      const by = of.table.columnById.get(id);
      if (by === undefined) throw new Error(`There is no list ${id}.`);
      for (const direction of ['asc', 'desc'] as const) {
        const query = queryOf(of, { order: [{ column: by, direction }] });
        await expectTsql(selectPage(query, of.table.columns, { limit: 25, offset: 0 }));
        await expectTsql(selectPage(query, of.table.columns, { limit: 25, offset: 5000 }));
      }
    }
  });

  test('is T-SQL for every way in which rows are read', async () => {
    const { context, expectTsql } = await start();
    const author = context('author');
    const { columns, primaryKey } = author.table;
    const [key] = primaryKey;
    if (key === undefined) throw new Error('The fixture has no key.');
    const is = [[key, 1]] as const;
    for (const by of columns) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = queryOf(author, {
          order: [
            { column: by, direction },
            { column: key, direction: 'asc' },
          ],
        });
        await expectTsql(selectAll(query, columns));
        await expectTsql(selectPage(query, columns, { limit: 25, offset: 0 }));
        await expectTsql(selectPage(query, columns, { limit: 25, offset: 5000 }));
        await expectTsql(selectGroups(query, by, { limit: 10, offset: 0 }));
        await expectTsql(selectGroupPages(query, columns, { by, perGroup: 2, limit: 10 }));
        await expectTsql(selectGroupPages({ ...query, order: [] }, columns, { by, perGroup: 2, limit: 10 }));
        const of = column('author', by.columnName);
        const isNumber = ['integer', 'decimal', 'float', 'bigint'].includes(by.storage);
        const aggregates = isNumber
          ? (['sum', 'avg', 'median', 'sumDistinct', 'avgDistinct'] as const)
          : (['min', 'max', 'countDistinct'] as const);
        const nodes = aggregates.map((aggregate) => ({ kind: 'aggregate', aggregate, of }) as const);
        await expectTsql(selectFigures(query, { nodes: [...nodes, { kind: 'count' }] }).query);
        await expectTsql(selectFigures(query, { nodes, by: [{ column: by, direction }], limit: 5 }).query);
      }
      await expectTsql(selectSome(author, key, { emptyIn: by, rule: undefined, limit: 3 }));
      await expectTsql(selectRepeated(author, by, { rule: undefined, limit: 3 }));
      await expectTsql(selectScan(author, { column: by, after: [1], rule: undefined, limit: 3 }));
      await expectTsql(selectSide(author, by, { side: 'before', place: 1, limit: 1 }));
      await expectTsql(selectLast(author, by));
      await expectTsql(selectNextKey(author, by, { direction: 'above', at: 1 }));
    }
    await expectTsql(selectPage(queryOf(author, { order: 'random' }), columns, { limit: 25, offset: 0 }));
    await expectTsql(selectPage(queryOf(author, { order: [] }), columns, { limit: 0, offset: 0 }));
    await expectTsql(selectPage(queryOf(author), [], { limit: 5, offset: 0 }));
    await expectTsql(selectSize(author, 1000).query);
    await expectTsql(selectNumber(author, is, 1000));
    await expectTsql(selectOne(author, columns, is));
    await expectTsql(selectOne(author, columns, [[key, null]]));
    await expectTsql(selectWhere(author, columns, is));
    await expectTsql(selectIn(author, columns, key, [1, 2, 3]));
    await expectTsql(selectNewest(author, columns, 10));
    await expectTsql(
      selectHolding(author, columns, {
        ends: [key, key],
        keys: [
          [1, 2],
          [3, 4],
        ],
        rule: undefined,
        limit: 5,
      }),
    );
    for (const fixture of links) {
      const link = { title: fixture.id, ...fixture } as unknown as LinkSchema;
      const there = queryOf(context(link.toTableId));
      const shown = there.table.columns;
      await expectTsql(selectLinked(there, shown, { link, keys: [[1], [2]], perRow: 3, limit: 10 }));
      for (const others of [true, false]) {
        const page = { limit: 5, offset: 5 };
        const made = selectLinkedPage(there, shown, { link, values: [1], others, across: undefined, page });
        await expectTsql(made.page);
        await expectTsql(made.count);
      }
    }
  });

  test('is T-SQL for every way in which rows are locked and written', async () => {
    const { context, database, expectTsql } = await start();
    const author = context('author');
    const { columns, primaryKey } = author.table;
    const [key] = primaryKey;
    if (key === undefined) throw new Error('The fixture has no key.');
    const changes = columns.map((one) => [one, one.storage === 'boolean' ? true : 'x'] as const);
    const is = [[key, 1]] as const;
    const locked = [
      lockingRows(author, (of) => selectWhere(of, columns, is)),
      lockingRows(author, (of) => selectOne(of, columns, is)),
      lockingRows(author, (of) => selectIn(of, columns, key, [1, 2]), 5),
      lockingRows(queryOf(author, { order: [] }), (of) => selectAll(of, columns), 100),
    ];
    for (const query of locked) {
      expect(query.sql).toContain(' as t0 with (updlock, rowlock)');
      await expectTsql(query);
    }
    const row = changes.map(([, value]) => value);
    await expectTsql(insertRows(author, columns, [row, row], []));
    await expectTsql(insertRows(author, columns, [row, row.map(() => null)], primaryKey));
    await expectTsql(insertRows(author, [], [[]], primaryKey));
    const { limits } = database.dialect;
    const keys = Array.from({ length: limits.keysPerQuery(1) }, (_, index) => [index]);
    const holding = selectHolding(author, columns, { ends: primaryKey, keys, rule: undefined, limit: 9 });
    expect(holding.bindings.length).toBeGreaterThan(1000);
    expect(holding.bindings.length).toBeLessThan(limits.parametersPerStatement);
    await expectTsql(insertRows(author, columns, [row.map(() => null), row.map(() => null)], primaryKey));
    await expectTsql(updateRow(author, changes, is));
    await expectTsql(updateIn(author, changes, key, [1, 2]));
    await expectTsql(updateMatching(queryOf(author, { order: [] }), changes));
    await expectTsql(deleteRow(author, is));
    await expectTsql(deleteIn(author, key, [1, 2]));
    for (const { columnName, storage, nativeType } of columns)
      await expectTsql(
        updateEach(
          database.dialect,
          {
            table: author.table.tableName,
            column: columnName,
            type: { kind: storage, native: nativeType },
            key: ['id'],
          },
          [
            { key: [1], value: 'a' },
            { key: [2], value: null },
          ],
        ),
      );
  });

  test('is T-SQL for what the product asks by way of its builder', async () => {
    const { database, expectTsql } = await start();
    const { builder, dialect } = database;
    const table = dialect.identifiers.knexTable('author');
    await expectTsql(builder(table).count({ total: '*' }).whereNull('name'));
    await expectTsql(
      builder(table).select(['id', 'name']).whereNotNull('id').where('id', '>', 3).orderBy(['id']).limit(10),
    );
    await expectTsql(builder(table).max({ greatest: 'id' }));
    await expectTsql(builder(table).whereNotNull('name').distinct('name').limit(5));
    const repeated = builder(table).groupBy('name').select('name').count({ times: '*' }).as('of_values');
    await expectTsql(builder(repeated).where('times', '>', 1).count());
    expect(builder(table).select(dialect.identifiers.knexName('odd.name]')).toSQL().sql).toBe(
      `select [odd.name]]] from ${schema === undefined ? '' : '[sales].'}[author]`,
    );
  });

  test('names amounts of money when they are written, which SQL Server takes no text for', async () => {
    const { context, expectTsql } = await start();
    const author = context('author');
    const price = {
      ...author.table.columns[0],
      id: columnId('author', 'price'),
      columnName: 'price',
      storage: 'decimal',
      nativeType: 'money',
    };
    const column = price as (typeof author.table.columns)[number];
    const insert = insertRows(author, [column], [['12.50']], []);
    expect(insert.sql).toContain('cast(? as money)');
    await expectTsql(insert);
    // Rows come back in their order, which keys that the database makes do not tell.
    const several = insertRows(
      author,
      [column, price as typeof column],
      [
        ['1', null],
        ['2', null],
      ],
      [column],
    );
    expect(several.sql).toContain('order by trellis_place');
    expect(several.bindings).toEqual(['1', '2']);
    await expectTsql(several);
    expect(updateRow(author, [[column, '12.50']], [[column, '1']]).sql).toContain('cast(? as money)');
  });

  test('is T-SQL for what searches, orders and clocks are made of', async () => {
    const { context, expectTsql } = await start();
    const { functions, dates, json, statements } = observed.dialect;
    const from = reading(context('author'));
    const cell = text('t0.[name]');
    const kind = { kind: 'text' } as const;
    const values = [
      functions.boolean(true),
      functions.asText({ kind: 'decimal' }, cell),
      functions.before(cell, ', '),
      dates.epoch(1000),
      json.textAt(cell, ['a', "it's"]),
      functions.truth(functions.same(kind, cell, cell)),
      functions.truth(json.isEmpty(cell)),
    ];
    for (const value of values) await expectTsql(statements.select({ columns: value, from: tableSql(from) }));
    for (const where of [functions.same(kind, cell, bound('a')), json.isEmpty(cell)])
      await expectTsql(statements.select({ columns: cell, from: tableSql(from), where }));
  });

  test('holds everything that the dialect can make of expressions', () => {
    expect(observed.uncalled(['functions', 'dates', 'numbers', 'texts', 'json'])).toEqual([]);
  });
});
