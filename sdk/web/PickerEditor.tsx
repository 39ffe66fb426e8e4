import { type ReactNode, useRef, useState } from 'react';
import type { ParseResult } from '../shared/index.ts';
import { useSharedT } from './host.tsx';
import type { EditorProps } from './extensions/index.ts';

/** The additional props of an editor for dates and times. @public */
export interface PickerEditorProps<Options = Record<string, unknown>> extends EditorProps<string, Options> {
  readonly kind: 'date' | 'datetime-local' | 'time';
  /** How the column parses and formats its values for people. */
  readonly texts: {
    read(this: void, text: string, options: Options): ParseResult<string>;
    write(this: void, value: string, options: Options): string;
  };
  /** The value in the form of the browser's own field: `2026-03-29T14:30:00`. */
  toPicker(this: void, value: string): string;
  readonly placeholder?: string;
}

const labels = {
  date: 'Choose from a calendar',
  'datetime-local': 'Choose from a calendar',
  time: 'Choose from a clock',
};

/** A text in any format that the column accepts, with a button for the browser's own calendar or clock. @public */
export function PickerEditor<Options>(props: PickerEditorProps<Options>): ReactNode {
  const { value, initialText, onChange, onCommit, kind, texts, options, autoFocus, column } = props;
  const t = useSharedT();
  const [text, setText] = useState(initialText ?? (value === null ? '' : texts.write(value, options)));
  const picker = useRef<HTMLInputElement>(null);
  const read = texts.read(text, options);

  function choose(chosen: string): void {
    const parsed = texts.read(chosen, options);
    if (!parsed.ok) return;
    setText(parsed.value === null ? '' : texts.write(parsed.value, options));
    // After the day, a time may still be chosen, and after the hour the minutes.
    if (kind === 'date') onCommit(parsed.value);
    else onChange({ kind: 'value', value: parsed.value });
  }

  return (
    <span className="tr-picker">
      <input
        className="tr-picker-text"
        aria-label={column.title}
        placeholder={props.placeholder}
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange({ kind: 'text', text: event.target.value });
        }}
      />
      <button
        type="button"
        className="tr-picker-open"
        tabIndex={-1}
        aria-label={t(labels[kind])}
        // The focus stays in the text field, which gets the keys once the calendar is closed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => picker.current?.showPicker()}
      >
        <i className={`pi pi-${kind === 'time' ? 'clock' : 'calendar'}`} aria-hidden="true" />
      </button>
      <input
        ref={picker}
        className="tr-picker-native"
        type={kind}
        step={kind === 'date' ? undefined : 1}
        tabIndex={-1}
        aria-hidden="true"
        value={read.ok && read.value !== null ? props.toPicker(read.value) : ''}
        onChange={(event) => choose(event.target.value)}
      />
    </span>
  );
}
