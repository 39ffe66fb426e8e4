import type { ColumnSchema } from '@trellis/sdk/server';
import type { CellValue, Expression, Predicate } from '@trellis/sdk/shared';
import { predicateOfFilters, type QueryScope } from './build-predicate.ts';

/**
 * How many of the values that begin a band a column has reached, looked for by halves; null where its cell is empty. They are compared as a
 * filter compares them, so that a day begins where it does for the filter `gte`.
 *
 * @throws TrellisError 400 for a value that the column cannot hold
 */
export function bandOf(of: QueryScope, { id }: ColumnSchema, bounds: readonly CellValue[]): Expression {
  const hasReached = (value: CellValue): Predicate =>
    predicateOfFilters(of, [
      { kind: 'condition', logicalOp: 'and', columnId: id, operator: 'gte', value },
    ]) ?? { kind: 'always', value: false };
  const among = (from: number, to: number): Expression => {
    if (from === to) return { kind: 'literal', value: from, storage: 'integer' };
    const half = (from + to) >> 1;
    return {
      kind: 'case',
      branches: [{ when: hasReached(bounds[half] ?? null), value: among(half + 1, to) }],
      otherwise: among(from, half),
    };
  };
  const isEmpty = { kind: 'isNull', item: { kind: 'column', columnId: id } } as const;
  return {
    kind: 'case',
    branches: [{ when: { kind: 'not', item: isEmpty }, value: among(0, bounds.length) }],
  };
}
