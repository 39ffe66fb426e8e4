import type { Translate } from '../context.ts';
import type { ProjectEntity, TableEntity } from '../../shared/index.ts';
import type { RowData, RowSource } from '../rows/index.ts';
import { whyNotPasted, type GridColumn } from './grid-column.ts';
import type { GridHandlers } from './grid-types.ts';

/** At most so many rows are copied, pasted over, cleared or selected by their boxes at a time. */
export const MAX_ROWS_AT_ONCE = 10_000;

/** What the grid was last drawn with; the model reads it when the user does something. */
export interface GridContext {
  /** In the order in which they are drawn. */
  readonly columns: readonly GridColumn[];
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly source: RowSource;
  /** The rows that are drawn, also while the true count is unknown. */
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

/** Why a cell cannot be edited, in the user's words; undefined when it can. */
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

/** Why nothing can be done yet with a cell whose row is on its way, in the user's words. */
export function whyWithoutRow({ t }: GridContext): string {
  return t('This row is still loading.');
}

/** Why a cell cannot be emptied, in the user's words; undefined when it can. */
export function whyNotCleared(context: GridContext, column: GridColumn, row: RowData): string | undefined {
  return whyNotEditable(context, { ...column, whyReadOnly: whyNotPasted(column) }, row);
}

/**
 * How many rows to draw: the count, or while it is unknown what is known plus a stretch of placeholders, so that the
 * user can go on scrolling.
 */
export function drawnRowCount(source: RowSource, stretch: number): number {
  return source.count ?? source.atLeast + stretch;
}
