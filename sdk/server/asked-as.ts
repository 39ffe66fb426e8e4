import type { AskedAs } from '../shared/index.ts';
import type { AskedReach } from './column-types.ts';
import type { ColumnSchema } from './schema.ts';

/** Computed columns that are made of one another, at the most. @public */
export const deepestComputed = 16;

/**
 * What the values of a column are to whoever asks for them: those of a stored column are of its own type, those of a computed one as its type
 * says. Undefined where nobody knows.
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
 * Those of columns that say when rows are, since each cell is one day or moment, stored or computed: first those that people write.
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
