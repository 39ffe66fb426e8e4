import type { ColumnEntity, StorageKind } from '@trellis/sdk/shared';
import { numberFunctions, type RollupFunction, type WayOptions } from '../shared/index.ts';

const numberStorages: readonly string[] = ['integer', 'bigint', 'decimal', 'float'];

/** A column of the linked table and the kind of its values. */
export interface WayColumn {
  readonly column: ColumnEntity;
  readonly kind: StorageKind | undefined;
}

/** The columns that the function can summarise, or that a lookup can show. Sums take numbers that are not keys. */
export function columnsFor(
  fn: RollupFunction | undefined,
  columns: readonly WayColumn[],
): readonly ColumnEntity[] {
  const isMeant = ({ column, kind }: WayColumn): boolean => {
    if ((column.system && !column.pk) || (fn !== undefined && column.uidt === 'ForeignKey')) return false;
    if (fn === undefined || !numberFunctions.includes(fn)) return true;
    return !column.pk && kind !== undefined && numberStorages.includes(kind);
  };
  return columns.filter(isMeant).map(({ column }) => column);
}

/**
 * The most likely choice if none was made yet. For a summary: the sum of the first number column, or the number of rows if there is
 * none. For a lookup: the column that names the rows.
 */
export function proposedColumn(
  { function: fn }: WayOptions,
  needsFigure: boolean,
  columns: readonly WayColumn[],
): Pick<WayOptions, 'columnId' | 'function'> | undefined {
  if (!needsFigure) return choose(undefined, namingFirst(columnsFor(undefined, columns)));
  const [number] = columnsFor('sum', columns);
  const takesNumbers = fn !== 'count' && fn !== 'countDistinct';
  if (takesNumbers && number !== undefined) return choose(fn ?? 'sum', [number]);
  const by = fn ?? 'count';
  const reachable = columnsFor(by, columns);
  // A key is never empty, so counting it counts all rows.
  const keysFirst = [...reachable].sort((a, b) => Number(b.pk) - Number(a.pk));
  return choose(by, by === 'count' ? keysFirst : namingFirst(reachable));
}

const namingFirst = (columns: readonly ColumnEntity[]) =>
  [...columns].sort((a, b) => Number(b.pv === true) - Number(a.pv === true));

function choose(fn: RollupFunction | undefined, [first]: readonly ColumnEntity[]) {
  return first && { columnId: first.id, ...(fn && { function: fn }) };
}
