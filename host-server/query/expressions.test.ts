import { expect, test } from '@jest/globals';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Database } from '../databases/database.ts';
import { describeEachDatabase } from '../databases/testing.ts';
import { sql } from '../sql/fragment.ts';
import { reading, tableSql, type CompileContext } from './compile-context.ts';
import { compileExpression } from './compile-expression.ts';
import { compilePredicate } from './compile-predicate.ts';
import { JoinedRows } from './joined-rows.ts';
import { generatedLibrary } from './testing/generated-library.ts';
import { library, links, type Tables } from './testing/library.ts';
import type { Value } from './testing/reference-values.ts';
import { createReference } from './testing/reference.ts';
import { columnId, createTables } from './testing/tables.ts';

/** What the three databases answer is held against what `reference.ts` works out by itself. */

/** Rows that were written down, and rows that are generated: others with another `TRELLIS_TEST_SEED`. */
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_122);
const rows: readonly (readonly [string, Tables, number])[] = [
  ['rows that were written down', library, 40],
  ...fc
    .sample(generatedLibrary, { seed, numRuns: 3 })
    .map((tables, index) => [`generated rows ${index + 1}`, tables, 20] as const),
];

const column = (table: string, name: string): Expression => ({
  kind: 'column',
  columnId: columnId(table, name),
});
const whole = (value: number): Expression => ({ kind: 'literal', value, storage: 'integer' });
const words = (value: string): Expression => ({ kind: 'literal', value, storage: 'text' });

/** Trees over one table, by the kind of their values; `links` says where they may lead. */
interface Trees {
  readonly number: fc.Arbitrary<Expression>;
  readonly text: fc.Arbitrary<Expression>;
  readonly date: fc.Arbitrary<Expression>;
  readonly predicate: fc.Arbitrary<Predicate>;
}

