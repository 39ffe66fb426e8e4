import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { ColumnLayout } from './column-layout.ts';
import { GridEditorLayer } from './GridEditorLayer.tsx';
import { shownText } from './grid-column.ts';
import { GridInput } from './GridInput.tsx';
import type { GridCommand } from './grid-keyboard.ts';
import type { GridModel } from './grid-model.ts';
import { type GridEditing, type GridSnapshot, isEditedInPlace } from './grid-state.ts';
import type { GridScroller } from './grid-scroller.ts';
import type { Translate } from '../context.ts';
import type { CellMark } from './cells-in-sight.ts';
import { placeHint } from './hint-place.ts';
import { shortened, storedMeanwhile } from './written-over.ts';

export interface GridOverlayProps {
  readonly model: GridModel;
  readonly scroller: GridScroller;
  readonly state: GridSnapshot;
  readonly layout: ColumnLayout;
  /** Pixels from the first line to the active cell's. */
  readonly activeTop: number;
  readonly rowHeight: number;
  /** The number of the first row. */
  readonly firstNumber: number;
  readonly headerHeight: number;
  readonly gridId: string;
  readonly label: string;
  readonly isRightToLeft: boolean;
  /** Whether the line under the last row is selected. */
  readonly isAtEnd: boolean;
  /** The element of the active cell, if it is drawn. */
  readonly activeCellId: string | undefined;
  /** Why the text of the active cell was refused. */
  readonly refusal: string | undefined;
  /** The marks of the active cell's row. */
  readonly marks: readonly CellMark[] | undefined;
  readonly t: Translate;
  readonly onCommand: (command: GridCommand) => boolean;
}

/** The layer on the active cell: the text area, a column type's editor, and messages about the cell. */
export function GridOverlay(props: GridOverlayProps): ReactNode {
  const { model, scroller, state, layout, activeTop, rowHeight, headerHeight, gridId, refusal, t } = props;
  const box = useRef<HTMLDivElement>(null);
  const active = state.selection?.active;
  const column = active === undefined ? undefined : layout.columns[active.column];

  useLayoutEffect(() => {
    const place = (): void => {
      const element = box.current;
      if (element === null || active === undefined || column === undefined) return;
      const frozen = active.column < layout.frozenCount;
      const left = layout.lefts[active.column] ?? 0;
      const top = headerHeight + activeTop - scroller.offset;
      // Under the frozen columns it is clipped, like the cell; above one it moves along.
      const hidden = frozen ? 0 : Math.max(0, layout.frozenWidth - (left - scroller.left));
      const x = scroller.towardsEnd(left + (frozen ? scroller.left : 0));
      element.style.transform = `translate(${x}px, ${top}px)`;
      element.style.width = `${column.width}px`;
      const [cutRight, cutLeft] = scroller.towardsEnd(1) > 0 ? [-800, hidden] : [hidden, -800];
      element.style.clipPath = hidden > 0 ? `inset(-400px ${cutRight}px -800px ${cutLeft}px)` : '';
      keepHintInside(element, props.isRightToLeft);
    };
    place();
    return scroller.follow(place);
  });

  const hint = refusal === undefined ? state.hint : t('Not saved: {{reason}}', { reason: refusal });
  const label =
    active === undefined || column === undefined
      ? props.label
      : props.isAtEnd
        ? t('{{title}}, new row', { title: column.entity.title })
        : t('{{title}}, row {{n}}', { title: column.entity.title, n: active.row + props.firstNumber });
  const { editing } = state;
  return (
    <div
      ref={box}
      className={props.isAtEnd ? 'tgrid-overlay is-new-row' : 'tgrid-overlay'}
      style={{ height: rowHeight }}
    >
      <GridInput
        model={model}
        state={state}
        label={label}
        isRightToLeft={props.isRightToLeft}
        activeCellId={props.activeCellId}
        describedBy={hint === undefined ? undefined : `${gridId}-hint`}
        controls={gridId}
        onCommand={props.onCommand}
      />
      {editing !== undefined && !isEditedInPlace(editing) && (
        <GridEditorLayer
          key={`${editing.row.key} ${editing.column.entity.id}`}
          editing={editing}
          model={model}
        />
      )}
      {editing !== undefined && <OthersHere editing={editing} model={model} marks={props.marks} t={t} />}
      {hint !== undefined && editing === undefined && (
        <div
          id={`${gridId}-hint`}
          role="alert"
          className={refusal === undefined ? 'tgrid-hint' : 'tgrid-hint is-danger'}
        >
          {hint}
          {refusal !== undefined && (
            <div className="tgrid-hint-way-out">
              {t('Enter to correct it, Escape to take the stored value.')}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** Shows at an open editor that others are in its cell. It is above the cell, since lists of editors open below. */
function OthersHere(
  props: Pick<GridOverlayProps, 'model' | 'marks' | 't'> & { readonly editing: GridEditing },
) {
  const { model, marks, t, editing } = props;
  const theirs = storedMeanwhile(model.state, editing);
  const names = (marks ?? [])
    .filter(({ columnId }) => columnId === editing.column.entity.id)
    .map(({ label }) => label);
  if (theirs === undefined && names.length === 0) return null;
  return (
    <div role="status" className={theirs ? 'tgrid-hint is-beside is-warning' : 'tgrid-hint is-beside'}>
      {theirs === undefined
        ? t('Also in this cell: {{names}}', { names: names.join(', ') })
        : theirs.text === ''
          ? t('Somebody else emptied this cell meanwhile.')
          : t('Somebody else changed this to “{{text}}” meanwhile.', {
              text: shortened(shownText(theirs.text, editing.column)),
            })}
      {theirs !== undefined && (
        <div className="tgrid-hint-way-out">{t('Enter to write over it, Escape to keep it.')}</div>
      )}
    </div>
  );
}

/** At the last column and over the last rows, a message about a cell would be clipped. */
function keepHintInside(overlay: HTMLElement, isRightToLeft: boolean): void {
  const hint = overlay.querySelector<HTMLElement>('.tgrid-hint');
  const grid = overlay.closest('.tgrid');
  if (hint === null || grid === null) return;
  const { width, height } = hint.getBoundingClientRect();
  const { start, isAbove } = placeHint(
    overlay.getBoundingClientRect(),
    grid.getBoundingClientRect(),
    { width, height, prefersAbove: hint.classList.contains('is-beside') },
    isRightToLeft,
  );
  hint.style.insetInlineStart = `${start}px`;
  hint.classList.toggle('is-above', isAbove);
}
