import type { GridCommand } from './grid-keyboard.ts';
import { GridEditor } from './grid-editor.ts';
import {
  type CellPlace,
  type GridSelection,
  holdWithin,
  moveFrom,
  nextInReadingOrder,
  rangeOf,
  samePlace,
} from './grid-selection.ts';
import type { GridMove } from './grid-types.ts';

/** The grid's state and everything that changes it, apart from drawing: here the selection and the commands of the keyboard. */
export class GridModel extends GridEditor {
  private lastTicked = 0;

  select(place: CellPlace, to: CellPlace = place): void {
    this.leaveEditor();
    this.setSelection({ active: place, head: to }, to);
  }

  extendTo(head: CellPlace): void {
    const { selection } = this.getState();
    if (selection === undefined) return this.select(head);
    this.leaveEditor();
    if (!samePlace(selection.head, head)) this.setSelection({ active: selection.active, head }, head);
  }

  /** Shows a selection that may start outside the screen, such as a whole column, without scrolling to it. */
  selectInPlace(selection: GridSelection): void {
    this.leaveEditor();
    this.setSelection(selection, undefined);
  }

  tickRow(index: number, extend: boolean): void {
    const first = extend ? Math.min(this.lastTicked, index) : index;
    const last = extend ? Math.max(this.lastTicked, index) : index;
    const ticked = this.context.source.rowAt(index);
    const add = ticked === undefined || !this.getState().tickedRows.has(ticked.key) || extend;
    this.lastTicked = index;
    void this.withRows(first, last, () => this.tick(first, last, add));
  }

  /** Ticks every row, or none when all that are held are ticked. */
  tickAll(): void {
    const { rowCount } = this.context;
    if (this.getState().tickedRows.size > 0) return this.clearTicks();
    void this.withRows(0, rowCount - 1, () => this.tick(0, rowCount - 1, true));
  }

  clearTicks(): void {
    this.set({ tickedRows: new Set() });
    this.reportSelection();
  }

  private tick(first: number, last: number, add: boolean): void {
    const tickedRows = new Set(this.getState().tickedRows);
    for (let index = first; index <= last; index++) {
      const key = this.context.source.rowAt(index)?.key;
      if (key === undefined) continue;
      if (add) tickedRows.add(key);
      else tickedRows.delete(key);
    }
    this.set({ tickedRows });
    this.reportSelection();
  }

  focus(): void {
    const { columns, rowCount } = this.context;
    this.set({ focused: true });
    if (this.getState().selection === undefined && rowCount > 0 && columns.length > 0)
      this.select({ row: 0, column: 0 });
  }

  blur(): void {
    this.commitEditing();
    this.set({ focused: false });
  }

  perform(command: GridCommand): boolean {
    const { selection, editing } = this.getState();
    switch (command.kind) {
      case 'commit':
        this.commitEditing(command.move);
        return true;
      case 'commitAndMove':
        this.commitEditing();
        return this.perform({ kind: 'move', direction: command.direction, reach: 'cell', extend: false });
      case 'cancel':
        this.cancelEditing();
        return true;
      case 'undo':
      case 'redo':
        this.context.handlers[command.kind === 'undo' ? 'onUndo' : 'onRedo']?.();
        return true;
    }
    if (selection === undefined) return false;
    const bounds = this.bounds();
    switch (command.kind) {
      case 'move': {
        const from = command.extend ? selection.head : selection.active;
        const to = moveFrom(from, command.direction, command.reach, bounds, this.context.pageRows);
        if (command.extend) this.extendTo(to);
        else this.select(to);
        return true;
      }
      case 'step': {
        const to = nextInReadingOrder(selection.active, command.by, bounds);
        // At the very end the key leaves the grid, so that nobody is caught in it.
        if (samePlace(to, selection.active)) return false;
        this.select(to);
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
        if (editing !== undefined) this.set({ editing: { ...editing, mode: 'editing' } });
        else if (this.activeColumn?.type.toggles !== undefined) this.toggle();
        else this.beginEditing();
        return true;
      case 'act':
        if (this.activeColumn?.type.toggles !== undefined) this.toggle();
        else if (this.activeRow !== undefined) this.context.handlers.onOpenRow?.(this.activeRow.key);
        return true;
      case 'tick':
        this.tickRow(selection.active.row, false);
        return true;
      case 'escape':
        this.escape(selection);
        return true;
    }
    return false;
  }

  private toggle(): void {
    const column = this.activeColumn;
    const row = this.activeRow;
    const index = this.getState().selection?.active.row;
    if (column?.type.toggles === undefined || row === undefined || index === undefined) return;
    this.writeFromCell(row, index, column, column.type.toggles(this.valueOf(row, column.id)));
  }

  /** First takes back a refused text, then a range, then the ticked rows. */
  private escape(selection: GridSelection): void {
    const row = this.activeRow;
    const column = this.activeColumn;
    if (row !== undefined && column !== undefined && this.edits.of(row.key, column.id)?.kind === 'failed') {
      this.edits.discard(row.key, column.id);
    } else if (!samePlace(selection.active, selection.head)) {
      this.select(selection.active);
    } else if (this.getState().tickedRows.size > 0) {
      this.clearTicks();
    }
    this.set({ hint: undefined, notice: undefined });
  }

  protected override moveAfterCommit(move: GridMove): void {
    const { selection } = this.getState();
    if (selection === undefined || move === 'stay') return;
    const bounds = this.bounds();
    const { active } = selection;
    if (move === 'next' || move === 'previous') {
      this.select(nextInReadingOrder(active, move === 'next' ? 1 : -1, bounds));
    } else {
      this.select(moveFrom(active, move, 'cell', bounds, 1));
    }
  }

  private setSelection(selection: GridSelection, reveal: CellPlace | undefined): void {
    this.set({
      selection,
      hint: undefined,
      reveal: reveal === undefined ? this.getState().reveal : { ...reveal },
    });
    this.reportSelection();
  }

  private reportSelection(): void {
    const { columns, source, handlers } = this.context;
    if (handlers.onSelectionChange === undefined) return;
    const { selection, tickedRows } = this.getState();
    const rowKeys = [...tickedRows];
    if (selection === undefined)
      return handlers.onSelectionChange({ active: undefined, range: undefined, rowKeys });
    const { top, bottom, left, right } = rangeOf(selection);
    const column = columns[selection.active.column];
    const index = selection.active.row;
    handlers.onSelectionChange({
      active: column && { index, rowKey: source.rowAt(index)?.key, columnId: column.id },
      range: { top, bottom, columnIds: columns.slice(left, right + 1).map((each) => each.id) },
      rowKeys,
    });
  }
}
