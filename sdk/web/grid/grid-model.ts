import { SerialQueue } from '@trellis/core';
import { type GridContext, whyWithoutRow } from './grid-context.ts';
import type { GridCommand } from './grid-keyboard.ts';
import type { RowKey } from '../../shared/index.ts';
import type { CellEdits } from '../rows/index.ts';
import { CellWriter } from './cell-writer.ts';
import { EditSession } from './edit-session.ts';
import { NewRows } from './new-rows.ts';
import { GridState } from './grid-state.ts';
import { tellDeleted } from './refused-texts.ts';
import { RefusedTyping } from './refused-typing.ts';
import { TypedEarly } from './typed-early.ts';
import {
  type CellPlace,
  type GridBounds,
  type GridSelection,
  holdWithin,
  moveFrom,
  nextInReadingOrder,
  rangeOf,
  samePlace,
} from './grid-selection.ts';
import type { GridMove } from './grid-types.ts';

/** The grid without its rendering: its state, the current edit, the selection, and the keyboard commands. */
export class GridModel {
  readonly state: GridState;
  readonly writer: CellWriter;
  readonly session: EditSession;
  readonly newRows: NewRows = new NewRows(this);
  readonly early: TypedEarly = new TypedEarly(this);
  /** Pastes, one at a time. */
  readonly pastes = new SerialQueue();
  readonly #refused: RefusedTyping;
  /** The last ticked row: others may move it before the next one is ticked. */
  #lastTicked: RowKey | undefined;
  /** The column in which the person started moving by Tab: Enter returns to it, one row below. */
  #tabbedFrom: number | undefined;
  /** An action on the selected cell that waits for its row; dropped if something else is done first. */
  #awaitingRow: (() => void) | undefined;
  /** True after Escape in a cell, until the next action: Tab then leaves the grid. */
  #isLeaving = false;

  constructor(edits?: CellEdits) {
    this.state = new GridState(edits);
    this.writer = new CellWriter(this.state);
    this.session = new EditSession(this.state, this.writer, (move) => this.#moveOn(move));
    this.#refused = new RefusedTyping(this.state);
  }

  /** Stores the props of a render. */
  update(context: GridContext): void {
    const isMoved = this.state.update(context);
    const isUnticked = this.state.untickDeleted();
    if (this.session.endWithoutCell() || isMoved || isUnticked) this.#reportSelection();
    tellDeleted(this.state);
    this.newRows.takeArrived();
    this.early.takeArrived();
    this.#takeArrivedRow();
  }

  /** Whether leaving the page would lose something typed or pasted. */
  get hasUnsaved(): boolean {
    return this.session.hasUnsaved || this.newRows.hasUnsaved || this.early.hasUnsaved;
  }

  /** Saves all input, since the grid is being removed. */
  close(): Promise<void> {
    const early = this.early.close();
    return this.session.close(this.newRows.close().then((lost) => [...early, ...lost]));
  }

  /** Handles the content of the text area; false if it is not accepted there, so that the text area is emptied. */
  typed(text: string): boolean {
    if (text !== '') this.#forgetAwaited();
    if (this.holdsTyping) return true;
    if (this.state.isAtEnd) {
      if (text !== '') this.newRows.addHere();
      return this.newRows.isAdding;
    }
    if (text !== '' && this.early.begin()) return true;
    const isTaken = this.session.typed(text);
    if (!isTaken) this.#refused.add(text);
    return isTaken;
  }

  /** Whether typed text waits: for a row that is being added, or for a cell that is loading. */
  get holdsTyping(): boolean {
    return this.newRows.isAdding || this.early.isWaiting;
  }

  /** Stores a key that was pressed while typed text waits, and the text before it. */
  typeAhead(text: string, command: GridCommand): void {
    if (this.newRows.isAdding) this.newRows.typeAhead(text, command);
    else this.early.typeAhead(text, command);
  }

  /** Stops waiting with typed text. */
  leaveTyping(): void {
    this.newRows.leave();
    this.early.leave();
  }

  /** Opens the selected cell for editing; shows why if it cannot be edited. */
  openCell(): void {
    this.#withRow(() => this.session.begin());
  }

  /** Like `openCell`, with pasted files. */
  takeFiles(files: readonly File[]): void {
    this.#withRow(() => this.session.takeFiles(files));
  }

  /** Runs an action on the row of the selected cell, after it is loaded. */
  #withRow(act: () => void): void {
    const { activeRow, activeColumn, context, isAtEnd } = this.state;
    const index = this.state.getSnapshot().selection?.active.row ?? context.rowCount;
    if (activeRow !== undefined || activeColumn === undefined || isAtEnd || index >= context.rowCount)
      return act();
    this.#awaitingRow = act;
    this.state.set({ hint: whyWithoutRow(context) });
  }

