import type { ColumnSchema } from '@trellis/sdk/server';
import type { CellValue, Expression, Predicate } from '@trellis/sdk/shared';
import { predicateOfFilters, type QueryScope } from './build-predicate.ts';

/**
 * The number of bounds that a column has reached, found by binary search; null where its cell is empty. Bounds are compared as
 * the filter `gte` compares them, so that a day begins at the same moment as it does for a filter.
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
