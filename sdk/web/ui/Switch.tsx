import { type ReactNode } from 'react';

/** Something that is on or off, at once. @public */
export interface SwitchProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** What it switches. */
  readonly children: ReactNode;
  onChange(this: void, checked: boolean): void;
}

/** A small switch with its name beside it: a checkbox, because PrimeReact's switch nests one control in another. @public */
export function Switch({ checked, disabled, children, onChange }: SwitchProps): ReactNode {
  return (
    <label className="tr-switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}
