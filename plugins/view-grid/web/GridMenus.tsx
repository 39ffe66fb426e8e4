import type { RowKey } from '@trellis/sdk/shared';
import type { TableDialogs, ViewProps } from '@trellis/sdk/web';
import type { GridColumn, GridHandle, GridMenuRequest } from '@trellis/sdk/web/grid';
import type { RowData, RowSource } from '@trellis/sdk/web/rows';
import type { ReactNode, RefObject } from 'react';
import { hasColumnMenu } from './column-menu.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { RowMenu } from './RowMenu.tsx';
import { mayDesign } from './use-grid-editing.ts';
import type { RowCommands } from './use-row-commands.ts';
import { useTold } from './use-told.ts';
import type { ViewChanges } from './use-view-changes.ts';

/** A menu that was asked for. */
export interface OpenMenu {
  readonly on: GridMenuRequest;
  /** The rows that it is about, in a menu of a row: others may move or delete rows while it is open. */
  readonly meant: readonly RowKey[];
  /** The row as it was then, in a menu of a row. */
  readonly row?: RowData | undefined;
}

interface GridMenusProps extends ViewProps {
  readonly open: OpenMenu | undefined;
  readonly columns: readonly GridColumn[];
  readonly source: RowSource;
  readonly commands: RowCommands;
  readonly changes: ViewChanges;
  readonly dialogs: Pick<TableDialogs, 'openColumnPanel'> | undefined;
  readonly grid: RefObject<GridHandle | null>;
  /** Of the first row that is shown. */
  readonly firstNumber: number;
  readonly onClose: () => void;
}

/** The menu of a title or of a row, where one is open. */
export function GridMenus({ open, ...props }: GridMenusProps): ReactNode {
  const run = useTold();
  if (open === undefined) return null;
  const { on, meant, row } = open;
  if (on.kind !== 'column') return <RowMenu {...props} {...{ meant, row }} menu={on} />;
  if (!hasColumnMenu(props, props.changes)) return null;
  return <ColumnMenu {...props} designs={mayDesign(props)} run={run} menu={on} />;
}
