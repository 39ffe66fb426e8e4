import type { ColumnEntity, FilterEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import {
  ActionMenu,
  type MenuAction,
  RowPanelToken,
  TableDialogsToken,
  useHost,
  ApiError,
  useSession,
  useRegistry,
  useServerData,
  type ViewProps,
} from '@trellis/sdk/web';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toCellType, toGridColumn } from './column-adapter.tsx';
import {
  Grid,
  type GridCellChange,
  type GridHandle,
  type GridMenuRequest,
  type GridSelectionReport,
  RowWindow,
} from './grid/index.ts';
import { serviceOf } from './service-of.ts';
import { TableData } from './table-data.ts';
import { useLiveRows } from './use-live-rows.ts';
import { useViewChanges } from './use-view-changes.ts';
import { RowCount } from './RowCount.tsx';
import { shownColumns } from './view-columns.ts';

export interface TableGridProps extends ViewProps {
  readonly viewColumns: readonly ViewColumnEntity[];
}

interface OpenMenu {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly actions: readonly MenuAction[];
}

const noColumns: readonly ColumnEntity[] = [];

/** The grid over one view's rows: what the grid asks for is carried out through the API. */
export function TableGrid({ project, table, view, readOnly, viewColumns }: TableGridProps): ReactNode {
  const host = useHost();
  const { t, api } = host;
  const session = useSession();
  const types = useRegistry('columnTypes');
  const grid = useRef<GridHandle>(null);
  const selection = useRef<GridSelectionReport>(undefined);
  const [menu, setMenu] = useState<OpenMenu>();
  const closeMenu = useCallback(() => {
    setMenu(undefined);
    grid.current?.focus();
  }, []);

  const columns = table.columns ?? noColumns;
  // For this person, until the view is left: the filters stay as they are stored.
  const [skipsDisabled, setSkipsDisabled] = useState(false);
  const data = useMemo(
    () => new TableData(api, { project, table, view }, skipsDisabled),
    [api, project, table, view, skipsDisabled],
  );
  const source = useMemo(
    () =>
      new RowWindow({
        loadRows: (start, limit, signal) => data.loadRows(start, limit, signal),
        countRows: (signal) => data.countRows(signal),
      }),
    [data],
  );
  useEffect(() => () => source.dispose(), [source]);
  useLiveRows(source, data, table.id, view.id);

  const inView = useMemo(() => shownColumns(columns, viewColumns), [columns, viewColumns]);
  const changes = useViewChanges(view, inView);
  const { shown, sorts } = changes;
  const filters = useServerData<readonly FilterEntity[]>(
    { path: `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/filters` },
    { tags: [`view:${view.id}`] },
  ).data;
  const arrangement = JSON.stringify([sorts, filters]);
  const lastArrangement = useRef(arrangement);
  useEffect(() => {
    // The rows that were read before the sorts and filters were known are the same ones.
    const before = lastArrangement.current;
    lastArrangement.current = arrangement;
    if (before !== arrangement && source.atLeast > 0) source.refresh();
  }, [arrangement, source]);

  const cellTypes = useMemo(
    () =>
      new Map(
        columns.map((column) => [
          column.id,
          toCellType(
            column,
            columns,
            types.find((type) => type.id === column.uidt),
            t,
          ),
        ]),
      ),
    [columns, types, t],
  );
  const gridColumns = useMemo(
    () =>
      shown.flatMap((each) => {
        const cellType = cellTypes.get(each.column.id);
        const type = types.find((one) => one.id === each.column.uidt);
        return cellType === undefined ? [] : [toGridColumn(each, type, cellType, t)];
      }),
    [shown, cellTypes, types, t],
  );

  /** Carries out what a person asked for; what goes wrong is told. */
  const run = (action: Promise<unknown>): void => {
    action.catch((error: unknown) =>
      host.toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) }),
    );
  };
  const keyIds = useMemo(
    () => new Set(columns.filter((column) => column.pk).map((column) => column.id)),
    [columns],
  );

  const commitCells = async (cells: readonly GridCellChange[]) => {
    source.patchRows(await data.write(cells));
    // A row with a new key is another row to everybody.
    if (cells.some((cell) => keyIds.has(cell.columnId))) source.refresh();
    return [];
  };
  const appendRow = async () => {
    await data.append();
    source.refresh();
    await source.settled();
    const last = (source.count ?? source.atLeast) - 1;
    const first = gridColumns.find((column) => column.readOnly !== true);
    if (first !== undefined && last >= 0) grid.current?.selectCell(last, first.id);
    grid.current?.focus();
  };
  const pasteRows = async (rows: readonly Readonly<Record<string, unknown>>[]) => {
    const keys = await data.appendMany(rows);
    source.refresh();
    return keys;
  };
  const takeBack = async (direction: 'undo' | 'redo') => {
    if (await data.undo(direction)) source.refresh();
    else
      host.toast({
        severity: 'info',
        summary: direction === 'undo' ? t('Nothing to undo.') : t('Nothing to redo.'),
      });
  };
  const deleteRows = async (keys: readonly string[]) => {
    const sure = await host.confirm({
      title: keys.length === 1 ? t('Delete this row?') : t('Delete {{n}} rows?', { n: keys.length }),
      message: t('You can take it back with Undo.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!sure) return;
    await data.deleteRows(keys);
    grid.current?.clearRowSelection();
    source.refresh();
    host.toast({
      severity: 'success',
      summary: keys.length === 1 ? t('Row deleted.') : t('{{n}} rows deleted.', { n: keys.length }),
      life: 8000,
      action: { label: t('Undo'), run: () => run(takeBack('undo')) },
    });
  };

  const panel = serviceOf(host, RowPanelToken);
  const dialogs = serviceOf(host, TableDialogsToken);
  const neighbour = (from: string, step: 1 | -1): string | undefined => {
    const index = source.indexOf(from);
    return index === undefined ? undefined : source.rowAt(index + step)?.key;
  };
  const openRow = panel && ((rowKey: string) => panel.open({ project, table, view, rowKey, neighbour }));

  /** The keys of the rows that an action on this row means: the ticked ones, the selected ones, or it alone. */
  const rowsMeantAt = (rowKey: string, index: number): readonly string[] => {
    const { rowKeys = [], range } = selection.current ?? {};
    if (rowKeys.includes(rowKey)) return rowKeys;
    if (range === undefined || index < range.top || index > range.bottom) return [rowKey];
    const keys: string[] = [];
    for (let at = range.top; at <= range.bottom; at++) {
      const key = source.rowAt(at)?.key;
      if (key === undefined) return [rowKey];
      keys.push(key);
    }
    return keys;
  };

  const openColumnMenu = (columnId: string, x: number, y: number): void => {
    const column = columns.find((each) => each.id === columnId);
    const anchor =
      document.querySelector<HTMLElement>(`[data-column-menu="${CSS.escape(columnId)}"]`) ?? undefined;
    if (column === undefined) return;
    const change = (id: string, label: string, icon: string, action: () => Promise<void>): MenuAction => ({
      id,
      label,
      icon,
      run: () => run(action()),
    });
    const edits: MenuAction[] =
      dialogs === undefined
        ? []
        : [
            {
              id: 'edit',
              label: t('Edit column'),
              icon: 'pencil',
              run: () => dialogs.openColumnPanel({ table, column, anchor, view }),
            },
            {
              id: 'insert',
              label: t('Insert column before'),
              icon: 'plus',
              run: () => dialogs.openColumnPanel({ table, anchor, view, beforeColumnId: columnId }),
            },
          ];
    const arrange: MenuAction[] = [
      {
        ...change('asc', t('Sort ascending'), 'sort-amount-up-alt', () => changes.sort(columnId, 'asc')),
        startsGroup: edits.length > 0,
      },
      change('desc', t('Sort descending'), 'sort-amount-down', () => changes.sort(columnId, 'desc')),
    ];
    const at = gridColumns.findIndex((each) => each.id === columnId);
    const moves: MenuAction[] = [];
    if (at > 0) {
      const before = gridColumns[at - 1]?.id;
      moves.push(change('left', t('Move left'), 'arrow-left', () => changes.reorder(columnId, before)));
    }
    if (at >= 0 && at < gridColumns.length - 1) {
      const before = gridColumns[at + 2]?.id;
      moves.push(change('right', t('Move right'), 'arrow-right', () => changes.reorder(columnId, before)));
    }
    const hide = {
      ...change('hide', t('Hide column'), 'eye-slash', () => changes.hide(columnId)),
      startsGroup: true,
    };
    setMenu({
      label: column.title,
      x,
      y,
      actions: column.pv ? [...edits, ...arrange] : [...edits, ...arrange, ...moves, hide],
    });
  };

  const openMenu = (request: GridMenuRequest): void => {
    if (request.kind === 'column') {
      if (!readOnly) openColumnMenu(request.columnId, request.x, request.y);
      return;
    }
    const { rowKey, index, x, y } = request;
    const meant = rowsMeantAt(rowKey, index);
    const actions: MenuAction[] = [];
    if (openRow !== undefined)
      actions.push({ id: 'open', label: t('Open row'), icon: 'window-maximize', run: () => openRow(rowKey) });
    if (!readOnly) {
      actions.push({
        id: 'delete',
        label: meant.length === 1 ? t('Delete row') : t('Delete {{n}} rows', { n: meant.length }),
        icon: 'trash',
        danger: true,
        startsGroup: actions.length > 0,
        run: () => run(deleteRows(meant)),
      });
    }
    if (actions.length > 0) setMenu({ label: t('Row {{n}}', { n: index + 1 }), x, y, actions });
  };

  const editing = readOnly
    ? undefined
    : {
        onCommitCells: commitCells,
        onPasteRows: pasteRows,
        onAppendRow: () => run(appendRow()),
        onDeleteRows: (keys: readonly string[]) => run(deleteRows(keys)),
        onInsertColumn:
          dialogs && ((anchor: HTMLElement) => dialogs.openColumnPanel({ table, anchor, view })),
        onColumnMenu: (columnId: string, anchor: HTMLElement) => {
          const { left, bottom } = anchor.getBoundingClientRect();
          openColumnMenu(columnId, left, bottom + 4);
        },
        onResizeColumn: (columnId: string, width: number) => run(changes.resize(columnId, width)),
        onReorderColumn: (columnId: string, beforeId: string | undefined) =>
          run(changes.reorder(columnId, beforeId)),
        onUndo: () => run(takeBack('undo')),
        onRedo: () => run(takeBack('redo')),
      };

  return (
    <div className="gridview">
      <Grid
        ref={grid}
        label={t('{{table}}, view {{view}}', { table: table.title, view: view.title })}
        columns={gridColumns}
        source={source}
        readOnly={readOnly}
        t={t}
        emptyText={(filters?.length ?? 0) > 0 ? t('No rows match the filters') : undefined}
        onOpenRow={openRow}
        onContextMenu={openMenu}
        onSelectionChange={(report) => {
          selection.current = report;
        }}
        wayOut={(error) =>
          error instanceof ApiError && error.code === 'FILTER_OPERATOR_DISABLED'
            ? { label: t('Show without this filter'), run: () => setSkipsDisabled(true) }
            : undefined
        }
        onCellError={(columnId, error) => {
          const { title = columnId, uidt = columnId } = columns.find(({ id }) => id === columnId) ?? {};
          host.reportError(host.registry('columnTypes').ownerOf(uidt) ?? uidt, `column ${title}`, error);
          // Who looks after the plugins is told by the host, with the plugin's name.
          if (session.superAdmin) return;
          const summary = t('The column “{{title}}” cannot be shown: {{reason}}', {
            title,
            reason: error.message,
          });
          host.toast({ severity: 'warn', summary });
        }}
        {...editing}
      />
      <RowCount source={source}>
        {skipsDisabled && (
          <>
            {t('Shown without the filters whose plugin is switched off.')}{' '}
            <button type="button" onClick={() => setSkipsDisabled(false)}>
              {t('Apply all filters')}
            </button>
          </>
        )}
      </RowCount>
      {menu !== undefined && <ActionMenu {...menu} onClose={closeMenu} />}
    </div>
  );
}
