import type { ColumnEntity, FilterEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { ApiError, TableDialogsToken, useHost, useServerData, type ViewProps } from '@trellis/sdk/web';
import {
  Grid,
  type GridHandle,
  type GridMenuRequest,
  type GridSelectionReport,
  useGridColumns,
} from '@trellis/sdk/web/grid';
import { useRows, useRowsInSight } from '@trellis/sdk/web/rows';
import { shownColumns, useViewOptions } from '@trellis/sdk/web/views';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { GridOptions } from '../shared/index.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import type { GridInSight } from './grid-in-sight.ts';
import { RowCount } from './RowCount.tsx';
import { RowMenu } from './RowMenu.tsx';
import { useArrangement } from './use-arrangement.ts';
import { useCellErrors } from './use-cell-errors.ts';
import { useUnsavedCells } from './use-unsaved-cells.tsx';
import { useRowCommands } from './use-row-commands.ts';
import { useViewChanges } from './use-view-changes.ts';
import { arrangedColumns } from './view-columns.ts';

export interface TableGridProps extends ViewProps {
  readonly inSight: GridInSight | undefined;
  readonly viewColumns: readonly ViewColumnEntity[];
}

interface OpenMenu {
  readonly on: GridMenuRequest;
  /** What was selected then. */
  readonly selection: GridSelectionReport;
}

/** What is said of rows that are shown without some of their view's filters, by the refusal that those filters met. */
const withoutFilters: Readonly<Record<string, string>> = {
  FILTER_OPERATOR_DISABLED: 'Shown without the filters whose plugin is switched off.',
  FILTER_UNFIT: 'Shown without the filters whose value does not fit their column.',
};

interface SkippedFilters {
  /** Why, as a code of `withoutFilters`. */
  readonly because: string;
  /** The filters of which that was true. */
  readonly of: readonly FilterEntity[] | undefined;
}

const noColumns: readonly ColumnEntity[] = [];
const nothingSelected: GridSelectionReport = { active: undefined, range: undefined, rowKeys: [] };

/** The grid over one view's rows: what the grid asks for is carried out by the rows client and the view. */
export function TableGrid(props: TableGridProps): ReactNode {
  const { project, table, view, readOnly, viewColumns, inSight } = props;
  const host = useHost();
  const { t } = host;
  const grid = useRef<GridHandle>(null);
  const selection = useRef(nothingSelected);
  const [menu, setMenu] = useState<OpenMenu>();
  const closeMenu = useCallback(() => {
    setMenu(undefined);
    grid.current?.focus();
  }, []);

  // For this person, until the view is left: the filters stay as they are stored.
  const [skipped, setSkipped] = useState<SkippedFilters>();
  const filters = useServerData<readonly FilterEntity[]>(
    { path: `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/filters` },
    { tags: [`view:${view.id}`] },
  ).data;
  // Other filters may all be in order.
  if (skipped !== undefined && !isSameList(skipped.of, filters)) setSkipped(undefined);
  const rows = useRows(
    { kind: 'view', project, table, view },
    { skipsDisabledFilters: skipped !== undefined },
  );
  const { source } = rows;
  useRowsInSight(rows);
  useEffect(() => inSight?.show(() => grid.current), [inSight]);

  const entities = table.columns ?? noColumns;
  const inView = useMemo(() => shownColumns(entities, viewColumns), [entities, viewColumns]);
  const changes = useViewChanges(view, inView);
  useArrangement(rows, { sorts: changes.sorts, filters, shown: inView });

  const { frozenColumns } = useViewOptions(view) as unknown as GridOptions;
  const { shown, sorts } = changes;
  const arranged = useMemo(
    () => arrangedColumns(shown, { frozenColumns, sorts }),
    [shown, frozenColumns, sorts],
  );
  const columns = useGridColumns(arranged);
  const commands = useRowCommands({ ...props, rows, columns, grid, selection });
  const onCellError = useCellErrors(entities);
  const onUnsaved = useUnsavedCells();
  const dialogs = host.find(TableDialogsToken);

  const run = (action: Promise<void>): void => {
    action.catch((error: unknown) =>
      host.toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) }),
    );
  };

  const designs = mayDesign(props);

  const openMenu = (on: GridMenuRequest): void => setMenu({ on, selection: selection.current });

  const editing = readOnly
    ? undefined
    : {
        onCommitCells: rows.write,
        onPasteRows: commands.paste,
        onAppendRow: commands.append,
        onDeleteRows: commands.delete,
        ...(designs && {
          onInsertColumn:
            dialogs && ((anchor: HTMLElement) => dialogs.openColumnPanel({ table, anchor, view })),
          onRenameColumn: (columnId: string, title: string) => run(changes.rename(columnId, title)),
        }),
        onColumnMenu: (columnId: string, anchor: HTMLElement) => {
          const { left, bottom } = anchor.getBoundingClientRect();
          openMenu({ kind: 'column', columnId, x: left, y: bottom + 4 });
        },
        onResizeColumn: (columnId: string, width: number) => run(changes.resize(columnId, width)),
        onReorderColumn: (columnId: string, beforeId: string | undefined) =>
          run(changes.reorder(columnId, beforeId)),
        onUndo: () => commands.takeBack('undo'),
        onRedo: () => commands.takeBack('redo'),
      };

  return (
    <div className="gridview">
      <Grid
        ref={grid}
        label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
        project={project}
        table={table}
        columns={columns}
        source={source}
        edits={rows.edits}
        readOnly={readOnly}
        t={t}
        emptyText={(filters?.length ?? 0) > 0 ? t('No rows match the filters') : undefined}
        onOpenRow={commands.open}
        onContextMenu={openMenu}
        onSelectionChange={(report) => {
          selection.current = report;
        }}
        wayOut={(error) =>
          error instanceof ApiError && error.code !== undefined && error.code in withoutFilters
            ? {
                label: t('Show without this filter'),
                run: () => setSkipped({ because: error.code ?? '', of: filters }),
              }
            : undefined
        }
        onCellError={onCellError}
        onUnsaved={onUnsaved}
        {...editing}
      />
      <RowCount source={source}>
        {skipped !== undefined && (
          <>
            {t(withoutFilters[skipped.because] ?? '')}{' '}
            <button type="button" onClick={() => setSkipped(undefined)}>
              {t('Apply all filters')}
            </button>
          </>
        )}
      </RowCount>
      {menu?.on.kind === 'column' && !readOnly && (
        <ColumnMenu
          {...props}
          {...{ columns, changes, designs, dialogs, run, grid }}
          menu={menu.on}
          onClose={closeMenu}
        />
      )}
      {menu !== undefined && menu.on.kind !== 'column' && (
        <RowMenu {...props} {...{ rows, commands }} {...menu} menu={menu.on} onClose={closeMenu} />
      )}
    </div>
  );
}

/** Whether the person may change what the table is made of. */
function mayDesign({ project, table }: ViewProps): boolean {
  return (project.role === 'owner' || project.role === 'creator') && table.type !== 'view';
}

function isSameList(
  left: readonly FilterEntity[] | undefined,
  right: readonly FilterEntity[] | undefined,
): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
