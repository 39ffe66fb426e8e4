import { ProgressBar } from 'primereact/progressbar';
import type { ReactNode } from 'react';

/** How far something is. @public */
export interface ProgressProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** Percent; undefined while nobody knows how much there is to do. */
  readonly value: number | undefined;
  /** What a screen reader says instead of the percent. */
  readonly text?: string;
}

/** A thin bar that fills, or runs to and fro while the end is not known. @public */
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
