import { deepestComputed, type ColumnSchema } from '@trellis/sdk/server';
import { depthOfTree, type ArithmeticOperator, type Expression, type StorageKind } from '@trellis/sdk/shared';
import type { SqlType } from '../dialects/functions/default.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { compileCall } from './compile-call.ts';
import { columnSql, inside, remembering, typeOf, type CompileContext } from './compile-context.ts';
import { linkedCells } from './computed-columns.ts';
import { compilePredicate } from './compile-predicate.ts';
import { compileRelated } from './compile-related.ts';
import { assertSmall, deepestTree, summing, tooLarge } from './expression-limits.ts';
import { compileValues } from './list-values.ts';
import { magnitudeOf, magnitudeOfAny, operated } from './magnitudes.ts';
import { queryErrors } from './query-errors.ts';
import { commonKind, commonType, converted, isNumber, type TypedSql } from './result-types.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/**
 * The SQL of an expression and the type of its values.
 *
 * @throws TrellisError 400 for a tree that is too large, for arguments that do not fit their function; 409 for a column, link or
 * function that is not there, and for a column that depends on itself.
 */
export function compileExpression(context: CompileContext, of: Expression): TypedSql {
  const made = compiled(context, of);
  assertSmall(made.sql);
  return made;
}

/** Several expressions, counted as they are compiled. */
export function compileEach(context: CompileContext, items: readonly Expression[]): readonly TypedSql[] {
  const add = summing();
  return items.map((item) => {
    const made = compileExpression(context, item);
    add(made.sql);
    return made;
  });
}

function compiled(context: CompileContext, of: Expression): TypedSql {
  switch (of.kind) {
    case 'column':
      return compileColumn(context, columnOf(context, of.columnId));
    case 'literal':
      return literalSql(context, of, { kind: of.storage });
    case 'arithmetic':
      return arithmetic(context, of);
    case 'concat': {
      const items = compileEach(context, of.items).map((item) =>
        converted(context.dialect, item, { kind: 'text' }),
      );
      return { sql: context.dialect.texts.concat(items), type: { kind: 'text', nullable: false } };
    }
    case 'case':
      return choice(context, of);
    case 'test':
      return {
        sql: context.dialect.functions.truth(compilePredicate(context, of.predicate)),
        type: { kind: 'boolean', nullable: true },
      };
    case 'related':
      return compileRelated(context, of);
    case 'values':
      return compileValues(context, of);
    case 'call':
      return compileCall(context, of);
  }
}

/** A column of the context's table: the database column, or the expression of its type, which is compiled once for a statement. */
export function compileColumn(context: CompileContext, column: ColumnSchema): TypedSql {
  const { reach, open = [], level = 0 } = context;
  if (column.columnName !== '') {
    const nullable = !column.required && !column.primaryKey;
    const isReached = open.length > 0 || level > 0;
    if (isReached && reach.isHidden?.(column) === true)
      return literalSql(context, { kind: 'literal', value: null, storage: column.storage }, typeOf(column));
    return { sql: columnSql(context, column), type: { ...typeOf(column), nullable } };
  }
  if (context.known?.columnId === column.id) return context.known.value;
  const at = remembering(context);
  const { columns, reached } = at.compiled;
  const key = `${context.alias ?? ''} ${column.id}`;
  const before = columns.get(key);
  if (before !== undefined) {
    if (open.length + before.height > deepestComputed) throw tooLarge();
    reached.open = Math.max(reached.open, open.length + before.height);
    return before.value;
  }
  const outside = reached.open;
  reached.open = open.length + 1;
  const value = compileComputed(at, column);
  columns.set(key, { value, height: reached.open - open.length });
  reached.open = Math.max(outside, reached.open);
  return value;
}

function compileComputed(context: CompileContext, column: ColumnSchema): TypedSql {
  const { reach, treeDepth = 0 } = context;
  const compute = reach.columnTypes.get(column.type)?.server?.compute;
  if (compute === undefined)
    throw queryErrors.create('COLUMN_NOT_COMPUTED', { column: column.title, type: column.type });
  const within = inside(context, column);
  const tree = compute(column, reach.snapshot);
  if (tree === undefined) {
    if (linkedCells(reach, column) !== undefined)
      throw queryErrors.create('COLUMN_OF_SEVERAL', { column: column.title });
    throw queryErrors.create('COLUMN_MISSING', { table: context.table.title });
  }
  const depth = treeDepth + depthOfTree(tree);
  if (depth > deepestTree) throw tooLarge();
  return compileExpression({ ...within, treeDepth: depth }, tree);
}

function columnOf({ table, each }: CompileContext, columnId: string): ColumnSchema {
  if (each?.columnId === columnId) return each.of;
  const column = table.columnById.get(columnId);
  if (column === undefined) throw queryErrors.create('COLUMN_MISSING', { table: table.title });
  return column;
}

function literalSql({ dialect, open = [] }: CompileContext, of: Literal, type: SqlType): TypedSql {
  const { types, functions } = dialect;
  const codec = types.codec(type.kind, type.native ?? types.nativeFor(type.kind));
  const value = functions.value(type, codec.toDatabase(of.value));
  return {
    // A formula has the same numbers in every statement, so they are written out. Numbers of conditions differ, and would give a
    // new statement text each time.
    sql: open.length > 0 && type.kind !== 'float' && isNumber(type.kind) ? written(value) : value,
    type: { ...type, nullable: of.value === null },
    literal: of.value,
  };
}

