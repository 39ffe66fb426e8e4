import type { ReactNode } from 'react';
import type { ColumnEntity, FilterNode } from '../../shared/index.ts';
import { askedColumn } from '../columns.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import { Select } from '../ui/index.ts';
import { RemoveButton } from './FilterEditor.tsx';
import { problemOfValue } from './filter-problem.ts';
import { FilterValue } from './FilterValue.tsx';
import { labelOfOperator, operatorOf, operatorsFor, shownOperator } from './filter-tree.ts';
import { isOffered, offeredFor, useOfferedOperators, type OffersComparison } from './offered.ts';

type Condition = Extract<FilterNode, { readonly kind: 'condition' }>;

interface FilterRowProps {
  readonly node: Condition;
  /** How it is joined to the filters before it. */
  readonly join: ReactNode;
  readonly columns: readonly ColumnEntity[];
  readonly readOnly: boolean;
  readonly offers: OffersComparison | undefined;
  readonly onChange: (next: FilterNode | undefined) => void;
}

/** One condition: its join, column, comparison and value. */
export function FilterRow({ node, join, columns, readOnly, offers, onChange }: FilterRowProps) {
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const column = columns.find((of) => of.id === node.columnId);
  const asked = column && askedColumn(column, types);
  const type = asked?.type;
  const choosable = useOfferedOperators();
  const offered = operatorsFor(type, offeredFor(column, choosable, offers));
  const operator = shownOperator(node.operator, column, operators);
  const problem =
    asked && type && operator ? problemOfValue(asked.column, type, operator, node.value ?? '') : undefined;
  const shown = operator === undefined || offered.includes(operator) ? offered : [operator, ...offered];

  function changeColumn(columnId: string) {
    const next = columns.find((of) => of.id === columnId);
    const possible = operatorsFor(next && askedColumn(next, types).type, offeredFor(next, choosable, offers));
    // A default comparison is not kept: each type starts with the one that suits it.
    const isKept = operator !== undefined && operator !== offered[0] && possible.includes(operator);
    onChange({ ...node, columnId, operator: isKept ? operator.id : (possible[0]?.id ?? 'eq'), value: '' });
  }

  function changeOperator(id: string) {
    const next = operatorOf(operators, id);
    // A value of another shape, such as a range, is meaningless for the new comparison.
    const isSameShape = next?.arity === operator?.arity && next?.ValueInput === operator?.ValueInput;
    onChange({ ...node, operator: id, value: isSameShape ? node.value : '' });
  }

  return (
    <li className="tr-filter">
      <div className="tr-filter-line">
        {join}
        <Select
          label={t('Column to filter by')}
          disabled={readOnly}
          value={node.columnId}
          options={[
            ...(column === undefined ? [{ value: node.columnId, label: t('a column that is gone') }] : []),
            ...columns
              .filter((of) => of === column || isOffered(of))
              .map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={changeColumn}
        />
        <Select
          label={t('Comparison')}
          disabled={readOnly}
          invalid={operator === undefined}
          value={operator?.id ?? ''}
          options={[
            ...(operator === undefined ? [{ value: '', label: node.operator }] : []),
            ...shown.map((of) => ({ value: of.id, label: t(labelOfOperator(of, asked?.column)) })),
          ]}
          onChange={changeOperator}
        />
        {operator && asked && (
          <FilterValue
            key={`${asked.column.id} ${operator.ValueInput ? operator.id : operator.arity}`}
            column={asked.column}
            type={type}
            operator={operator}
            value={node.value ?? ''}
            readOnly={readOnly}
            onChange={(value) => onChange({ ...node, value })}
          />
        )}
        <RemoveButton
          label={t('Remove this filter')}
          readOnly={readOnly}
          onRemove={() => onChange(undefined)}
        />
      </div>
      {problem !== undefined && (
        <div className="tr-field-problem" role="alert">
          {column?.title} {t(problem.message, problem.params)}
        </div>
      )}
      {operator === undefined && (
        <div className="tr-field-problem" role="alert">
          {t(
            'The comparison {{operator}} belongs to a plugin that is switched off or removed. Rows can be shown without it from the grid.',
            { operator: node.operator },
          )}
        </div>
      )}
    </li>
  );
}
