import { columnContext, useT, type CellProps, type EditorProps } from '@trellis/sdk/web';
import { useRef, useState } from 'react';
import { date, dateTime, json, type DateOptions } from '../shared/index.ts';

/** A text on one line; line breaks show as blanks until the row is opened. */
export function TextCell({ value }: CellProps<string>) {
  return <span className="cb-text">{value}</span>;
}

export function NumberCell({ value }: CellProps<string | number>) {
  return <span className="cb-number">{value}</span>;
}

/** The tick of a checkbox cell; a click writes at once. */
export function CheckboxCell({ value, column, onChange }: CellProps<boolean>) {
  const ticked = Boolean(value) && String(value) !== '0';
  return (
    <button
      type="button"
      tabIndex={-1}
      role="checkbox"
      aria-checked={ticked}
      aria-label={column.title}
      disabled={onChange === undefined}
      className={ticked ? 'cb-checkbox cb-checkbox--on' : 'cb-checkbox'}
      onClick={() => onChange?.(!ticked)}
    >
      {ticked && <i className="pi pi-check" aria-hidden="true" />}
    </button>
  );
}

export function DateCell({ value, column }: CellProps<string, DateOptions>) {
  return <span className="cb-date">{date.format(value, columnContext(column, date))}</span>;
}

export function DateTimeCell({ value, column }: CellProps<string, DateOptions>) {
  return <span className="cb-date">{dateTime.format(value, columnContext(column, dateTime))}</span>;
}

export function JsonCell({ value, column }: CellProps) {
  return <code className="cb-json">{json.format(value, columnContext(column, json))}</code>;
}

/** A text in any form that the type reads, and beside it the browser's own calendar. */
function PickerEditor(
  props: EditorProps<string, DateOptions> & { readonly kind: 'date' | 'datetime-local' },
) {
  const { value, initialText, onChange, onCommit, kind, autoFocus, column } = props;
  const t = useT();
  const type = kind === 'date' ? date : dateTime;
  const context = columnContext(column, type);
  const [text, setText] = useState(initialText ?? type.format(value, context));
  const calendar = useRef<HTMLInputElement>(null);
  const read = type.parse(text, context);
  const day = read.ok ? (read.value ?? '').slice(0, 19).replace(' ', 'T') : '';

  function choose(chosen: string) {
    const parsed = type.parse(chosen, context);
    if (!parsed.ok) return;
    setText(type.format(parsed.value, context));
    // A time may still be wanted after the day.
    if (kind === 'date') onCommit(parsed.value);
    else onChange({ kind: 'value', value: parsed.value });
  }

  return (
    <span className="cb-picker">
      <input
        className="cb-editor"
        aria-label={column.title}
        placeholder={context.options.date_format}
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange({ kind: 'text', text: event.target.value });
        }}
      />
      <button
        type="button"
        className="cb-calendar"
        tabIndex={-1}
        aria-label={t('Choose from a calendar')}
        // The focus stays in the text, so that keys reach it once the calendar is closed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => calendar.current?.showPicker()}
      >
        <i className="pi pi-calendar" aria-hidden="true" />
      </button>
      <input
        ref={calendar}
        className="cb-native"
        type={kind}
        step={kind === 'datetime-local' ? 1 : undefined}
        tabIndex={-1}
        aria-hidden="true"
        value={kind === 'date' ? day.slice(0, 10) : day}
        onChange={(event) => choose(event.target.value)}
      />
    </span>
  );
}

export function DateEditor(props: EditorProps<string, DateOptions>) {
  return <PickerEditor {...props} kind="date" />;
}

export function DateTimeEditor(props: EditorProps<string, DateOptions>) {
  return <PickerEditor {...props} kind="datetime-local" />;
}
