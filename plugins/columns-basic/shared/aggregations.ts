import type {
  AggregateNode,
  Aggregation,
  ArithmeticOperator,
  Expression,
  Predicate,
  StorageKind,
} from '@trellis/sdk/shared';

const numbers: readonly StorageKind[] = ['integer', 'bigint', 'decimal', 'float'];
const moments: readonly StorageKind[] = ['date', 'time', 'datetime'];
const days: readonly StorageKind[] = ['date', 'datetime'];

const all: AggregateNode = { kind: 'count' };

function of(aggregate: Extract<AggregateNode, { kind: 'aggregate' }>['aggregate']) {
  return (column: Expression): AggregateNode => ({ kind: 'aggregate', aggregate, of: column });
}

/** Aggregates a number for each row that meets a condition, and zero for the others. */
function over(predicate: Predicate, value: number, aggregate: 'sum' | 'avg'): AggregateNode {
  const literal = (number: number): Expression => ({ kind: 'literal', value: number, storage: 'integer' });
  const each: Expression = {
    kind: 'case',
    branches: [{ when: predicate, value: literal(value) }],
    otherwise: literal(0),
  };
  return { kind: 'aggregate', aggregate, of: each };
}

function combined(operator: ArithmeticOperator, left: AggregateNode, right: AggregateNode): AggregateNode {
  return { kind: 'arithmetic', operator, left, right };
}

const isEmpty = (column: Expression): Predicate => ({
  kind: 'call',
  function: 'IS_EMPTY',
  arguments: [column],
});
const isFilled = (column: Expression): Predicate => ({ kind: 'not', item: isEmpty(column) });
const isChecked = (column: Expression): Predicate => ({
  kind: 'compare',
  comparison: 'eq',
  left: column,
  right: { kind: 'literal', value: true, storage: 'boolean' },
});
// An empty cell counts as unchecked.
const isUnchecked = (column: Expression): Predicate => ({
  kind: 'or',
  items: [
    { kind: 'isNull', item: column },
    {
      kind: 'compare',
      comparison: 'eq',
      left: column,
      right: { kind: 'literal', value: false, storage: 'boolean' },
    },
  ],
});

/** The number and the percentage of rows that meet a condition. */
function counted(
  what: Pick<Aggregation, 'id' | 'label' | 'accepts' | 'ofLists'> & { readonly share: string },
  condition: (column: Expression) => Predicate,
): readonly Aggregation[] {
  const { share, ...shared } = what;
  return [
    { ...shared, format: 'number', build: (column) => over(condition(column), 1, 'sum') },
    {
      ...shared,
      id: `percent-${shared.id}`,
      label: share,
      format: 'percent',
      build: (column) => over(condition(column), 100, 'avg'),
    },
  ];
}

/** An empty text is no value, as for `filled`. */
const distinct = (column: Expression): AggregateNode =>
  of('countDistinct')({ kind: 'case', branches: [{ when: isFilled(column), value: column }] });
const [least, greatest] = [of('min'), of('max')];

/** The aggregations available in every table. */
export const aggregations: readonly Aggregation[] = [
  { id: 'sum', label: 'Sum', accepts: numbers, format: 'column', build: of('sum') },
  { id: 'average', label: 'Average', accepts: numbers, format: 'column', build: of('avg') },
  { id: 'median', label: 'Median', accepts: numbers, format: 'column', build: of('median') },
  { id: 'minimum', label: 'Minimum', accepts: numbers, format: 'column', build: least },
  { id: 'maximum', label: 'Maximum', accepts: numbers, format: 'column', build: greatest },
  {
    id: 'range',
    label: 'Range',
    accepts: numbers,
    format: 'column',
    build: (column) => combined('subtract', greatest(column), least(column)),
  },
  { id: 'earliest', label: 'Earliest', accepts: moments, format: 'column', build: least },
  { id: 'latest', label: 'Latest', accepts: moments, format: 'column', build: greatest },
  {
    id: 'range-days',
    label: 'Range (days)',
    accepts: days,
    format: 'number',
    build: (column) => ({ kind: 'daysBetween', from: least(column), to: greatest(column) }),
  },
  ...counted({ id: 'checked', label: 'Checked', share: 'Checked (%)', accepts: ['boolean'] }, isChecked),
  ...counted(
    { id: 'unchecked', label: 'Unchecked', share: 'Unchecked (%)', accepts: ['boolean'] },
    isUnchecked,
  ),
  { id: 'count', label: 'All', accepts: 'any', ofLists: true, format: 'number', build: () => all },
  ...counted({ id: 'filled', label: 'Filled', share: 'Filled (%)', accepts: 'any', ofLists: true }, isFilled),
  ...counted({ id: 'empty', label: 'Empty', share: 'Empty (%)', accepts: 'any', ofLists: true }, isEmpty),
  { id: 'unique', label: 'Unique', accepts: 'any', format: 'number', build: distinct },
  {
    id: 'percent-unique',
    label: 'Unique (%)',
    accepts: 'any',
    format: 'percent',
    build: (column) =>
      combined('multiply', combined('divide', distinct(column), all), { kind: 'number', value: 100 }),
  },
];