/** Exact numbers, as codecs make them. */
const digits = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/**
 * Writes a bound number into the SQL, so that a list of formulas with many numbers does not exceed the bindings of a statement.
 * Other values stay bound.
 */
function written(value: SqlFragment): SqlFragment {
  const [bound, ...others] = value.bindings;
  if (others.length > 0) return value;
  if (typeof bound === 'number' && Number.isSafeInteger(bound))
    return text(value.sql.replace('?', bound < 0 ? `(${bound})` : `${bound}`));
  if (typeof bound === 'string' && digits.test(bound)) return text(value.sql.replace('?', `'${bound}'`));
  return value;
}

/** Expressions of one type, for a comparison, an operation or the branches of a case. */
export interface Aligned {
  readonly type: SqlType;
  readonly items: readonly TypedSql[];
}

/**
 * Compiles expressions into one type. A literal takes the type of the other side, so that it compares as a cell would, unless it
 * is a number that the other side cannot hold, such as 1.5 against whole numbers.
 *
 * @param kindOf maps the common kind of the expressions to the kind that they are converted to
 */
export function aligned(
  context: CompileContext,
  items: readonly Expression[],
  kindOf = (meeting: StorageKind): StorageKind => meeting,
): Aligned {
  const add = summing();
  const compiled = items.map((item) => {
    if (item.kind === 'literal') return undefined;
    const made = compileExpression(context, item);
    add(made.sql);
    return made;
  });
  const meeting = typeOfAll(items, compiled);
  const kind = kindOf(meeting.kind);
  const type = kind === meeting.kind ? meeting : { kind };
  return {
    type,
    items: items.map((item, index) => {
      const done = compiled[index];
      if (done === undefined) return literalSql(context, item as Literal, type);
      return {
        sql: converted(context.dialect, done, type),
        type: { ...type, nullable: done.type.nullable },
        magnitude: magnitudeOf(done),
      };
    }),
  };
}

function typeOfAll(items: readonly Expression[], compiled: readonly (TypedSql | undefined)[]): SqlType {
  const types = compiled.flatMap((one) => (one === undefined ? [] : [one.type]));
  const literals = items.flatMap((item) =>
    item.kind === 'literal' && item.value !== null ? [item.storage] : [],
  );
  if (types.length === 0) return { kind: commonKind(literals) };
  const type = commonType(types);
  const widening = isNumber(type.kind) ? literals.filter(isNumber) : [];
  const kind = commonKind([type.kind, ...widening]);
  return kind === type.kind ? { kind: type.kind, native: type.native } : { kind };
}

function arithmetic(
  context: CompileContext,
  { operator, left, right }: Extract<Expression, { kind: 'arithmetic' }>,
): TypedSql {
  // A decimal that was converted to a float has lost digits.
  const kindOf = (meeting: StorageKind) =>
    operator === 'modulo' && meeting === 'float' ? 'decimal' : meeting;
  return operation(context, operator, aligned(context, [left, right], kindOf));
}

const nothing: TypedSql = { sql: text('null'), type: { kind: 'integer', nullable: true } };

/** An operation on two numbers that have been converted to one type. */
export function operation(
  { dialect }: CompileContext,
  operator: ArithmeticOperator,
  sides: Aligned,
): TypedSql {
  if (!isNumber(sides.type.kind)) throw queryErrors.create('NUMBERS_EXPECTED');
  const nullable =
    sides.items.some((side) => side.type.nullable) || operator === 'divide' || operator === 'modulo';
  const kind = operationKind(operator, sides.type.kind);
  const [left = nothing, right = nothing] = sides.items;
  const values = [converted(dialect, left, { kind }), converted(dialect, right, { kind })] as const;
  const of = { operator, kind, sides: [magnitudeOf(left), magnitudeOf(right)] } as const;
  return { ...operated(dialect, of, values), type: { kind, nullable } };
}

/** The kind in which two numbers are computed, which is also the kind of the result. */
function operationKind(operator: ArithmeticOperator, meeting: StorageKind): 'bigint' | 'decimal' | 'float' {
  if (operator === 'divide') return 'float';
  if (meeting === 'integer' || meeting === 'bigint') return 'bigint';
  // PostgreSQL has no remainder of floats.
  return meeting === 'float' && operator !== 'modulo' ? 'float' : 'decimal';
}

function choice(
  context: CompileContext,
  { branches, otherwise }: Extract<Expression, { kind: 'case' }>,
): TypedSql {
  const values = [...branches.map((branch) => branch.value), ...(otherwise === undefined ? [] : [otherwise])];
  const { type, items } = aligned(context, values);
  const rest = otherwise === undefined ? undefined : items.at(-1);
  const nullable = rest === undefined || items.some((item) => item.type.nullable);
  if (branches.length === 0)
    return (
      rest ?? {
        sql: context.dialect.functions.value({ kind: 'text' }, null),
        type: { kind: 'text', nullable },
      }
    );
  const whens = branches.map(
    (branch, index) =>
      sql`when ${compilePredicate(context, branch.when)} then ${items[index]?.sql ?? text('null')}`,
  );
  const end = rest === undefined ? text('') : sql` else ${rest.sql}`;
  const made = { sql: sql`case ${joined(whens, ' ')}${end} end`, type: { ...type, nullable } };
  return isNumber(type.kind) ? { ...made, magnitude: magnitudeOfAny(items) } : made;
}
