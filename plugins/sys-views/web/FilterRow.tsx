import type { ColumnEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { FilterJoin } from './FilterJoin.tsx';
import { FilterValue } from './FilterValue.tsx';
import { operatorsFor } from './filter-operators.ts';
import type { FilterItem, FilterPatch } from './use-filter-edits.ts';
import { useColumnTypes, useFilterOperators } from './use-registries.ts';

interface FilterRowProps {
  readonly filter: FilterItem;
  readonly isFirst: boolean;
  readonly columns: readonly ColumnEntity[];
  readonly isLocked: boolean;
  readonly onChange: (patch: FilterPatch) => void;
  readonly onRemove: () => void;
}

/** One condition: how it joins the others, column, comparison, value. */
export function FilterRow({ filter, isFirst, columns, isLocked, onChange, onRemove }: FilterRowProps) {
  const t = useT();
  const types = useColumnTypes();
  const all = useFilterOperators();
  const column = columns.find((of) => of.id === filter.fk_column_id);
  const type = column && types.get(column.uidt);
  const offered = operatorsFor(type, all);
  const operator = all.find(
    (of) => of.id === filter.comparison_op || of.aliases?.includes(filter.comparison_op ?? ''),
  );
  const isOff = operator === undefined;
  const shown = operator === undefined || offered.includes(operator) ? offered : [operator, ...offered];

  function changeColumn(id: string) {
    const next = columns.find((of) => of.id === id);
    const possible = operatorsFor(next && types.get(next.uidt), all);
    const isKept = possible.some((of) => of.id === filter.comparison_op);
    onChange({ fk_column_id: id, ...(!isKept && { comparison_op: possible[0]?.id ?? 'eq' }), value: '' });
  }

  function changeOperator(id: string) {
    const next = all.find((of) => of.id === id);
    // A value of another shape, such as a range, says nothing to the new comparison.
    onChange({ comparison_op: id, ...(next?.arity !== operator?.arity && { value: '' }) });
  }

  return (
    <li className="views-filter">
      <div className="views-row">
        <FilterJoin filter={filter} isFirst={isFirst} isLocked={isLocked} onChange={onChange} />
        <select
          className="views-select"
          aria-label={t('Column to filter by')}
          disabled={isLocked}
          value={filter.fk_column_id ?? ''}
          onChange={(event) => changeColumn(event.target.value)}
        >
          {columns.map((of) => (
            <option key={of.id} value={of.id}>
              {of.title}
            </option>
          ))}
        </select>
        <select
          className="views-select"
          aria-label={t('Comparison')}
          disabled={isLocked}
          aria-invalid={isOff}
          value={operator?.id ?? ''}
          onChange={(event) => changeOperator(event.target.value)}
        >
          {isOff && <option value="">{filter.comparison_op}</option>}
          {shown.map((of) => (
            <option key={of.id} value={of.id}>
              {t(of.label)}
            </option>
          ))}
        </select>
        {operator && column && (
          <FilterValue
            key={`${column.id} ${operator.arity}`}
            column={column}
            type={type}
            operator={operator}
            value={filter.value}
            isLocked={isLocked}
            onChange={(value) => onChange({ value })}
          />
        )}
        <button
          type="button"
          className="tr-icon-button views-remove"
          aria-label={t('Remove this filter')}
          disabled={isLocked}
          onClick={onRemove}
        >
          <i className="pi pi-trash" aria-hidden="true" />
        </button>
      </div>
      {isOff && (
        <div className="views-off" role="alert">
          <span>
            {t(
              'The comparison {{operator}} belongs to a plugin that is switched off. Rows can be shown without it from the grid.',
              { operator: filter.comparison_op ?? '' },
            )}
          </span>
        </div>
      )}
    </li>
  );
}
