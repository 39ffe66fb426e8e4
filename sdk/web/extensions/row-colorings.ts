import type { FilterOperator, TableEntity } from '../../shared/index.ts';
import type { WebColumnType } from './column-types.ts';

/** The colour of a row: the whole row, or a stripe at its start. @public */
export interface RowColor {
  /** `#2d6fdb`: a strong colour. The page tints rows with it so that their text stays readable, in light and dark mode. */
  readonly color: string;
  readonly place: 'row' | 'stripe';
}

/** The colours of the rows of one view. @public */
export interface RowColors {
  /** The columns that determine the colours: the page also loads them if the view does not show them. */
  readonly columnIds: readonly string[];
  /**
   * The colour of a row; undefined for none. Called for each visible row on every render, so it must be fast and pure.
   *
   * @param values by column id
   */
  colorOf(this: void, values: Readonly<Record<string, unknown>>): RowColor | undefined;
}

/** The input of a colouring. @public */
export interface RowColoringContext {
  readonly table: TableEntity;
  /** The options of view additions for the view, by their ids, as this person sees it. */
  readonly additions: Readonly<Record<string, unknown>>;
  readonly types: readonly WebColumnType[];
  readonly operators: readonly FilterOperator[];
}

/** Colours rows of views. Of several, the first one in order with a colour for a row applies. @public */
export interface RowColoring {
  readonly id: string;
  /** Undefined if it colours no row of the view. An error is reported with its plugin, and the rows get no colour from it. */
  of(this: void, context: RowColoringContext): RowColors | undefined;
}
