import type { ComponentType } from 'react';
import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { SlotItem } from './shell.ts';

/** The row of a pane. @public */
export interface RowPaneProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly rowKey: RowKey;
  /**
   * Passed to the `Component` of a pane. Call it with true as soon as the pane holds unsaved input, and with false when it no
   * longer does. Meanwhile the pane stays mounted but hidden while something else of the row is shown, and the person is asked
   * before leaving the row.
   */
  readonly onDirty?: (isDirty: boolean) => void;
}

/**
 * Additional content of the row panel, shown on request in place of the fields: history, comments. `when` gets the project and
 * table of the row.
 * @public
 */
export interface RowPane extends SlotItem<RowPaneProps> {
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** A small badge at the pane's button, such as the number of its entries. */
  readonly Badge?: ComponentType<RowPaneProps>;
}
