import type { FilterOperator, TableEntity } from '../../shared/index.ts';
import type { WebColumnType } from './column-types.ts';

/** How a row is coloured: as a whole, or by a stripe where it begins. @public */
export interface RowColor {
  /** `#2d6fdb`: a strong tone. The page tints rows by it so that their text can be read, in light and in dark. */
  readonly color: string;
  readonly place: 'row' | 'stripe';
}

/** The colours of the rows of one view. @public */
export interface RowColors {
  /** The columns that rows are coloured by: the page reads them also where the view does not show them. */
  readonly columnIds: readonly string[];
  /**
   * The colour of a row; undefined for none. Called for each row in sight whenever it is drawn, so it must be quick and give the same for the
   * same row.
   *
   * @param values by the ids of the columns
   */
  colorOf(this: void, values: Readonly<Record<string, unknown>>): RowColor | undefined;
}

/** What a colouring decides by. @public */
export interface RowColoringContext {
  readonly table: TableEntity;
  /** What view additions keep with the view, by their ids, as this person looks at it. */
  readonly additions: Readonly<Record<string, unknown>>;
  readonly types: readonly WebColumnType[];
  readonly operators: readonly FilterOperator[];
}

/** Colours rows of views. Of several the first one in order that has a colour for a row decides. @public */
export interface RowColoring {
  readonly id: string;
  /** Undefined where it colours no row of the view. What it throws is shown with its plugin, and the rows have no colour of it. */
  of(this: void, context: RowColoringContext): RowColors | undefined;
}