  #takeArrivedRow(): void {
    const act = this.#awaitingRow;
    if (act === undefined || this.state.activeRow === undefined) return;
    this.#forgetAwaited();
    act();
  }

  #forgetAwaited(): void {
    if (this.#awaitingRow === undefined) return;
    this.#awaitingRow = undefined;
    this.state.set({ hint: undefined });
  }

  select(place: CellPlace, to: CellPlace = place): void {
    this.session.leave();
    this.#setSelection({ active: place, head: to }, to);
  }

  extendTo(head: CellPlace): void {
    const { selection } = this.state.getSnapshot();
    if (selection === undefined) return this.select(head);
    this.session.leave();
    if (!samePlace(selection.head, head)) this.#setSelection({ active: selection.active, head }, head);
  }

  /** Sets a selection that may start outside the screen, such as a whole column, without scrolling to it. */
  selectInPlace(selection: GridSelection): void {
    this.session.leave();
    this.#setSelection(selection, undefined);
  }

  tickRow(index: number, extend: boolean): void {
    const { source } = this.state.context;
    const known = this.#lastTicked === undefined ? undefined : source.indexOf(this.#lastTicked);
    const from = (extend ? known : undefined) ?? index;
    const [first, last] = [Math.min(from, index), Math.max(from, index)];
    const ticked = source.rowAt(index);
    const add = ticked === undefined || !this.state.getSnapshot().tickedRows.has(ticked.key) || extend;
    this.#lastTicked = ticked?.key;
    void this.state.withRows(first, last, () => this.#tick(first, last, add));
  }

  /** Ticks every row, or unticks all if all loaded ones are ticked. */
  tickAll(): void {
    const { rowCount } = this.state.context;
    if (this.state.getSnapshot().tickedRows.size > 0) return this.clearTicks();
    void this.state.withRows(0, rowCount - 1, () => this.#tick(0, rowCount - 1, true));
  }

  /** Requests the deletion of the ticked rows, like their button. */
  deleteTicked(): void {
    const { readOnly, handlers } = this.state.context;
    if (!readOnly) handlers.onDeleteRows?.([...this.state.getSnapshot().tickedRows]);
  }

  clearTicks(): void {
    if (this.state.getSnapshot().tickedRows.size === 0) return;
    this.state.set({ tickedRows: new Set() });
    this.#reportSelection();
  }

  #tick(first: number, last: number, add: boolean): void {
    const tickedRows = new Set(this.state.getSnapshot().tickedRows);
    for (let index = first; index <= last; index++) {
      const key = this.state.context.source.rowAt(index)?.key;
      if (key === undefined) continue;
      if (add) tickedRows.add(key);
      else tickedRows.delete(key);
    }
    this.state.set({ tickedRows });
    this.#reportSelection();
  }

  focus(): void {
    const { columns, rowCount } = this.state.context;
    this.state.set({ focused: true });
    const isNew = this.state.getSnapshot().selection === undefined && this.state.lostPlace === undefined;
    if (isNew && rowCount > 0 && columns.length > 0) this.select({ row: 0, column: 0 });
  }

  blur(): void {
    this.session.commit();
    this.state.set({ focused: false });
  }

  perform(command: GridCommand): boolean {
    const isLeaving = this.#isLeaving;
    this.#isLeaving = false;
    this.#forgetAwaited();
    if (this.#refused.isUnderWay && command.kind === 'act') return true;
    if (command.kind !== 'act') this.#refused.end();
    if (isLeaving && command.kind === 'step') return false;
    const { selection, editing } = this.state.getSnapshot();
    switch (command.kind) {
      case 'commit':
        this.session.commit(command.move);
        return true;
      case 'commitAndMove':
        this.session.commit();
        return this.perform({ kind: 'move', direction: command.direction, reach: 'cell', extend: false });
      case 'cancel':
        this.session.cancel();
        return true;
      case 'undo':
      case 'redo':
        this.state.context.handlers[command.kind === 'undo' ? 'onUndo' : 'onRedo']?.();
        return true;
    }
    if (command.kind === 'newRow') {
      this.newRows.addHere();
      return this.newRows.isAdding;
    }
    if (command.kind === 'rowAbove' || command.kind === 'rowBelow')
      return this.newRows.addBeside(command.kind === 'rowAbove' ? 'before' : 'after');
    if (this.state.isAtEnd && command.kind === 'edit') {
      this.newRows.addHere();
      if (this.newRows.isAdding) this.newRows.typeAhead('', command);
      return true;
    }
    const bounds = this.state.bounds();
    if (selection === undefined) return this.#resume(command, bounds);
    const isToggled = this.state.activeColumn?.type?.toggle !== undefined;
    switch (command.kind) {
      case 'move': {
        const from = command.extend ? selection.head : selection.active;
        const isStep = command.reach === 'cell' && !command.extend;
        const isAcross = command.direction === 'left' || command.direction === 'right';
        const within = (isStep || isAcross) && !command.extend ? this.#boundsWithEnd() : bounds;
        const to = moveFrom(from, command, within, this.state.context.pageRows);
        if (command.extend) this.extendTo(to);
        else this.select(to);
        return true;
      }
      case 'step': {
        const to = nextInReadingOrder(selection.active, command.by, this.#boundsWithEnd());
        // At the very end the key leaves the grid, so that nobody is trapped in it.
        if (samePlace(to, selection.active)) return false;
        this.#tabTo(to, selection.active);
        return true;
      }
      case 'corner': {
        const to = holdWithin(
          command.corner === 'first' ? { row: 0, column: 0 } : { row: bounds.rows, column: bounds.columns },
          bounds,
        );
        if (command.extend) this.extendTo(to);
        else this.select(to);
        return true;
      }
      case 'selectAll':
        this.selectInPlace({
          active: { row: 0, column: 0 },
          head: { row: bounds.rows - 1, column: bounds.columns - 1 },
        });
        return true;
      case 'edit':
        if (editing !== undefined) this.state.set({ editing: { ...editing, mode: 'editing' } });
        else if (isToggled) this.#withRow(() => this.#toggle());
        else this.openCell();
        return true;
      case 'act':
        this.#withRow(() => (isToggled ? this.#toggle() : this.#openRow()));
        return true;
      case 'tick':
        if (!this.state.isAtEnd) this.tickRow(selection.active.row, false);
        return true;
      case 'escape':
        this.#isLeaving = this.#escape(selection, isLeaving);
        return true;
    }
    return false;
  }

  /** If the selected row is hidden or deleted, the next movement leads to the row now in its place. */
  #resume({ kind }: GridCommand, bounds: GridBounds): boolean {
    const place = this.state.lostPlace;
    const isMovement = kind === 'move' || kind === 'step' || kind === 'corner';
    if (place === undefined || !isMovement || bounds.rows === 0 || bounds.columns === 0) return false;
    this.select(holdWithin(place, bounds));
    return true;
  }

  #openRow(): void {
    const { activeRow, context } = this.state;
    if (activeRow !== undefined) context.handlers.onOpenRow?.(activeRow.key);
  }

  #toggle(): void {
    const column = this.state.activeColumn;
    const row = this.state.activeRow;
    const index = this.state.getSnapshot().selection?.active.row;
    if (column?.type?.toggle === undefined || row === undefined || index === undefined) return;
    const value = column.type.toggle(this.state.valueOf(row, column.entity.id));
    this.writer.writeFromCell(row, index, column, value);
  }

  /**
   * First discards a refused text, then a range, then the ticks. Returns whether there was nothing to discard: then the person is
   * about to leave the grid by Tab; pressed again, it closes the message.
   */
  #escape(selection: GridSelection, isLeaving: boolean): boolean {
    const row = this.state.activeRow;
    const column = this.state.activeColumn;
    if (
      row !== undefined &&
      column !== undefined &&
      this.state.edits.of(row.key, column.entity.id)?.kind === 'failed'
    ) {
      this.state.edits.discard(row.key, column.entity.id);
    } else if (!samePlace(selection.active, selection.head)) {
      this.select(selection.active);
    } else if (this.state.getSnapshot().tickedRows.size > 0) {
      this.clearTicks();
    } else {
      this.state.set({ hint: undefined, ...(isLeaving && { notice: undefined }) });
      return true;
    }
    this.state.set({ hint: undefined });
    return false;
  }

  #moveOn(move: GridMove): void {
    const { selection } = this.state.getSnapshot();
    if (selection === undefined || move === 'stay') return;
    const bounds = this.#boundsWithEnd();
    const { active } = selection;
    if (move === 'right' || move === 'left')
      return this.#tabTo(nextInReadingOrder(active, move === 'right' ? 1 : -1, bounds), active);
    const column = move === 'down' ? (this.#tabbedFrom ?? active.column) : active.column;
    if (move === 'down' && this.newRows.goOn(column)) return;
    this.select(moveFrom({ ...active, column }, { direction: move, reach: 'cell' }, bounds, 1));
  }

  /** Moves by Tab: the column where that began is kept. */
  #tabTo(to: CellPlace, from: CellPlace): void {
    const began = this.#tabbedFrom ?? from.column;
    this.select(to);
    this.#tabbedFrom = began;
  }

  /** The cells, including the line under them that starts a new row. */
  #boundsWithEnd(): GridBounds {
    const { rows, columns } = this.state.bounds();
    return { rows: this.state.canAppend ? this.state.endRow + 1 : rows, columns };
  }

  #setSelection(selection: GridSelection, reveal: CellPlace | undefined): void {
    this.#tabbedFrom = undefined;
    this.#isLeaving = false;
    this.#awaitingRow = undefined;
    this.#refused.end();
    this.early.leave();
    this.state.set({
      selection,
      hint: undefined,
      reveal: reveal === undefined ? this.state.getSnapshot().reveal : { ...reveal },
    });
    this.newRows.selected(selection.active.row);
    this.#reportSelection();
  }

  #reportSelection(): void {
    const { columns, source, handlers } = this.state.context;
    if (handlers.onSelectionChange === undefined) return;
    const { selection, tickedRows } = this.state.getSnapshot();
    const rowKeys = [...tickedRows];
    if (selection === undefined)
      return handlers.onSelectionChange({ active: undefined, range: undefined, rowKeys });
    const { top, bottom, left, right } = rangeOf(selection);
    const column = columns[selection.active.column];
    const index = selection.active.row;
    handlers.onSelectionChange({
      active: column && { index, rowKey: source.rowAt(index)?.key, columnId: column.entity.id },
      range: { top, bottom, columnIds: columns.slice(left, right + 1).map((each) => each.entity.id) },
      rowKeys,
    });
  }
}
