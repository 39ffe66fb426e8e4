import type { AskedAs } from '../shared/index.ts';
import type { AskedReach } from './column-types.ts';
import type { ColumnSchema } from './schema.ts';

/** The deepest nesting of computed columns. @public */
export const deepestComputed = 16;

/**
 * How filters and the like treat the values of a column: a stored column by its own type, a computed one as its type says.
 * Undefined if unknown.
 * @public
 */
export function askedAs(column: ColumnSchema, reach: AskedReach): AskedAs | undefined {
  return askedBehind(column, reach, 0);
}

function askedBehind(column: ColumnSchema, reach: AskedReach, steps: number): AskedAs | undefined {
  if (column.storage !== 'virtual')
    return { uidt: column.type, storage: column.storage, meta: column.meta ?? {} };
  if (steps > deepestComputed) return undefined;
  return reach.types.get(column.type)?.server?.askedAs?.(column, {
    ...reach,
    askedAs: (of) => askedBehind(of, reach, steps + 1),
  });
}

/**
 * The columns that can date rows, since each cell is one day or moment, stored or computed. Columns that people write come first.
 * @public
 */
export function datedColumns(columns: readonly ColumnSchema[], reach: AskedReach): readonly ColumnSchema[] {
  const isDated = (column: ColumnSchema): boolean => {
    const asked = askedAs(column, reach);
    if (asked === undefined || asked.several === true) return false;
    return reach.types.get(asked.uidt)?.calendar !== undefined;
  };
  const isComputed = ({ storage }: ColumnSchema) => Number(storage === 'virtual');
  return columns.filter(isDated).toSorted((one, other) => isComputed(one) - isComputed(other));
}
