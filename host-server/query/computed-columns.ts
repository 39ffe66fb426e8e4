import type { RegistryView } from '@trellis/core';
import {
  deepestComputed,
  type ColumnSchema,
  type LinkedCells,
  type LinkSchema,
  type ProjectSnapshot,
  type ServerColumnType,
} from '@trellis/sdk/server';
import { idsInTree, TrellisError, type CellValue, type Expression } from '@trellis/sdk/shared';
import type { CompileContext, Reach } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import type { ResultType } from './result-types.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { allDialects } from '../dialects/select-dialect.ts';
import type { ValueCodec } from '../dialects/types/default.ts';
import { shortestDecimal, type JsonCellKind } from '../sql/json-rows.ts';

/** Where a column made of linked rows takes its cells from; undefined for other columns, and when the source no longer exists. */
export function linkedCells(
  { columnTypes, snapshot }: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): LinkedCells | undefined {
  return column.columnName === ''
    ? columnTypes.get(column.type)?.server?.linked?.(column, snapshot)
    : undefined;
}

/** The link over which the cells of a column get values of linked rows, and the column there that holds them. */
export interface LinkedValues {
  readonly link: LinkSchema;
  readonly of: ColumnSchema;
}

/** The link and column from which a column takes the values of linked rows. A cell that shows whole rows takes their display column. */
export function linkedValues(
  reach: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): LinkedValues | undefined {
  const { tables } = reach.snapshot;
  const cells = linkedCells(reach, column);
  const link = cells && tables.get(column.tableId)?.links.find(({ id }) => id === cells.linkId);
  const to = link && tables.get(link.toTableId);
  const of = cells?.columnId === undefined ? to?.displayColumn : to?.columnById.get(cells.columnId);
  return link && of && { link, of };
}

/** The column that holds the values of a column: the column itself, or for a list of linked values the column at the end of its links. */
export function columnOfValues(
  reach: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): ColumnSchema | undefined {
  let at = column;
  for (let steps = 0; steps < deepestComputed; steps += 1) {
    if (hasOneValue(reach, at)) return at;
    const values = linkedValues(reach, at);
    if (values === undefined) return undefined;
    at = values.of;
  }
  return undefined;
}

/** Whether a column has one value in each row, so that rows can be sorted and grouped by it: it is stored, or its type computes it. */
export function hasOneValue(
  { columnTypes, snapshot }: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): boolean {
  return column.columnName !== '' || treeOf(columnTypes, column, snapshot) !== undefined;
}

/** Whether the cells of a column hold several values of linked rows. */
export function holdsList(reach: Pick<Reach, 'columnTypes' | 'snapshot'>, column: ColumnSchema): boolean {
  return !hasOneValue(reach, column) && linkedCells(reach, column) !== undefined;
}

/** Whether a column has cells that can be read: it is stored, or its type computes it or takes it from linked rows. */
export function isReadable(reach: Pick<Reach, 'columnTypes' | 'snapshot'>, column: ColumnSchema): boolean {
  return hasOneValue(reach, column) || linkedCells(reach, column) !== undefined;
}

/** The tree that computes a column; undefined for a stored column and for a column of several values. */
export function treeOf(
  columnTypes: RegistryView<ServerColumnType>,
  column: ColumnSchema,
  snapshot: ProjectSnapshot,
): Expression | undefined {
  return columnTypes.get(column.type)?.server?.compute?.(column, snapshot);
}

/**
 * The column whose cells a column shows. For a column computed as one cell of one linked row this is the column at the end of its
 * links; for any other, the column itself.
 */
export function sourceOf(
  { columnTypes, snapshot }: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
): ColumnSchema {
  let shown = column;
  for (let steps = 0; steps < deepestComputed && shown.columnName === ''; steps += 1) {
    const tree = treeOf(columnTypes, shown, snapshot);
    if (tree?.kind !== 'related' || tree.aggregate !== 'first' || tree.of?.kind !== 'column') return shown;
    const { linkId, of } = tree;
    const link = snapshot.tables.get(shown.tableId)?.links.find(({ id }) => id === linkId);
    const next = link && snapshot.tables.get(link.toTableId)?.columnById.get(of.columnId);
    if (next === undefined) return shown;
    shown = next;
  }
  return shown;
}

/** The type of a computed column's cells; undefined when it cannot be computed, for example because it depends on itself. */
export function computedType(context: CompileContext, column: ColumnSchema): ResultType | undefined {
  try {
    return compileColumn(context, column).type;
  } catch (error) {
    if (error instanceof TrellisError) return undefined;
    throw error;
  }
}

