import { type ReactNode } from 'react';

/** The props of a switch with immediate effect. @public */
export interface SwitchProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** While switching: it cannot be pressed, and keeps the focus. */
  readonly isBusy?: boolean;
  /** What it switches, beside it. */
  readonly children?: ReactNode;
  /** Its name if there is no text beside it. */
  readonly label?: string;
  /** For a label elsewhere. */
  readonly id?: string;
  readonly describedBy?: string;
  onChange(this: void, checked: boolean): void;
}

/** A small switch with its name beside it: a checkbox, because PrimeReact's switch nests one control in another. @public */
export function Switch({
  checked,
  disabled,
  isBusy = false,
  children,
  label,
  id,
  describedBy,
  onChange,
}: SwitchProps): ReactNode {
  return (
    <label className="tr-switch">
      <input
        type="checkbox"
        role="switch"
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-disabled={isBusy || undefined}
        onChange={(event) => isBusy || onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}
