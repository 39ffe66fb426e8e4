import type { CellValue, ColumnContext, ColumnEntity, FilterOperator } from '@trellis/sdk/shared';
import { useT, type WebColumnType } from '@trellis/sdk/web';
import { useEffect, useId, useRef, useState } from 'react';

/** Milliseconds after the last key before a typed value filters. */
const typingPause = 400;

/** Comparisons that take words of their own, not values of the column. */
const wordOperators = new Set(['like', 'nlike', 'is', 'isnot']);

interface FilterValueProps {
  readonly column: ColumnEntity;
  readonly type: WebColumnType | undefined;
  readonly operator: FilterOperator;
  readonly value: CellValue;
  readonly isLocked: boolean;
  /** Which of several values it is. */
  readonly label?: string;
  readonly onChange: (value: CellValue) => void;
}

/** What a filter compares with: the column type's own editor where a single value is meant, a text otherwise. */
export function FilterValue(props: FilterValueProps) {
  const { type, operator } = props;
  if (operator.arity === 'none') return null;
  if (operator.arity === 'two') return <RangeInput {...props} />;
  if (type === undefined || operator.arity === 'list' || wordOperators.has(operator.id)) {
    return <TextInput {...props} />;
  }
  return <OneValue {...props} type={type} />;
}

function OneValue(props: FilterValueProps & { readonly type: WebColumnType }) {
  const { type, column, value, isLocked, onChange } = props;
  if (type.storage === 'boolean') return <YesNo {...props} />;
  if (typeof type.Editor === 'string') return <TextInput {...props} />;
  return (
    <fieldset className="views-editor" disabled={isLocked}>
      <type.Editor
        key={textOf(value)}
        value={value === '' ? null : value}
        column={column}
        options={contextOf(column, type).options}
        autoFocus={false}
        onCommit={(next) => {
          if (textOf(next) !== textOf(value)) onChange(next ?? '');
        }}
        onCancel={() => undefined}
      />
    </fieldset>
  );
}

/** Two values as the server keeps them: `from,to`. It filters once both are there. */
function RangeInput(props: FilterValueProps) {
  const t = useT();
  const stored = textOf(props.value);
  const [ends, setEnds] = useState<{ readonly of: string; readonly from: string; readonly to: string }>();
  const [storedFrom = '', storedTo = ''] = stored.split(',');
  const { from, to } = ends?.of === stored ? ends : { from: storedFrom, to: storedTo };

  function change(next: { readonly from: string; readonly to: string }) {
    setEnds({ of: stored, ...next });
    if (next.from !== '' && next.to !== '') props.onChange(`${next.from},${next.to}`);
    else if (stored !== '') props.onChange('');
  }

  const inputOf = (label: string, value: string, set: (value: CellValue) => void) =>
    props.type === undefined ? (
      <TextInput {...props} label={label} value={value} onChange={set} />
    ) : (
      <OneValue {...props} type={props.type} label={label} value={value} onChange={set} />
    );
  return (
    <span className="views-range">
      {inputOf(t('From'), from, (value) => change({ from: textOf(value), to }))}
      <span className="views-dash">{t('to')}</span>
      {inputOf(t('To'), to, (value) => change({ from, to: textOf(value) }))}
    </span>
  );
}

function YesNo({ value, label, isLocked, onChange }: FilterValueProps) {
  const t = useT();
  return (
    <select
      className="views-select"
      aria-label={label ?? t('Value')}
      disabled={isLocked}
      value={textOf(value)}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('choose')}</option>
      <option value="true">{t('checked')}</option>
      <option value="false">{t('not checked')}</option>
    </select>
  );
}

/** A text that the column's type can read; one that it cannot stays here and says why. */
function TextInput(props: FilterValueProps) {
  const { column, type, operator, value, isLocked, onChange } = props;
  const t = useT();
  const stored = textOf(value);
  const [typed, setTyped] = useState<{ readonly of: string; readonly text: string }>();
  const [problem, setProblem] = useState<string>();
  const problemId = useId();
  const timer = useRef<number>(undefined);
  const text = typed?.of === stored ? typed.text : stored;
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function commit(next: string) {
    window.clearTimeout(timer.current);
    const found = problemOf(next);
    setProblem(found);
    if (found === undefined && next !== stored) onChange(next);
  }

  function problemOf(next: string): string | undefined {
    if (type === undefined || next === '' || wordOperators.has(operator.id)) return undefined;
    const parts = operator.arity === 'list' ? next.split(',').map((part) => part.trim()) : [next];
    for (const part of parts) {
      const read = type.parse(part, contextOf(column, type));
      if (!read.ok) return read.message;
    }
    return undefined;
  }

  return (
    <span className="views-value">
      <input
        className="views-input"
        aria-label={props.label ?? t('Value')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        value={text}
        placeholder={operator.arity === 'list' ? t('one, two, three') : (props.label ?? t('Enter a value'))}
        disabled={isLocked}
        onChange={(event) => {
          const next = event.target.value;
          setTyped({ of: stored, text: next });
          setProblem(undefined);
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => commit(next), typingPause);
        }}
        onBlur={() => commit(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit(text);
        }}
      />
      {problem !== undefined && (
        <small id={problemId} className="views-problem">
          {column.title} {t(problem)}
        </small>
      )}
    </span>
  );
}

function textOf(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function contextOf(column: ColumnEntity, type: WebColumnType): ColumnContext {
  return {
    id: column.id,
    title: column.title,
    // A filter may look for nothing in a column that must hold something.
    required: false,
    storage: type.storage,
    options: { ...type.options?.defaults, ...column.meta },
  };
}
