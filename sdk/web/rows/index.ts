export type { CellChange, CellFailure } from './cell-changes.ts';
export { CellEdits, type CellEdit, type FailedEdit, type RowEdits } from './cell-edits.ts';
export { MemoryRows } from './memory-rows.ts';
export { titledRow, type RowValues } from './row-codec.ts';
export type { RowData, RowSource } from './row-source.ts';
export { RowWindow, type RowWindowOptions } from './row-window.ts';
export { RowsClient, type AddedRow, type RowsOptions } from './rows-client.ts';
export type { RowsPlace } from './rows-place.ts';
export { useRows } from './use-rows.ts';
