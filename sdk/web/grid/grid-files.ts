import type { DragEvent } from 'react';
import { whyNotEditable } from './grid-context.ts';
import type { GridModel } from './grid-model.ts';
import type { CellHit, GridScroller } from './grid-scroller.ts';
import { samePlace } from './grid-selection.ts';

/** Handles files dragged onto cells: the cell under the pointer is selected if it accepts them, and opened with them. */
export class GridFiles {
  readonly #model: GridModel;
  readonly #scroller: GridScroller;

  constructor(model: GridModel, scroller: GridScroller) {
    this.#model = model;
    this.#scroller = scroller;
  }

  readonly onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // For a file dropped beside a cell, the browser would leave the page.
    event.preventDefault();
    const hit = this.#taker(event);
    event.dataTransfer.dropEffect = hit === undefined ? 'none' : 'copy';
    const active = this.#model.state.getSnapshot().selection?.active;
    if (hit !== undefined && (active === undefined || !samePlace(active, hit))) this.#select(hit);
  };

  readonly onDrop = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    const hit = this.#taker(event);
    if (hit === undefined) return;
    // Like a press elsewhere: a row that arrives now must not close the editor with the files.
    this.#model.newRows.leave();
    this.#select(hit);
    this.#model.session.takeFiles([...event.dataTransfer.files]);
  };

  /** The cell under the pointer, if it accepts files. */
  #taker({ clientX, clientY }: DragEvent): CellHit | undefined {
    const { context } = this.#model.state;
    const hit = this.#scroller.hitTest(clientX, clientY);
    if (hit === undefined || hit.inGutter) return undefined;
    const column = context.columns[hit.column];
    const row = context.source.rowAt(hit.row);
    const takes =
      column?.type?.takesFiles === true &&
      row !== undefined &&
      whyNotEditable(context, column, row) === undefined;
    return takes ? hit : undefined;
  }

  #select({ row, column }: CellHit): void {
    this.#model.select({ row, column });
    this.#model.state.focusInput();
  }
}
