import type { Translate } from '../context.ts';
import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type { RowData, RowSource } from '../rows/index.ts';
import { whyNotPasted, type GridColumn } from './grid-column.ts';
import type { GridHandlers } from './grid-types.ts';

/** The most rows to copy, paste over, clear or tick at a time. */
export const MAX_ROWS_AT_ONCE = 10_000;

/** The props of the last render, which the model reads when the user acts. */
export interface GridContext {
  /** In the order of drawing. */
  readonly columns: readonly GridColumn[];
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly source: RowSource;
  /** The drawn rows, even while the true count is unknown. */
  readonly rowCount: number;
  /** As in `GridProps`. */
  readonly firstNumber: number;
  /** As in `GridProps`. */
  readonly goesOn: boolean;
  /** How many whole rows fit on the screen. */
  readonly pageRows: number;
  readonly readOnly: boolean;
  readonly handlers: GridHandlers;
  readonly t: Translate;
}

/** Why a cell cannot be edited, in the user's words; undefined if it can. */
export function whyNotEditable(
  context: GridContext,
  column: GridColumn,
  row: RowData | undefined,
): string | undefined {
  const { t } = context;
  if (context.readOnly || context.handlers.onCommitCells === undefined)
    return t('This table is read-only for you.');
  if (row === undefined) return whyWithoutRow(context);
  if (row.readOnly === true) return t('This row is read-only.');
  return column.whyReadOnly;
}

/** Why nothing can be done yet with a cell whose row is loading, in the user's words. */
export function whyWithoutRow({ t }: GridContext): string {
  return t('This row is still loading.');
}

/** Why a cell cannot be emptied, in the user's words; undefined if it can. */
export function whyNotCleared(context: GridContext, column: GridColumn, row: RowData): string | undefined {
  return whyNotEditable(context, { ...column, whyReadOnly: whyNotPasted(column) }, row);
}

/**
 * How many rows to draw: the count, or while it is unknown the known ones plus a stretch of placeholders, so that the user can
 * continue to scroll.
 */
export function drawnRowCount(source: RowSource, stretch: number): number {
  return source.count ?? source.atLeast + stretch;
}
