import type { ColumnSchema } from '@trellis/sdk/server';
import type { ArithmeticOperator, Expression, StorageKind } from '@trellis/sdk/shared';
import type { SqlType } from '../dialects/functions/default.ts';
import { joined, sql, text } from '../sql/fragment.ts';
import { compileCall } from './compile-call.ts';
import { columnSql, inside, typeOf, type CompileContext } from './compile-context.ts';
import { linkedCells } from './computed-columns.ts';
import { compilePredicate } from './compile-predicate.ts';
import { compileRelated } from './compile-related.ts';
import { compileValues } from './list-values.ts';
import { queryErrors } from './query-errors.ts';
import { commonKind, commonType, converted, isNumber, type TypedSql } from './result-types.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/** Formulas over formulas double their SQL at each step; beyond this length nobody means it. */
const longest = 100_000;

/**
 * The SQL of an expression and the type of its values.
 *
 * @throws TrellisError 400 for a tree that is too large, for arguments that do not fit their function; 409 for a column, link or
 * function that is not there, and for a column that depends on itself.
 */
export function compileExpression(context: CompileContext, of: Expression): TypedSql {
  switch (of.kind) {
    case 'column':
      return compileColumn(context, columnOf(context, of.columnId));
    case 'literal':
      return literalSql(context, of, { kind: of.storage });
    case 'arithmetic':
      return arithmetic(context, of);
    case 'concat': {
      const items = of.items.map((item) =>
        converted(context.dialect, compileExpression(context, item), { kind: 'text' }),
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
      return bounded(compileRelated(context, of));
    case 'values':
      return bounded(compileValues(context, of));
    case 'call':
      return bounded(compileCall(context, of));
  }
}

/** A column of the context's table: as it stands in the database, or what its type computes. */
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
  return bounded(compileExpression(within, tree));
}

function columnOf({ table, each }: CompileContext, columnId: string): ColumnSchema {
  if (each?.columnId === columnId) return each.of;
  const column = table.columnById.get(columnId);
  if (column === undefined) throw queryErrors.create('COLUMN_MISSING', { table: table.title });
  return column;
}

function bounded(made: TypedSql): TypedSql {
  if (made.sql.sql.length > longest) throw queryErrors.create('EXPRESSION_TOO_LARGE');
  return made;
}

function literalSql({ dialect }: CompileContext, of: Literal, type: SqlType): TypedSql {
  const { types, functions } = dialect;
  const codec = types.codec(type.kind, type.native ?? types.nativeFor(type.kind));
  return {
    sql: functions.value(type, codec.toDatabase(of.value)),
    type: { ...type, nullable: of.value === null },
    literal: of.value,
  };
}

/** Expressions that meet: in a comparison, an operation or as the branches of a case. */
export interface Aligned {
  readonly type: SqlType;
  readonly items: readonly TypedSql[];
}

/**
 * Compiles expressions into one type. A literal takes the type of what it meets, so that it compares as a cell would, unless it
 * is a number that the other side cannot hold: 1.5 met by whole numbers.
 *
 * @param kindOf the kind in which they are brought to one type, of the one in which they meet
 */
export function aligned(
  context: CompileContext,
  items: readonly Expression[],
  kindOf = (meeting: StorageKind): StorageKind => meeting,
): Aligned {
  const compiled = items.map((item) =>
    item.kind === 'literal' ? undefined : compileExpression(context, item),
  );
  const meeting = typeOfAll(items, compiled);
  const kind = kindOf(meeting.kind);
  const type = kind === meeting.kind ? meeting : { kind };
  return {
    type,
    items: items.map((item, index) => {
      const done = compiled[index];
      if (done === undefined) return literalSql(context, item as Literal, type);
      return { sql: converted(context.dialect, done, type), type: { ...type, nullable: done.type.nullable } };
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
  // A decimal that has been a float has lost digits.
  const kindOf = (meeting: StorageKind) =>
    operator === 'modulo' && meeting === 'float' ? 'decimal' : meeting;
  return operation(context, operator, aligned(context, [left, right], kindOf));
}

/** An operation on two numbers that have been brought to one type. */
export function operation(
  { dialect }: CompileContext,
  operator: ArithmeticOperator,
  sides: Aligned,
): TypedSql {
  if (!isNumber(sides.type.kind)) throw queryErrors.create('NUMBERS_EXPECTED');
  const nullable =
    sides.items.some((side) => side.type.nullable) || operator === 'divide' || operator === 'modulo';
  const kind = operationKind(operator, sides.type.kind);
  const [a = text('null'), b = text('null')] = sides.items.map((side) => converted(dialect, side, { kind }));
  return { sql: dialect.functions.arithmetic(kind, operator, a, b), type: { kind, nullable } };
}

/** The kind in which two numbers are computed with, and of the result. */
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
  return { sql: sql`case ${joined(whens, ' ')}${end} end`, type: { ...type, nullable } };
}
