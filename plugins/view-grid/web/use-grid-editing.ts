import { hasPermission, useHost, type TableDialogs, type ViewProps, type WiderBlock } from '@trellis/sdk/web';
import type { GridHandlers } from '@trellis/sdk/web/grid';
import { writeCells, type RowSource, type RowsClient } from '@trellis/sdk/web/rows';
import type { RowCommands } from './use-row-commands.ts';
import { useTold } from './use-told.ts';
import type { ViewChanges } from './use-view-changes.ts';

interface EditingOf extends ViewProps {
  readonly rows: RowsClient;
  readonly commands: RowCommands;
  /** The rows that the grid draws. */
  readonly source: RowSource;
  readonly changes: ViewChanges;
  /** Undefined if no plugin edits columns. */
  readonly dialogs: Pick<TableDialogs, 'openColumnPanel' | 'addColumnsFor'> | undefined;
  readonly isGrouped: boolean;
  /** Whether another page has rows below the last shown one. */
  readonly goesOn: boolean;
  readonly onFigureMenu: GridHandlers['onFigureMenu'];
}

/** The grid's handlers that change rows, columns or the view, as far as this person may; undefined if rows are read-only. */
export function useGridEditing(of: EditingOf): GridHandlers | undefined {
  const { project, table, view, readOnly, rows, commands, source, changes, dialogs, isGrouped, goesOn } = of;
  const host = useHost();
  const run = useTold();
  const types = host.registry('columnTypes');
  const { rights, append, insert } = commands;
  if (readOnly) return undefined;
  return {
    onCommitCells: (cells, step) =>
      writeCells(
        { rows, project, table, t: host.t, api: host.api, typeOf: (id) => types.get(id) },
        cells,
        step,
      ),
    onStepPrepared: rows.prepared,
    ...(rights.addMany && {
      // Rows below the last one exist already, on the next page.
      onPasteRows: goesOn ? undefined : commands.paste,
    }),
    ...(rights.add && {
      onAppendRow: append,
      onInsertRow:
        insert &&
        ((index, side, isAwaited) => {
          const beside = source.rowAt(index)?.key;
          return beside === undefined ? append(index, isAwaited) : insert(beside, side, isAwaited);
        }),
      onAppendToGroup: isGrouped ? commands.appendTo : undefined,
    }),
    onMoveRows: commands.move,
    ...(rights.delete && { onDeleteRows: commands.delete }),
    ...(mayDesign(of) && {
      onInsertColumn: dialogs && ((anchor: HTMLElement) => dialogs.openColumnPanel({ table, anchor, view })),
      // Pasting beyond the last row may need new rows as well as new columns.
      ...(rights.addMany &&
        dialogs && {
          onAddColumns: (block: WiderBlock) => dialogs.addColumnsFor({ project, table, view, block }),
        }),
      onRenameColumn: (columnId: string, title: string) => {
        const renamed = changes.rename(columnId, title);
        run(renamed);
        return renamed;
      },
    }),
    ...(changes.mayPlace && {
      onResizeColumn: (columnId: string, width: number) => run(changes.resize(columnId, width)),
      onReorderColumn: (columnId: string, beforeId: string | undefined) =>
        run(changes.reorder(columnId, beforeId)),
    }),
    onFigureMenu: of.onFigureMenu,
    onUndo: () => commands.takeBack('undo'),
    onRedo: () => commands.takeBack('redo'),
  };
}

/** Whether the person may change the table's structure. */
export function mayDesign({ project, table }: Pick<ViewProps, 'project' | 'table'>): boolean {
  return (
    hasPermission('columnAdd', project) && hasPermission('columnUpdate', project) && table.type !== 'view'
  );
}
