export { Grid } from './lazy-grid.ts';
export {
  CellsInSight,
  CellsInSightContext,
  useCellMarks,
  useCellsInSight,
  type CellInSight,
  type CellMark,
  type CellMarks,
} from './cells-in-sight.ts';
export type { GridColumn } from './grid-column.ts';
export { useGridColumns } from './use-grid-columns.ts';
export type { GridCommand } from './grid-keyboard.ts';
export { gridShortcuts, type GridShortcut } from './grid-shortcuts.ts';
export type {
  GridFigure,
  GridFooterProps,
  GridHandle,
  GridHandlers,
  GridHead,
  GridMenuRequest,
  GridMove,
  GridProps,
  GridSelectionReport,
  UnsavedCell,
} from './grid-types.ts';
