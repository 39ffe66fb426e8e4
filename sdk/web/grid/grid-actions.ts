import type { GridModel } from './grid-model.ts';
import type { CellValue, ColumnEntity } from '../../shared/index.ts';
import type { RowData } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';

/** The number of errors after which a column's component is not tried again until it gets another type. */
const ERRORS_UNTIL_SUSPENDED = 20;

/** The callbacks of rows and cells; one object for the life of a grid, so that drawn rows need not be rendered again. */
export class GridActions {
  readonly #errors = new Map<
    string,
    { readonly type: GridColumn['type']; count: number; readonly reason: string }
  >();

  readonly #model: GridModel;

  constructor(model: GridModel) {
    this.#model = model;
  }

  writeFromCell(row: RowData, index: number, column: GridColumn, value: CellValue): void {
    this.#model.writer.writeFromCell(row, index, column, value);
  }

  openWhole(row: RowData, index: number, column: GridColumn): void {
    this.#model.session.openWhole(row, index, column);
  }

  tickRow(index: number, extend: boolean): void {
    this.#model.tickRow(index, extend);
    this.#model.state.focusInput();
  }

  tickAll(): void {
    this.#model.tickAll();
    this.#model.state.focusInput();
  }

  /** Selects every cell of a column, or of all columns from the active one to it. */
  selectColumn(column: number, extend: boolean): void {
    const { state } = this.#model;
    this.#model.newRows.leave();
    state.focusInput();
    const from = extend ? (state.getSnapshot().selection?.active.column ?? column) : column;
    this.#model.selectInPlace({
      active: { row: 0, column: from },
      head: { row: state.context.rowCount - 1, column },
    });
  }

  /** Opens the field for a column's title, if it can be renamed. */
  startRename(columnId: string): void {
    const { state } = this.#model;
    const { handlers, readOnly } = state.context;
    if (handlers.onRenameColumn !== undefined && !readOnly) state.set({ renaming: columnId });
  }

  /**
   * Closes the field; `title` undefined keeps the title.
   *
   * @returns false if the title was refused: then the field stays open.
   */
  async endRename(column: ColumnEntity, title: string | undefined): Promise<boolean> {
    const { state } = this.#model;
    const isOpen = (): boolean => state.getSnapshot().renaming === column.id;
    if (!isOpen()) return true;
    const name = title?.trim() ?? '';
    if (name !== '' && name !== column.title) {
      try {
        await state.context.handlers.onRenameColumn?.(column.id, name);
      } catch {
        // The handler has shown why.
        return false;
      }
    }
    if (isOpen()) state.set({ renaming: undefined });
    return true;
  }

  append(): void {
    this.#addAnother();
  }

  /** Adds a row to a group. */
  appendTo(group: string): void {
    const { handlers } = this.#model.state.context;
    this.#addAnother((isAwaited) => handlers.onAppendToGroup?.(group, isAwaited));
  }

  /** Each press adds a row, even while the previous one is being added. Text typed from now on belongs to the new row. */
  #addAnother(request?: Parameters<GridModel['newRows']['add']>[0]): void {
    this.#model.newRows.leave();
    this.#model.state.focusInput();
    this.#model.newRows.add(request);
  }

  focusGrid(): void {
    this.#model.state.focusInput();
  }

  openRow(key: string): void {
    this.#model.state.context.handlers.onOpenRow?.(key);
  }

  /** Reports the first error of a column with its type, and counts the others. */
  reportCellError(column: GridColumn, error: Error): void {
    const known = this.#errors.get(column.entity.id);
    if (known !== undefined && known.type === column.type) {
      known.count += 1;
      return;
    }
    this.#errors.set(column.entity.id, { type: column.type, count: 1, reason: error.message });
    this.#model.state.context.handlers.onCellError?.(column.entity.id, error);
  }

  /** Why a column is no longer drawn; undefined while it is. */
  brokenReason(column: GridColumn): string | undefined {
    const known = this.#errors.get(column.entity.id);
    return known !== undefined && known.type === column.type && known.count >= ERRORS_UNTIL_SUSPENDED
      ? known.reason
      : undefined;
  }
}