function trees(table: string, depth: number): Trees {
  const columns = Object.entries(library[table]?.columns ?? {});
  const ofKind = (...kinds: readonly string[]) =>
    columns.filter(([, kind]) => kinds.includes(kind)).map(([name]) => column(table, name));
  const pick = (items: readonly Expression[], other: Expression) =>
    fc.constantFrom(...(items.length === 0 ? [other] : items));
  const numberLeaf = fc.oneof(
    pick(ofKind('integer', 'decimal', 'float'), whole(1)),
    fc.integer({ min: -20, max: 20 }).map(whole),
    fc
      .constantFrom('0.5', '-1.25', '0.000001', '1000000.5')
      .map((value): Expression => ({ kind: 'literal', value, storage: 'decimal' })),
    fc
      .constantFrom(0.5, -0.25, 1024)
      .map((value): Expression => ({ kind: 'literal', value, storage: 'float' })),
  );
  const textLeaf = fc.oneof(
    pick(ofKind('string', 'text'), words('a')),
    fc.constantFrom('', 'a', 'B', 'Äpfel', 'ende ', '東京', 'б', '100%').map(words),
  );
  const dateLeaf = fc.oneof(
    pick(ofKind('date'), { kind: 'literal', value: '2024-02-29', storage: 'date' }),
    fc
      .constantFrom('2000-01-01', '2024-02-29', '1999-12-31')
      .map((value): Expression => ({ kind: 'literal', value, storage: 'date' })),
  );
  const booleanLeaf = pick(ofKind('boolean'), { kind: 'literal', value: true, storage: 'boolean' });
  if (depth === 0) {
    const predicate = fc.oneof(
      fc.boolean().map((value): Predicate => ({ kind: 'always', value })),
      numberLeaf.map((item): Predicate => ({ kind: 'isNull', item })),
    );
    return { number: numberLeaf, text: textLeaf, date: dateLeaf, predicate };
  }
  const inner = trees(table, depth - 1);
  const leads = links.filter((link) => link.tableId === table);
  const beyond = leads.map((link) => ({ link, trees: trees(link.toTableId, depth - 1) }));
  const choice = (values: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
    fc
      .record({
        branches: fc.array(fc.record({ when: inner.predicate, value: values }), {
          minLength: 1,
          maxLength: 2,
        }),
        otherwise: fc.option(values, { nil: undefined }),
      })
      .map(({ branches, otherwise }) => ({ kind: 'case', branches, ...(otherwise && { otherwise }) }));
  const call = (name: string, ...values: readonly fc.Arbitrary<Expression>[]): fc.Arbitrary<Expression> =>
    fc.tuple(...values).map((args) => ({ kind: 'call', function: name, arguments: args }));
  const related = (
    kind: 'number' | 'text' | 'date',
    aggregates: readonly Extract<Expression, { kind: 'related' }>['aggregate'][],
  ): readonly fc.Arbitrary<Expression>[] =>
    beyond.map(({ link, trees: there }) =>
      fc
        .record({
          aggregate: fc.constantFrom(...aggregates),
          of: there[kind],
          where: fc.option(there.predicate, { nil: undefined }),
        })
        .map(({ where, ...rest }) => ({
          kind: 'related',
          linkId: link.id,
          ...rest,
          ...(where && { where }),
        })),
    );
  const number = fc.oneof(
    numberLeaf,
    fc
      .record({
        operator: fc.constantFrom(...(['add', 'subtract', 'multiply', 'modulo'] as const)),
        left: inner.number,
        right: numberLeaf,
      })
      .map((node): Expression => ({ kind: 'arithmetic', ...node })),
    choice(inner.number),
    call('LENGTH', inner.text),
    fc.oneof(...(['YEAR', 'MONTH', 'DAY', 'WEEKDAY'] as const).map((name) => call(name, inner.date))),
    call('DAYS_BETWEEN', inner.date, inner.date),
    ...related('number', ['count', 'sum', 'min', 'max', 'first', 'countDistinct', 'sumDistinct']),
  );
  const text = fc.oneof(
    textLeaf,
    fc
      .array(fc.oneof(inner.text, inner.text, ofWhole(table), dateLeaf, booleanLeaf), { maxLength: 3 })
      .map((items): Expression => ({ kind: 'concat', items })),
    choice(inner.text),
    call('UPPER', inner.text),
    call('LOWER', inner.text),
    ...related('text', ['min', 'max', 'first']),
  );
  const date = fc.oneof(
    dateLeaf,
    choice(inner.date),
    fc.oneof(
      ...(['ADD_DAYS', 'ADD_WEEKS', 'ADD_MONTHS', 'ADD_QUARTERS', 'ADD_YEARS'] as const).map((name) =>
        call(name, inner.date, fc.integer({ min: -30, max: 30 }).map(whole)),
      ),
    ),
    ...related('date', ['min', 'max', 'first']),
  );
  const pair = fc.oneof(
    fc.tuple(inner.number, inner.number, inner.number),
    fc.tuple(inner.text, inner.text, inner.text),
    fc.tuple(inner.date, inner.date, inner.date),
  );
  const predicate = fc.oneof(
    fc
      .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), pair)
      .map(
        ([comparison, [left, right]]): Predicate =>
          ({ kind: 'compare', comparison, left, right }) as Predicate,
      ),
    pair.map(([item, low, high]): Predicate => ({ kind: 'between', item, low, high })),
    pair.map(([item, ...values]): Predicate => ({ kind: 'in', item, values })),
    fc.oneof(inner.number, inner.text, inner.date).map((item): Predicate => ({ kind: 'isNull', item })),
    fc
      .tuple(inner.text, fc.constantFrom('%', 'a%', '%E%', 'ä%', '_', '東%', '%!', '100%'))
      .map(([item, pattern]): Predicate => ({ kind: 'like', item, pattern })),
    fc
      .tuple(inner.text, fc.constantFrom('a', 'E', 'ä', '_', '東', '%', '!', '100%', ''))
      .map(([item, words]): Predicate => ({ kind: 'contains', item, text: words })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(inner.predicate, { maxLength: 3 }))
      .map(([kind, items]): Predicate => ({ kind, items })),
    inner.predicate.map((item): Predicate => ({ kind: 'not', item })),
    inner.text.map((value): Predicate => ({ kind: 'call', function: 'IS_EMPTY', arguments: [value] })),
    ...beyond.map(({ link, trees: there }) =>
      fc
        .option(there.predicate, { nil: undefined })
        .map((where): Predicate => ({ kind: 'some', linkId: link.id, ...(where && { where }) })),
    ),
  );
  return { number, text, date, predicate };
}

function ofWhole(table: string): fc.Arbitrary<Expression> {
  return fc.constant(library[table]?.columns['whole'] === undefined ? whole(7) : column(table, 'whole'));
}

