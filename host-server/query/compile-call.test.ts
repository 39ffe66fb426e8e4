import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { FunctionDefinition } from '@trellis/sdk/server';
import type { Expression, Predicate } from '@trellis/sdk/shared';
import { describeEachDatabase } from '../databases/testing.ts';
import { dialectOf } from '../dialects/select-dialect.ts';
import { reading, tableSql, type CompileContext } from './compile-context.ts';
import { compileExpression } from './compile-expression.ts';
import { compilePredicate } from './compile-predicate.ts';
import { library, links } from './testing/library.ts';
import { createTables } from './testing/tables.ts';

const words = (value: string): Expression => ({ kind: 'literal', value, storage: 'text' });
const call = (name: string, ...values: readonly Expression[]): Expression => ({
  kind: 'call',
  function: name,
  arguments: values,
});

/** What a plugin may register: a function made of other nodes, and one with SQL of its own. */
const greet: FunctionDefinition = {
  id: 'GREET',
  parameters: [{ kinds: ['text'] }],
  result: () => ({ kind: 'text', nullable: false }),
  body: { kind: 'tree', build: ([name = words('')]) => ({ kind: 'concat', items: [words('Hello '), name] }) },
};
const either: FunctionDefinition = {
  id: 'EITHER',
  parameters: [{ kinds: ['text'] }, { kinds: ['text'], rest: true }],
  result: () => ({ kind: 'text', nullable: true }),
  body: { kind: 'sql', text: { default: 'coalesce({*})' } },
};
const elsewhere: FunctionDefinition = {
  ...either,
  id: 'ELSEWHERE',
  body: { kind: 'sql', text: { other: 'x({0})' } },
};
const endless: FunctionDefinition = {
  ...greet,
  id: 'ENDLESS',
  body: { kind: 'tree', build: (values) => call('ENDLESS', ...values) },
};

describeEachDatabase('a function of a plugin', (open) => {
  test('is computed by its nodes or its SQL, and refused where it does not fit', async () => {
    const database = await open();
    const { context, functions } = await createTables(database, library, links);
    for (const one of [greet, either, elsewhere, endless]) functions.register(one, 'test');
    const from = reading(context('tag'));
    const first = async (of: Expression) => {
      const { sql } = compileExpression(from, of);
      const statement = database.dialect.statements.select({ columns: sql, from: tableSql(from), limit: 1 });
      const { rows } = await database.read((unit) => unit.rows(statement));
      return rows[0]?.[0];
    };
    expect(await first(call('GREET', words('Ada?')))).toBe('Hello Ada?');
    const nothing: Expression = { kind: 'literal', value: null, storage: 'text' };
    expect(await first(call('EITHER', nothing, words('{0}'), words('b')))).toBe('{0}');
    const truth: Expression = { kind: 'literal', value: true, storage: 'boolean' };
    const refused: readonly (readonly [Expression, number, string])[] = [
      [call('NOBODY'), 409, 'FUNCTION_UNKNOWN'],
      [call('GREET'), 400, 'FUNCTION_ARGUMENTS'],
      [call('ENDLESS', words('a')), 409, 'FUNCTION_CIRCULAR'],
      [call('ELSEWHERE', words('a')), 409, 'FUNCTION_UNSUPPORTED'],
      [call('YEAR', truth), 400, 'FUNCTION_ARGUMENT_KIND'],
    ];
    for (const [of, status, code] of refused)
      expect(() => compileExpression(from, of)).toThrow(expect.objectContaining({ status, code }));
  });
});

describeEachDatabase('moments with fractions of seconds', (open) => {
  test('keep them when whole units are added, and count them in months', async () => {
    const database = await open();
    const { context } = await createTables(database, library, links);
    const from = reading(context('tag'));
    const moment = (value: string): Expression => ({ kind: 'literal', value, storage: 'datetime' });
    const whole = (value: number): Expression => ({ kind: 'literal', value, storage: 'integer' });
    const first = async (of: Expression) => {
      const { sql } = compileExpression(from, call('TEXT', of));
      const statement = database.dialect.statements.select({ columns: sql, from: tableSql(from), limit: 1 });
      const { rows } = await database.read((unit) => unit.rows(statement));
      return rows[0]?.[0];
    };
    const added = async (unit: string, of: string, amount: number) =>
      first(call(`ADD_${unit}S`, moment(of), whole(amount)));
    expect(await added('MONTH', '2024-01-31 10:00:00.250000', 1)).toBe('2024-02-29 10:00:00.25');
    expect(await added('SECOND', '2023-12-31 23:59:59.000001', 1)).toBe('2024-01-01 00:00:00.000001');
    expect(await added('DAY', '2024-02-28 10:00:00', 1)).toBe('2024-02-29 10:00:00');
    const months = async (left: string, right: string) =>
      first(call('MONTHS_BETWEEN', moment(left), moment(right)));
    expect(await months('2024-01-15 10:00:00.5', '2024-02-15 10:00:00.25')).toBe('0');
    expect(await months('2024-01-15 10:00:00.25', '2024-02-15 10:00:00.5')).toBe('1');
    expect(await months('2024-02-15 10:00:00.25', '2024-01-15 10:00:00.5')).toBe('0');
  });
});

test('conditions that are too long together are refused before all of them are compiled', async () => {
  let compiled = 0;
  const long: FunctionDefinition = {
    ...greet,
    id: 'LONG',
    body: {
      kind: 'tree',
      build: () => {
        compiled += 1;
        return { kind: 'concat', items: Array<Expression>(1800).fill(words('?')) };
      },
    },
  };
  const functions = new Registry<FunctionDefinition>({ id: 'functions', absentPolicy: 'refused' });
  functions.register(long, 'test');
  const context = { dialect: dialectOf('sqlite'), reach: { functions } } as unknown as CompileContext;
  const items = Array<Predicate>(500).fill({ kind: 'isNull', item: call('LONG', words('a')) });
  expect(() => compilePredicate(context, { kind: 'or', items })).toThrow(
    expect.objectContaining({ code: 'EXPRESSION_TOO_LARGE', status: 400 }),
  );
  expect(compiled).toBeLessThan(200);
});
