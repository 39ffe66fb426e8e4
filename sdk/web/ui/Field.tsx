import type { ReactNode } from 'react';

/** A control with its name over it. @public */
export interface FieldProps {
  /** Seen over the control. Screen readers have it from the control itself, whose `label` says the same, or more. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A control of a settings panel with its name over it; the panel's place lays out its fields below each other. @public */
export function Field({ label, children }: FieldProps): ReactNode {
  return (
    <div className="tr-setting">
      <span className="tr-setting-label" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}
