import type { ComponentType } from 'react';
import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { SlotItem } from './shell.ts';

/** The row that a pane is about. @public */
export interface RowPaneProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly rowKey: RowKey;
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
