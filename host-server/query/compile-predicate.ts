import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';
import type { Comparison, Expression, Predicate } from '@trellis/sdk/shared';
import type { Dialect } from '../dialects/dialect.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import type { SqlType } from '../dialects/functions/default.ts';

/** The table whose columns a tree names, and the database that it will run on. */
export interface CompileContext {
  readonly table: TableSchema;
  readonly dialect: Dialect;
}

export function quoted(dialect: Dialect, name: string): SqlFragment {
  return text(dialect.identifiers.quote(name).replaceAll('?', '\\?'));
}

export function columnSql({ dialect }: CompileContext, column: ColumnSchema): SqlFragment {
  return quoted(dialect, column.columnName);
}

export function typeOf(column: ColumnSchema): SqlType {
  return { kind: column.storage, native: column.nativeType };
}

const ordered: Readonly<Record<Exclude<Comparison, 'eq' | 'neq'>, '<' | '<=' | '>' | '>='>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Turns a typed tree into SQL through the dialect. Values are bound; names come from the table's metadata. */
export function compilePredicate(context: CompileContext, predicate: Predicate): SqlFragment {
  const { functions } = context.dialect;
  const compile = (item: Predicate) => compilePredicate(context, item);
  switch (predicate.kind) {
    case 'always':
      return text(predicate.value ? '1 = 1' : '1 = 0');
    case 'and':
    case 'or':
      return sql`(${joined(predicate.items.map(compile), predicate.kind === 'and' ? ' and ' : ' or ')})`;
    case 'not':
      return sql`not (${compile(predicate.item)})`;
    case 'compare': {
      const column = columnOf(context, predicate.left) ?? columnOf(context, predicate.right);
      const left = expression(context, predicate.left, column);
      const right = expression(context, predicate.right, column);
      const type = typeFor(predicate.left, column);
      if (predicate.comparison === 'eq') return sql`(${functions.equals(type, left, right)})`;
      if (predicate.comparison === 'neq') return sql`(not (${functions.equals(type, left, right)}))`;
      return sql`(${functions.compare(type, ordered[predicate.comparison], left, right)})`;
    }
    case 'in': {
      const column = columnOf(context, predicate.item);
      const choices = predicate.values.map((value) => expression(context, value, column));
      return sql`(${functions.oneOf(typeFor(predicate.item, column), expression(context, predicate.item, column), choices)})`;
    }
    case 'between': {
      const column = columnOf(context, predicate.item);
      const type = typeFor(predicate.item, column);
      const item = expression(context, predicate.item, column);
      const low = functions.compare(type, '>=', item, expression(context, predicate.low, column));
      const high = functions.compare(type, '<=', item, expression(context, predicate.high, column));
      return sql`(${low} and ${high})`;
    }
    case 'like': {
      const column = columnOf(context, predicate.item);
      const item = expression(context, predicate.item, column);
      const type = typeFor(predicate.item, column);
      const isText = type.kind === 'string' || type.kind === 'text';
      return sql`(${functions.like(isText ? item : functions.asText(type, item), escapeLike(predicate.pattern))})`;
    }
    case 'isNull':
      return sql`(${expression(context, predicate.item, columnOf(context, predicate.item))} is null)`;
    case 'call':
      throw new Error(`No dialect knows the condition '${predicate.function}'.`);
  }
}

/** `%` is the one wildcard of the product; `!` escapes in every dialect's `like`. */
function escapeLike(pattern: string): string {
  return pattern.replace(/[!_]/g, '!$&');
}

function columnOf({ table }: CompileContext, of: Expression): ColumnSchema | undefined {
  return of.kind === 'column' ? table.columnById.get(of.columnId) : undefined;
}

function typeFor(of: Expression, column: ColumnSchema | undefined): SqlType {
  if (column) return typeOf(column);
  return { kind: of.kind === 'literal' ? of.storage : 'text' };
}

function expression(
  context: CompileContext,
  of: Expression,
  comparedWith: ColumnSchema | undefined,
): SqlFragment {
  const { types, functions } = context.dialect;
  switch (of.kind) {
    case 'column': {
      const column = context.table.columnById.get(of.columnId);
      if (column === undefined)
        throw new Error(`The tree names column '${of.columnId}', which its table does not have.`);
      return columnSql(context, column);
    }
    case 'literal': {
      const type = comparedWith ? typeOf(comparedWith) : { kind: of.storage };
      const codec = types.codec(type.kind, comparedWith?.nativeType ?? types.nativeFor(type.kind));
      return functions.value(type, codec.toDatabase(of.value));
    }
    case 'call':
      throw new Error(`No dialect knows the function '${of.function}'.`);
  }
}
