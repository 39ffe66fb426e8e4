import type { CellValue, ColumnEntity, FilterEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import { operatorsFor } from './filter-operators.ts';
import { useColumnTypes, useFilterOperators } from './use-registries.ts';

/** Milliseconds after the last key before a typed value filters. */
const typingPause = 400;

interface FilterRowProps {
  readonly filter: FilterEntity;
  readonly isFirst: boolean;
  readonly columns: readonly ColumnEntity[];
  readonly isLocked: boolean;
  readonly onChange: (body: object) => void;
  readonly onRemove: () => void;
}

/** One condition: how it joins the others, column, comparison, value. */
export function FilterRow({ filter, isFirst, columns, isLocked, onChange, onRemove }: FilterRowProps) {
  const t = useT();
  const types = useColumnTypes();
  const all = useFilterOperators();
  const column = columns.find((of) => of.id === filter.fk_column_id);
  const offered = operatorsFor(column && types.get(column.uidt), all);
  const operator = all.find(
    (of) => of.id === filter.comparison_op || of.aliases?.includes(filter.comparison_op ?? ''),
  );
  const isOff = operator === undefined;
  const shown = operator === undefined || offered.includes(operator) ? offered : [operator, ...offered];

  function changeColumn(id: string) {
    const next = columns.find((of) => of.id === id);
    const possible = operatorsFor(next && types.get(next.uidt), all);
    const kept = possible.some((of) => of.id === filter.comparison_op);
    onChange({ fk_column_id: id, ...(!kept && { comparison_op: possible[0]?.id ?? 'eq' }), value: '' });
  }

  return (
    <div className="views-row">
      {isFirst ? (
        <span className="views-word">{t('where')}</span>
      ) : (
        <select
          className="views-select views-select--join"
          aria-label={t('Joined by')}
          disabled={isLocked}
          value={filter.logical_op}
          onChange={(event) => onChange({ logical_op: event.target.value })}
        >
          <option value="and">{t('and')}</option>
          <option value="or">{t('or')}</option>
        </select>
      )}
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
        title={isOff ? t('The plugin of this comparison is switched off') : undefined}
        value={operator?.id ?? ''}
        onChange={(event) => onChange({ comparison_op: event.target.value })}
      >
        {isOff && <option value="">{filter.comparison_op}</option>}
        {shown.map((of) => (
          <option key={of.id} value={of.id}>
            {t(of.label)}
          </option>
        ))}
      </select>
      {operator?.arity !== 'none' && (
        <ValueInput
          value={filter.value}
          isCheckbox={column?.uidt === 'Checkbox'}
          placeholder={
            operator?.arity === 'two' ? t('from,to') : operator?.arity === 'list' ? t('a,b,c') : t('value')
          }
          isDisabled={isLocked}
          onChange={(value) => onChange({ value })}
        />
      )}
      <button
        type="button"
        className="tr-icon-button"
        aria-label={t('Remove this filter')}
        disabled={isLocked}
        onClick={onRemove}
      >
        <i className="pi pi-trash" aria-hidden="true" />
      </button>
    </div>
  );
}

function textOf(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function ValueInput(props: {
  readonly value: CellValue;
  readonly isCheckbox: boolean;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}) {
  const t = useT();
  const [text, setText] = useState(textOf(props.value));
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function change(next: string, pause: number) {
    setText(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => props.onChange(next), pause);
  }

  if (props.isCheckbox) {
    return (
      <select
        className="views-select"
        aria-label={t('Value')}
        disabled={props.isDisabled}
        value={text}
        onChange={(event) => change(event.target.value, 0)}
      >
        <option value="">…</option>
        <option value="true">{t('checked')}</option>
        <option value="false">{t('not checked')}</option>
      </select>
    );
  }
  return (
    <input
      className="views-input"
      aria-label={t('Value')}
      value={text}
      placeholder={props.placeholder}
      disabled={props.isDisabled}
      onChange={(event) => change(event.target.value, typingPause)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') change(text, 0);
      }}
    />
  );
}
