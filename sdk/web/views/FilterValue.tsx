import { useEffect, useId, useRef, useState } from 'react';
import type { CellValue, FilterOperator, Refusal } from '../../shared/index.ts';
import { CellEditor } from '../CellEditor.tsx';
import { columnContext } from '../columns.ts';
import { Contribution } from '../contribution.tsx';
import { useSharedT } from '../host.tsx';
import type { FilterValueProps, WebColumnType } from '../extensions/index.ts';
import { Select } from '../ui/index.ts';
import { asOptional, problemOfText, textOf } from './filter-problem.ts';

/** Milliseconds after the last key before a typed value is applied. */
const typingPause = 400;

/** The value of a filter: edited by the column type's own editor for a single value, as a text otherwise. */
export function FilterValue(props: FilterValueProps) {
  const { type, operator } = props;
  if (type?.FilterInput !== undefined && operator.arity === 'list') {
    return (
      <Contribution registry="columnTypes" id={type.id} what={type.label} compact>
        <type.FilterInput {...props} />
      </Contribution>
    );
  }
  if (operator.ValueInput !== undefined) {
    return (
      <Contribution registry="filterOperators" id={operator.id} what={operator.label} compact>
        <operator.ValueInput {...props} />
      </Contribution>
    );
  }
  if (operator.arity === 'none') return null;
  if (operator.arity === 'two') return <RangeInput {...props} />;
  if (type === undefined || operator.arity === 'list' || operator.takes === 'words') {
    return <TextInput {...props} />;
  }
  return <OneValue {...props} type={type} />;
}

function OneValue(props: FilterValueProps & { readonly type: WebColumnType }) {
  const { type, column, value, readOnly, onChange } = props;
  if (type.storage === 'boolean') return <YesNo {...props} />;
  if (typeof type.Editor === 'string') return <TextInput {...props} />;
  return (
    <fieldset className="tr-text-input tr-filter-editor" disabled={readOnly}>
      <CellEditor
        type={type}
        value={value === '' ? null : value}
        column={asOptional(column)}
        onCommit={(next) => {
          if (textOf(next) !== textOf(value)) onChange(next ?? '');
        }}
      />
    </fieldset>
  );
}

/** Two values in the server's form: `from,to`. Applied once both are set. */
function RangeInput(props: FilterValueProps) {
  const t = useSharedT();
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
    <span className="tr-filter-range">
      {inputOf(t('From'), from, (value) => change({ from: textOf(value), to }))}
      <span className="tr-filter-dash">{t('to')}</span>
      {inputOf(t('To'), to, (value) => change({ from, to: textOf(value) }))}
    </span>
  );
}

function YesNo({ value, label, readOnly, onChange }: FilterValueProps) {
  const t = useSharedT();
  return (
    <Select
      label={label ?? t('Value')}
      disabled={readOnly}
      value={textOf(value)}
      options={[
        { value: '', label: t('choose') },
        { value: 'true', label: t('checked') },
        { value: 'false', label: t('not checked') },
      ]}
      onChange={onChange}
    />
  );
}

/** A text that the column's type parses; an invalid one stays here and shows why. */
function TextInput(props: FilterValueProps) {
  const { column, type, operator, value, readOnly, onChange } = props;
  const t = useSharedT();
  const stored = textOf(value);
  const [typed, setTyped] = useState<{ readonly of: string; readonly text: string }>();
  const [problem, setProblem] = useState<Refusal>();
  const problemId = useId();
  const timer = useRef<number>(undefined);
  const shown = shownText(props, stored);
  const text = typed?.of === stored ? typed.text : shown;
  const latest = useRef<() => void>(undefined);
  useEffect(() => {
    latest.current = () => commit(text);
  });
  // A value typed in a panel that is closed before the pause is over is applied as well.
  useEffect(
    () => () => {
      if (timer.current !== undefined) latest.current?.();
    },
    [],
  );

  function commit(next: string) {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    const read = type && localOf(type, operator)?.read;
    const found = type && problemOfText(column, type, operator, { text: next, read });
    setProblem(found);
    if (found !== undefined || next === shown) return;
    const kept = keptText(props, next);
    // The typed text stays unchanged while the person types.
    setTyped({ of: kept, text: next });
    if (kept !== stored) onChange(kept);
  }

  return (
    <span className="tr-filter-value">
      <input
        className="tr-text-input"
        aria-label={props.label ?? t('Value')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        value={text}
        placeholder={operator.arity === 'list' ? t('one, two, three') : (props.label ?? t('Enter a value'))}
        disabled={readOnly}
        onChange={(event) => {
          const next = event.target.value;
          setTyped({ of: stored, text: next });
          setProblem(undefined);
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => latest.current?.(), typingPause);
        }}
        onBlur={() => commit(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit(text);
        }}
      />
      {problem !== undefined && (
        <small id={problemId} className="tr-field-problem">
          {column.title} {t(problem.message, problem.params)}
        </small>
      )}
    </span>
  );
}

/** The local format of the column's values, if the typed text is one of its values. */
function localOf(type: WebColumnType | undefined, { arity, takes }: FilterOperator) {
  return arity === 'list' || takes === 'words' || type?.local?.edit === undefined ? undefined : type.local;
}

/** The stored value, which has the form of programs, in the language of the page. */
function shownText({ column, type, operator }: FilterValueProps, stored: string): string {
  const edit = localOf(type, operator)?.edit;
  if (type === undefined || edit === undefined || stored === '') return stored;
  const context = columnContext(asOptional(column), type);
  const read = type.parse(stored, context);
  return read.ok && read.value !== null ? edit(read.value, context) : stored;
}

/** The stored form of a typed text that the column can parse. */
function keptText({ column, type, operator }: FilterValueProps, text: string): string {
  if (type === undefined || text === '') return text;
  const read = localOf(type, operator)?.read?.(text, columnContext(asOptional(column), type));
  return read?.ok === true ? textOf(read.value) : text;
}
