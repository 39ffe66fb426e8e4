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

/** A requested menu. */
export interface OpenMenu {
  readonly on: GridMenuRequest;
  /** The rows that a row menu applies to, fixed at its opening: others may move or delete rows meanwhile. */
  readonly meant: readonly RowKey[];
  /** In a row menu, the row at its opening. */
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
  /** The number of the first shown row. */
  readonly firstNumber: number;
  readonly onClose: () => void;
}

/** The open menu of a title or a row, if any. */
export function GridMenus({ open, ...props }: GridMenusProps): ReactNode {
  const run = useTold();
  if (open === undefined) return null;
  const { on, meant, row } = open;
  if (on.kind !== 'column') return <RowMenu {...props} {...{ meant, row }} menu={on} />;
  if (!hasColumnMenu(props, props.changes)) return null;
  return <ColumnMenu {...props} designs={mayDesign(props)} run={run} menu={on} />;
}