/**
 * Compiles an expression before it is saved, for its own database and for every other one. A tree that is too large for one
 * database is refused on all.
 *
 * @throws TrellisError as `compile` does for the own database; 400 EXPRESSION_TOO_LARGE for the others
 */
export function compiledForAll<Made>(context: CompileContext, compile: (on: CompileContext) => Made): Made {
  const made = compile(context);
  for (const dialect of allDialects) {
    try {
      compile({ ...context, dialect });
    } catch (error) {
      // A function or type that only another database lacks does not matter here.
      if (isTooLarge(error)) throw error;
    }
  }
  return made;
}

export const isTooLarge = (error: unknown): boolean =>
  error instanceof TrellisError && error.code === 'EXPRESSION_TOO_LARGE';

/** Reads the cells of a computed column. Trailing zeros of decimals are cut, since databases give different numbers of them. */
export function computedDecoder({ dialect }: CompileContext, type: ResultType): (raw: unknown) => CellValue {
  const codec = codecOf(dialect, type);
  return (raw) => {
    const value = codec.fromDatabase(raw ?? null) as CellValue;
    if (type.kind === 'boolean' && value !== null) return value === true || value === 1;
    // Some databases compute whole numbers as decimals, which drivers return as texts.
    if ((type.kind === 'integer' || type.kind === 'bigint') && typeof value === 'string')
      return wholeNumber(value);
    return type.kind === 'decimal' && typeof value === 'string' ? shortestDecimal(value) : value;
  };
}

/** A whole number as a number when it is a safe integer, else as text. */
function wholeNumber(text: string): CellValue {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** How the database writes such a cell as JSON, to match `computedDecoder`; undefined where only code can read the cell. */
export function computedJson({ dialect }: CompileContext, type: ResultType): JsonCellKind | undefined {
  const { json } = codecOf(dialect, type);
  if (json === undefined) return undefined;
  return type.kind === 'boolean' ? 'boolean' : type.kind === 'decimal' ? 'decimal' : json;
}

function codecOf({ types }: Dialect, { kind, native }: ResultType): ValueCodec {
  return types.codec(kind, native ?? types.nativeFor(kind));
}

/**
 * The chain of columns by which a computed column depends on itself, or undefined when it does not.
 *
 * @returns the ids of the columns in the chain, with the given one first and last
 */
export function circleOf(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  column: ColumnSchema,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const follow = (of: ColumnSchema, path: readonly string[]): readonly string[] | undefined => {
    for (const id of usedBy({ columnTypes, snapshot }, of)) {
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

/** The columns of any table that are computed from a column or over a link. */
export function computedFrom(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  id: string,
): readonly ColumnSchema[] {
  return computedColumns(snapshot).filter((column) => usedBy({ columnTypes, snapshot }, column).includes(id));
}

/** The given ids, and the ids of all columns that are computed from them, directly or not. */
export function reachedFrom(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  ids: ReadonlySet<string>,
): ReadonlySet<string> {
  const uses = computedColumns(snapshot).map((column) => ({
    id: column.id,
    of: usedBy({ columnTypes, snapshot }, column),
  }));
  const reached = new Set(ids);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const { id, of } of uses) if (of.some((one) => reached.has(one))) reached.add(id);
  }
  return reached;
}

/** Whether `isSuch` holds for a column or for a column that it is computed from, directly or not. */
export function isMadeOf(
  reach: Pick<Reach, 'columnTypes' | 'snapshot'>,
  column: ColumnSchema,
  isSuch: (column: ColumnSchema) => boolean,
): boolean {
  const seen = new Set([column.id]);
  const leads = (of: ColumnSchema): boolean =>
    isSuch(of) ||
    usedBy(reach, of).some((id) => {
      const next = reach.snapshot.column(id);
      if (next === undefined || seen.has(id)) return false;
      seen.add(id);
      return leads(next);
    });
  return leads(column);
}

function computedColumns({ tables }: ProjectSnapshot): readonly ColumnSchema[] {
  return [...tables.values()].flatMap((table) => table.columns.filter(({ columnName }) => columnName === ''));
}

/** The ids of the columns and links that a column's cells are made from. */
function usedBy(reach: Pick<Reach, 'columnTypes' | 'snapshot'>, column: ColumnSchema): readonly string[] {
  const linked = linkedCells(reach, column);
  const tree = column.columnName === '' ? treeOf(reach.columnTypes, column, reach.snapshot) : undefined;
  // A cell shows linked rows by their display column.
  const shown = linked?.columnId ?? linkedValues(reach, column)?.of.id ?? '';
  const inCells = linked === undefined ? [] : [linked.linkId, shown];
  return [...inCells.filter((id) => id !== ''), ...idsInTree(tree)];
}
