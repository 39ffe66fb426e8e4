import { type ReactNode, useId } from 'react';

/** The props of radio buttons with one line each. @public */
export interface ChoiceLinesProps<Value extends string = string> {
  readonly label: string;
  /** Undefined while none is chosen. */
  readonly value: Value | undefined;
  readonly options: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    /** Below the label. */
    readonly note?: ReactNode;
    /** At the end of the line, for actions on the option itself. */
    readonly aside?: ReactNode;
  }[];
  onChange(this: void, value: Value): void;
}

/** Radio buttons below each other; the arrow keys choose, by the browser's default. @public */
export function ChoiceLines<Value extends string>(props: ChoiceLinesProps<Value>): ReactNode {
  const group = useId();
  return (
    <div className="tr-choice-lines" role="radiogroup" aria-label={props.label}>
      {props.options.map(({ value, label, note, aside }) => (
        <div key={value} data-chosen={value === props.value}>
          <label>
            <input
              type="radio"
              name={group}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span>
              {label}
              {note !== undefined && <small>{note}</small>}
            </span>
          </label>
          {aside}
        </div>
      ))}
    </div>
  );
}
