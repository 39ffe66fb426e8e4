import type { ReactNode } from 'react';
import type { Translate } from '../context.ts';

interface GridAppendProps {
  /** Of its cell, which can be the active one. */
  readonly id: string;
  readonly isActive: boolean;
  /** Pixels from the top of the rows, and its size. */
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly onAppend: () => void;
  readonly t: Translate;
}

/** The line under the last row, which starts a new one. */
export function GridAppend({ id, isActive, top, height, width, onAppend, t }: GridAppendProps): ReactNode {
  return (
    <div
      role="row"
      className={isActive ? 'tgrid-append is-active' : 'tgrid-append'}
      style={{ transform: `translateY(${top}px)`, height, width }}
    >
      <div role="gridcell" id={id} className="tgrid-append-cell">
        <button type="button" className="tgrid-append-button" onClick={onAppend}>
          <span className="tgrid-append-words">
            <span aria-hidden="true">+</span> {t('Add a row')}
          </span>
        </button>
      </div>
    </div>
  );
}