async function values(
  database: Database,
  context: CompileContext,
  of: Expression,
  joins?: JoinedRows,
): Promise<unknown[]> {
  const from = { ...reading(context), joins };
  const { sql: value, type } = compileExpression(from, of);
  const id = compileExpression(from, column(context.table.id, 'id')).sql;
  const statement = database.dialect.statements.select({
    columns: value,
    from: joins?.from(tableSql(from)) ?? tableSql(from),
    orderBy: [id],
  });
  const { rows } = await database.read((unit) => unit.rows(statement));
  const codec = database.dialect.types.codec(
    type.kind,
    type.native ?? database.dialect.types.nativeFor(type.kind),
  );
  return rows.map(([raw]) => plain(type.kind, codec.fromDatabase(raw)));
}

/** One form for what the databases write differently: digits, truth and days. */
function plain(kind: string, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'boolean') return value === true || Number(value) === 1;
  if (['integer', 'bigint', 'decimal'].includes(kind)) return new Decimal(value as string).toFixed();
  if (kind === 'float') return Number(Number(value).toPrecision(12));
  return value;
}

function expected(value: Value): unknown {
  return value === undefined
    ? null
    : plain(value.kind, value.value instanceof Decimal ? value.value.toFixed() : value.value);
}

describeEachDatabase('a tree means what the reference says', (open) => {
  test.each(rows)('as a value of each of %s', async (_name, tables, numRuns) => {
    const database = await open();
    const { context } = await createTables(database, tables, links);
    const { evaluate } = createReference(tables);
    const { number, text, date, predicate } = trees('author', 3);
    // Only outermost: what a quotient is rounded to would decide comparisons.
    const quotient = fc
      .tuple(number, number)
      .map(([left, right]): Expression => ({ kind: 'arithmetic', operator: 'divide', left, right }));
    const tested = predicate.map((item): Expression => ({ kind: 'test', predicate: item }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(number, quotient, text, date, tested), async (tree) => {
        const answers = await values(database, context('author'), tree);
        const authors = tables['author']?.rows ?? [];
        expect(answers).toEqual(
          authors.map((_, index) => expected(evaluate(tree, { table: 'author', index }))),
        );
      }),
      { numRuns },
    );
  });

  test.each(rows)(
    'as a value of each of %s, with the one row of a link joined',
    async (_name, tables, numRuns) => {
      const database = await open();
      const { context } = await createTables(database, tables, links);
      const { evaluate } = createReference(tables);
      const { number, text, date } = trees('book', 2);
      const leading = (of: fc.Arbitrary<Expression>, where: fc.Arbitrary<Predicate>) =>
        fc
          .record({ of, where: fc.option(where, { nil: undefined }) })
          .map(({ of: value, where: also }): Expression => ({
            kind: 'related',
            linkId: 'author',
            aggregate: 'first',
            of: value,
            ...(also && { where: also }),
          }));
      const author = trees('author', 2);
      const there = [author.number, author.text, author.date].map((of) => leading(of, author.predicate));
      const tree = fc.oneof(number, text, date, ...there);
      await fc.assert(
        fc.asyncProperty(tree, async (of) => {
          const joins = new JoinedRows();
          const books = (tables['book']?.rows ?? []).map((_, index) => ({ table: 'book', index }));
          expect(await values(database, context('book'), of, joins)).toEqual(
            books.map((place) => expected(evaluate(of, place))),
          );
        }),
        { numRuns },
      );
    },
  );

  test.each(rows)(
    'as a condition on %s, and as what it does not hold for',
    async (_name, tables, numRuns) => {
      const database = await open();
      const { context } = await createTables(database, tables, links);
      const { evaluatePredicate } = createReference(tables);
      const from = reading(context('author'));
      const ids = async (predicate: Predicate) => {
        const statement = sql`select t0.id from ${tableSql(from)} where ${compilePredicate(from, predicate)} order by t0.id`;
        const { rows } = await database.read((unit) => unit.rows(statement));
        return rows.map(([id]) => Number(id));
      };
      await fc.assert(
        fc.asyncProperty(trees('author', 3).predicate, async (predicate) => {
          const truths = (tables['author']?.rows ?? []).map((row, index) => ({
            id: Number(row[0]),
            truth: evaluatePredicate(predicate, { table: 'author', index }),
          }));
          expect(await ids(predicate)).toEqual(
            truths.filter(({ truth }) => truth === true).map(({ id }) => id),
          );
          expect(await ids({ kind: 'not', item: predicate })).toEqual(
            truths.filter(({ truth }) => truth === false).map(({ id }) => id),
          );
        }),
        { numRuns },
      );
    },
  );
});
