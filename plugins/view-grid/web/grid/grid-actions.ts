import type { GridModel } from './grid-model.ts';
import type { GridColumn, GridRowData } from './grid-types.ts';

/** A column whose component threw so often is not tried again until it gets another type. */
const ERRORS_UNTIL_SUSPENDED = 20;

/** What rows and cells call back; one object for the life of a grid, so that drawn rows need not be drawn again. */
export class GridActions {
  private readonly errors = new Map<
    string,
    { readonly type: GridColumn['type']; count: number; readonly reason: string }
  >();

  constructor(private readonly model: GridModel) {}

  writeFromCell(row: GridRowData, index: number, column: GridColumn, value: unknown): void {
    this.model.writeFromCell(row, index, column, value);
  }

  tickRow(index: number, extend: boolean): void {
    this.model.tickRow(index, extend);
    this.model.focusInput();
  }

  openRow(key: string): void {
    this.model.context.handlers.onOpenRow?.(key);
  }

  /** Reports the first error of a column with its type, and counts the others. */
  reportCellError(column: GridColumn, error: Error): void {
    const known = this.errors.get(column.id);
    if (known?.type === column.type) {
      known.count += 1;
      return;
    }
    this.errors.set(column.id, { type: column.type, count: 1, reason: error.message });
    this.model.context.handlers.onCellError?.(column.id, error);
  }

  /** Why a column is no longer drawn; undefined while it is. */
  brokenReason(column: GridColumn): string | undefined {
    const known = this.errors.get(column.id);
    return known?.type === column.type && known.count >= ERRORS_UNTIL_SUSPENDED ? known.reason : undefined;
  }
}
