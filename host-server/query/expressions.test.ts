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
import { library, links, lists, type Tables } from './testing/library.ts';
import type { Value } from './testing/reference-values.ts';
import { createReference } from './testing/reference.ts';
import { createTables } from './testing/tables.ts';
import { column, trees } from './testing/trees.ts';

/** What the three databases answer is held against what `reference.ts` works out by itself. */

/** Rows that were written down, and rows that are generated: others with another `TRELLIS_TEST_SEED`. */
const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_122);
const rows: readonly (readonly [string, Tables, number])[] = [
  ['rows that were written down', library, 40],
  ...fc
    .sample(generatedLibrary, { seed, numRuns: 3 })
    .map((tables, index) => [`generated rows ${index + 1}`, tables, 20] as const),
];

/** Of decimals whose digits a float does not hold. */
const exactRemainder: Expression = {
  kind: 'arithmetic',
  operator: 'modulo',
  left: column('author', 'price'),
  right: { kind: 'literal', value: 0.5, storage: 'float' },
};

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
    const { context } = await createTables(database, tables, links, lists);
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
      const { context } = await createTables(database, tables, links, lists);
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
          const joins = new JoinedRows({ areOfAllRows: true });
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
    'as a value of each of %s, with figures over linked rows joined',
    async (_name, tables, numRuns) => {
      const database = await open();
      const { context } = await createTables(database, tables, links, lists);
      const { evaluate } = createReference(tables);
      const { number, text, date } = trees('author', 2);
      await fc.assert(
        fc.asyncProperty(fc.oneof(number, text, date), async (tree) => {
          const joins = new JoinedRows({ areOfAllRows: true, isSearch: true });
          const authors = (tables['author']?.rows ?? []).map((_, index) => ({ table: 'author', index }));
          expect(await values(database, context('author'), tree, joins)).toEqual(
            authors.map((place) => expected(evaluate(tree, place))),
          );
        }),
        { numRuns: numRuns * 2, examples: [[exactRemainder]] },
      );
    },
  );

  test.each(rows)(
    'as a condition on %s, and as what it does not hold for',
    async (_name, tables, numRuns) => {
      const database = await open();
      const { context } = await createTables(database, tables, links, lists);
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
