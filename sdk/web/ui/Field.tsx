import type { ReactNode } from 'react';

/** The props of a control with its name above it. @public */
export interface FieldProps {
  /** Visible above the control. Screen readers use the control's own `label`, with the same or more content. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A control of a settings panel with its name above it; the panel lays out its fields below each other. @public */
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
