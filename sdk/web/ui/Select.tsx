import { type ReactNode, useId } from 'react';

/** The props of a choice among a few. @public */
export interface SelectProps<Value extends string = string> {
  /** Its name for screen readers. */
  readonly label: string;
  readonly value: Value | '';
  readonly options: readonly { readonly value: Value | ''; readonly label: string }[];
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  /** The id of an element with more information, such as why it is disabled. */
  readonly describedBy?: string | undefined;
  readonly className?: string;
  onChange(this: void, value: Value): void;
}

/** A list to choose one from: the browser's own, which phones and screen readers support best. @public */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  return (
    <select
      className={`tr-select ${props.className ?? ''}`}
      aria-label={props.label}
      aria-invalid={props.invalid}
      aria-describedby={props.describedBy}
      disabled={props.disabled}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value as Value)}
    >
      {props.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The props of two to four visible choices. @public */
export interface ChoicesProps<Value extends string = string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly icon?: string;
    /** The effect of choosing it. */
    readonly title?: string;
  }[];
  onChange(this: void, value: Value): void;
}

/** Radio buttons side by side; the arrow keys choose, by the browser's default. @public */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoicesProps<Value>): ReactNode {
  // Two controls with the same label on a page are two groups.
  const group = useId();
  return (
    <div className="tr-choices" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} title={option.title} data-chosen={option.value === value}>
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon !== undefined && <i className={`pi pi-${option.icon}`} aria-hidden="true" />}
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
