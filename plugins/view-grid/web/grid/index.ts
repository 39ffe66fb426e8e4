export { Grid } from './Grid.tsx';
export { RowWindow, type RowWindowOptions } from './row-window.ts';
export type { GridTranslate } from './grid-texts.ts';
export type * from './grid-types.ts';
