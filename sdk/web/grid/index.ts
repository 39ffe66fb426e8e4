export { Grid } from './lazy-grid.ts';
export type { GridColumn } from './grid-column.ts';
export type {
  GridHandle,
  GridHandlers,
  GridMenuRequest,
  GridMove,
  GridProps,
  GridSelectionReport,
  UnsavedCell,
} from './grid-types.ts';
