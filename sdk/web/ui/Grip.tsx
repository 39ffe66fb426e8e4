import type { ReactNode } from 'react';
import type { useSortable } from './sortable.ts';

/** The props of a row's grip. @public */
export interface GripProps {
  /** Its action: `Move the rule: arrow up or down`. */
  readonly label: string;
  /** `handle(index)` of the list's `useSortable`. */
  readonly handle: ReturnType<ReturnType<typeof useSortable>['handle']>;
}

/** The grip of a row in a list of `useSortable`: it moves the row by mouse, pen, finger or the arrow keys. @public */
export function Grip({ label, handle }: GripProps): ReactNode {
  return (
    <button type="button" className="tr-grip" aria-label={label} {...handle}>
      <i className="pi pi-bars" aria-hidden="true" />
    </button>
  );
}
