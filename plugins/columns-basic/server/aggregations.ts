import type { AggregateNode, Aggregation, Expression, Predicate, StorageKind } from '@trellis/sdk/shared';

const numbers: readonly StorageKind[] = ['integer', 'bigint', 'decimal', 'float'];
const moments: readonly StorageKind[] = ['date', 'time', 'datetime'];

/** How many rows meet a condition: a one for each that does, added up. */
function sumOf(predicate: Predicate): AggregateNode {
  const one: Expression = { kind: 'literal', value: 1, storage: 'integer' };
  const none: Expression = { kind: 'literal', value: 0, storage: 'integer' };
  const of: Expression = { kind: 'case', branches: [{ when: predicate, value: one }], otherwise: none };
  return { aggregate: 'sum', of };
}

/** The figures that every table can show under a column. */
export const aggregations: readonly Aggregation[] = [
  { id: 'count', label: 'All', accepts: 'any', build: () => ({ aggregate: 'count' }) },
  { id: 'unique', label: 'Unique', accepts: 'any', build: (of) => ({ aggregate: 'countDistinct', of }) },
  { id: 'sum', label: 'Sum', accepts: numbers, build: (of) => ({ aggregate: 'sum', of }) },
  { id: 'average', label: 'Average', accepts: numbers, build: (of) => ({ aggregate: 'avg', of }) },
  { id: 'minimum', label: 'Minimum', accepts: numbers, build: (of) => ({ aggregate: 'min', of }) },
  { id: 'maximum', label: 'Maximum', accepts: numbers, build: (of) => ({ aggregate: 'max', of }) },
  { id: 'earliest', label: 'Earliest', accepts: moments, build: (of) => ({ aggregate: 'min', of }) },
  { id: 'latest', label: 'Latest', accepts: moments, build: (of) => ({ aggregate: 'max', of }) },
  {
    id: 'empty',
    label: 'Empty',
    accepts: 'any',
    build: (item) => sumOf({ kind: 'isNull', item }),
  },
  {
    id: 'filled',
    label: 'Filled',
    accepts: 'any',
    build: (item) => sumOf({ kind: 'not', item: { kind: 'isNull', item } }),
  },
];
