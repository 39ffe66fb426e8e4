import { type ReactNode, useId } from 'react';

/** One of several that take a line each. @public */
export interface ChoiceLinesProps<Value extends string = string> {
  readonly label: string;
  /** Undefined while none is chosen. */
  readonly value: Value | undefined;
  readonly options: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    /** Below the label. */
    readonly note?: ReactNode;
    /** At the end of the line, for what is done with the option itself. */
    readonly aside?: ReactNode;
  }[];
  onChange(this: void, value: Value): void;
}

/** Radio buttons under each other; the arrow keys choose, as the browser has it. @public */
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
