import type { RegistryView } from '@trellis/core';
import type { ColumnSchema, ProjectSnapshot, ServerColumnType } from '@trellis/sdk/server';
import { TrellisError, type CellValue, type Expression, type Predicate } from '@trellis/sdk/shared';
import type { CompileContext, Reach } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import type { ResultType } from './result-types.ts';

/** Whether a column has cells that can be read: it is in the database, or its type computes it. */
export function isReadable(
  { columnTypes, snapshot }: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): boolean {
  return column.columnName !== '' || treeOf(columnTypes, column, snapshot) !== undefined;
}

function treeOf(
  columnTypes: RegistryView<ServerColumnType>,
  column: ColumnSchema,
  snapshot: ProjectSnapshot,
): Expression | undefined {
  return columnTypes.get(column.type)?.server?.compute?.(column, snapshot);
}

/** The type of a computed column's cells; undefined while it cannot be computed, as when it depends on itself. */
export function computedType(context: CompileContext, column: ColumnSchema): ResultType | undefined {
  try {
    return compileColumn(context, column).type;
  } catch (error) {
    if (error instanceof TrellisError) return undefined;
    throw error;
  }
}

/** Reads the cells of a computed column. Decimals are without trailing zeros, of which databases give different numbers. */
export function computedDecoder({ dialect }: CompileContext, type: ResultType): (raw: unknown) => CellValue {
  const codec = dialect.types.codec(type.kind, type.native ?? dialect.types.nativeFor(type.kind));
  return (raw) => {
    const value = codec.fromDatabase(raw ?? null) as CellValue;
    if (type.kind === 'boolean' && value !== null) return value === true || value === 1;
    if (type.kind !== 'decimal' || typeof value !== 'string' || !value.includes('.')) return value;
    return value.replace(/0+$/, '').replace(/\.$/, '');
  };
}

/**
 * The way on which a computed column leads back to itself, or undefined when it does not.
 *
 * @returns the ids of the columns on the way, the given one first and last
 */
export function circleOf(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  column: ColumnSchema,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const uses = (of: ColumnSchema) => columnsOf(treeOf(columnTypes, of, snapshot));
  const follow = (of: ColumnSchema, path: readonly string[]): readonly string[] | undefined => {
    for (const id of uses(of)) {
      if (id === column.id) return [...path, id];
      const next = snapshot.column(id);
      if (next === undefined || seen.has(id)) continue;
      seen.add(id);
      const circle = follow(next, [...path, id]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  return follow(column, [column.id]);
}

/** The computed columns of any table that name a column in what they are computed from. */
export function computedFrom(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  columnId: string,
): readonly ColumnSchema[] {
  const computed = [...snapshot.tables.values()].flatMap((table) =>
    table.columns.filter((column) => column.columnName === ''),
  );
  return computed.filter((column) => columnsOf(treeOf(columnTypes, column, snapshot)).includes(columnId));
}

/** The ids of the columns that a tree names, in any table. */
function columnsOf(of: Expression | Predicate | undefined): readonly string[] {
  switch (of?.kind) {
    case undefined:
    case 'always':
    case 'literal':
      return [];
    case 'column':
      return [of.columnId];
    case 'and':
    case 'or':
    case 'concat':
      return (of.items as readonly (Expression | Predicate)[]).flatMap(columnsOf);
    case 'not':
    case 'like':
    case 'contains':
    case 'isNull':
      return columnsOf(of.item);
    case 'compare':
    case 'arithmetic':
      return [of.left, of.right].flatMap(columnsOf);
    case 'in':
      return [of.item, ...of.values].flatMap(columnsOf);
    case 'between':
      return [of.item, of.low, of.high].flatMap(columnsOf);
    case 'call':
      return of.arguments.flatMap(columnsOf);
    case 'test':
      return columnsOf(of.predicate);
    case 'case':
      return [
        ...of.branches.flatMap(({ when, value }) => [...columnsOf(when), ...columnsOf(value)]),
        ...columnsOf(of.otherwise),
      ];
    case 'some':
      return columnsOf(of.where);
    case 'related':
      return [...columnsOf(of.of), ...columnsOf(of.where)];
  }
}
