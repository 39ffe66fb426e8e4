import { ProgressBar } from 'primereact/progressbar';
import type { ReactNode } from 'react';

/** The props of a progress bar. @public */
export interface ProgressProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** Percent; undefined if the total is unknown. */
  readonly value: number | undefined;
  /** The text for screen readers instead of the percentage. */
  readonly text?: string;
}

/** A thin bar that fills, or moves to and fro while the total is unknown. @public */
export function Progress({ label, value, text }: ProgressProps): ReactNode {
  return (
    <ProgressBar
      mode={value === undefined ? 'indeterminate' : 'determinate'}
      value={value}
      showValue={false}
      aria-label={label}
      aria-valuetext={text}
    />
  );
}
