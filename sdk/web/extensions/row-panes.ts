import type { ComponentType } from 'react';
import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { SlotItem } from './shell.ts';

/** The row that a pane is about. @public */
export interface RowPaneProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly rowKey: RowKey;
  /**
   * Given to the `Component` of a pane. Call it with true as soon as the pane holds something that is not saved, and with false when
   * it no longer does. Meanwhile the pane stays mounted out of sight while something else of the row is shown, and the person is
   * asked before the row is left.
   */
  readonly onDirty?: (isDirty: boolean) => void;
}

/**
 * What the row panel shows of a row in place of its fields, once somebody asks for it: its history, its comments. `when` is given the
 * project and table of the row.
 * @public
 */
export interface RowPane extends SlotItem<RowPaneProps> {
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** A small sign at the pane's button, such as how much there is in it. */
  readonly Badge?: ComponentType<RowPaneProps>;
}
