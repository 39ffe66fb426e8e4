import { useT, type CellProps, type EditorProps } from '@trellis/sdk/web';
import type { CellValue, ColumnContext, StorageKind } from '@trellis/sdk/shared';
import { useState } from 'react';
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

/** What a type is told of the column, as far as the browser knows it: the type's own kind stands for the column's. */
function contextOf<Options>(
  { column, options }: Pick<CellProps<CellValue, Options>, 'column' | 'options'>,
  { storage }: { readonly storage: StorageKind },
): ColumnContext<Options> {
  return { id: column.id, title: column.title, required: column.rqd, storage, options };
}

export function DateCell(props: CellProps<string, DateOptions>) {
  return <span className="cb-date">{date.format(props.value, contextOf(props, date))}</span>;
}

export function DateTimeCell(props: CellProps<string, DateOptions>) {
  return <span className="cb-date">{dateTime.format(props.value, contextOf(props, dateTime))}</span>;
}

export function JsonCell(props: CellProps) {
  return <code className="cb-json">{json.format(props.value, contextOf(props, json))}</code>;
}

function moveOf(event: React.KeyboardEvent): 'down' | 'up' | 'left' | 'right' | undefined {
  if (event.key === 'Enter') return event.shiftKey ? 'up' : 'down';
  if (event.key === 'Tab') return event.shiftKey ? 'left' : 'right';
  return undefined;
}

/** The browser's own date picker; typed text in any form that the type reads is taken as well. */
function PickerEditor(
  props: EditorProps<string, DateOptions> & { readonly kind: 'date' | 'datetime-local' },
) {
  const { value, initialText, onCommit, onCancel, kind, autoFocus, column } = props;
  const t = useT();
  const type = kind === 'date' ? date : dateTime;
  const asInput = (stored: string | null) =>
    stored === null ? '' : kind === 'date' ? stored.slice(0, 10) : stored.slice(0, 19).replace(' ', 'T');
  const [text, setText] = useState(initialText ?? asInput(value));
  const [problem, setProblem] = useState<string>();

  function commit(move?: 'down' | 'up' | 'right' | 'left') {
    const parsed = type.parse(text, contextOf(props, type));
    if (!parsed.ok) setProblem(parsed.message);
    else onCommit(parsed.value, move);
  }

  return (
    <input
      className="cb-editor"
      type={initialText === undefined ? kind : 'text'}
      step={kind === 'datetime-local' ? 1 : undefined}
      aria-label={column.title}
      aria-invalid={problem !== undefined}
      title={problem === undefined ? undefined : t(problem)}
      autoFocus={autoFocus}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        setProblem(undefined);
      }}
      onBlur={() => commit()}
      onKeyDown={(event) => {
        const move = moveOf(event);
        if (move !== undefined) {
          event.preventDefault();
          event.stopPropagation();
          commit(move);
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          onCancel();
        }
      }}
    />
  );
}

export function DateEditor(props: EditorProps<string, DateOptions>) {
  return <PickerEditor {...props} kind="date" />;
}

export function DateTimeEditor(props: EditorProps<string, DateOptions>) {
  return <PickerEditor {...props} kind="datetime-local" />;
}
