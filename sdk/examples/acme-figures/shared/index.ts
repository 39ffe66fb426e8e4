import type {
  Aggregation,
  AggregateNode,
  Expression,
  FilterOperator,
  StorageKind,
} from '@trellis/sdk/shared';

const numbers: readonly StorageKind[] = ['integer', 'bigint', 'decimal', 'float'];
const wholeNumbers: readonly StorageKind[] = ['integer', 'bigint'];

const of = (aggregate: 'max' | 'min', column: Expression): AggregateNode => ({
  kind: 'aggregate',
  aggregate,
  of: column,
});

/** How far the smallest value of a column is from its largest; the database computes it. */
export const spread: Aggregation = {
  id: 'acme-spread',
  label: 'Spread',
  accepts: numbers,
  format: 'number',
  build: (column) => ({
    kind: 'arithmetic',
    operator: 'subtract',
    left: of('max', column),
    right: of('min', column),
  }),
};

/** Meets rows whose number can be divided by another one without a rest. */
export const multiple: FilterOperator = {
  id: 'acme-multiple',
  label: 'is a multiple of',
  arity: 'one',
  appliesTo: ({ storage }) => wholeNumbers.includes(storage),
  build({ column, storage, value, literal }) {
    // Ends a sentence that begins with the title of the column.
    if (!wholeNumbers.includes(storage)) throw new RangeError('holds no whole numbers');
    if (value === undefined || Number(value) === 0)
      throw new RangeError('can be a multiple of a number other than 0 alone');
    const rest: Expression = {
      kind: 'arithmetic',
      operator: 'modulo',
      left: column,
      // Read by the type of the column, which refuses what is no number of its own.
      right: literal(value),
    };
    const nothing: Expression = { kind: 'literal', value: 0, storage: 'integer' };
    return { kind: 'compare', comparison: 'eq', left: rest, right: nothing };
  },
};
