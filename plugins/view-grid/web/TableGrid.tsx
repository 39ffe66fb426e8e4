import type { ColumnEntity, SortKey } from '@trellis/sdk/shared';
import { useT, useViewFilters, type ViewProps } from '@trellis/sdk/web';
import {
  Grid,
  type GridHandle,
  type GridMenuRequest,
  type GridSelectionReport,
  useCellMarks,
  useCellsInSight,
  useGridColumns,
} from '@trellis/sdk/web/grid';
import { useRows } from '@trellis/sdk/web/rows';
import {
  shownColumns,
  useClearFilters,
  useOwnRules,
  useRowColors,
  useSearchRules,
  useShownViewOptions,
  type ViewColumn,
  type ViewColumns,
} from '@trellis/sdk/web/views';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { rowHeights, type GridOptions } from '../shared/index.ts';
import { hasColumnMenu } from './column-menu.ts';
import type { GridInSight } from './grid-in-sight.ts';
import { GridMenus, type OpenMenu } from './GridMenus.tsx';
import { GridNotices } from './GridNotices.tsx';
import { GridStatus } from './GridStatus.tsx';
import { Pager } from './Pager.tsx';
import { figuresOf } from './figures.ts';
import { useGridOptions } from './grid-options.ts';
import { rowsMeantBy } from './row-menu.ts';
import { useColumnPanel } from './use-column-panel.ts';
import { useCellErrors } from './use-cell-errors.ts';
import { useGridEditing } from './use-grid-editing.ts';
import { useGridFooter } from './use-grid-footer.tsx';
import { useGridGroups } from './use-grid-groups.tsx';
import { useGridPages } from './use-grid-pages.tsx';
import { useUnsavedCells } from './use-unsaved-cells.tsx';
import { useRowCommands } from './use-row-commands.ts';
import { useSkippedFilters } from './use-skipped-filters.ts';
import { useViewChanges } from './use-view-changes.ts';
import { arrangedColumns } from './view-columns.ts';

export interface TableGridProps extends ViewProps {
  readonly inSight: GridInSight | undefined;
  readonly inView: ViewColumns;
}

const noGroups: readonly SortKey[] = [];
const noColumns: readonly ColumnEntity[] = [];
const noViewColumns: readonly ViewColumn[] = [];
const nothingSelected: GridSelectionReport = { active: undefined, range: undefined, rowKeys: [] };

/** The grid of one view's rows: the rows client and the view carry out the grid's requests. */
export function TableGrid(props: TableGridProps): ReactNode {
  const { project, table, view, readOnly, inView, inSight } = props;
  const t = useT();
  const grid = useRef<GridHandle>(null);
  const selection = useRef(nothingSelected);
  const [menu, setMenu] = useState<OpenMenu>();
  const cells = useCellsInSight();
  const marks = useCellMarks();
  // The toolbar's state of this grid ends with the grid.
  useEffect(() => () => cells?.enter(undefined), [cells]);
  const closeMenu = useCallback(() => {
    setMenu(undefined);
    grid.current?.focus();
  }, []);

  const filters = useViewFilters(view);
  const skipping = useSkippedFilters(filters);
  const viewColumns = inView.columns ?? noViewColumns;
  const figures = useMemo(() => figuresOf(viewColumns), [viewColumns]);
  const { groups: groupsOfView } = useGridOptions(props);
  // For this person, until they leave the view or its grouping changes.
  const [ungrouped, setUngrouped] = useState<string>();
  const grouping = JSON.stringify(groupsOfView);
  const groups = ungrouped === grouping ? noGroups : groupsOfView;
  useEffect(() => inSight?.show(() => grid.current), [inSight]);

  const entities = table.columns ?? noColumns;
  const arranged = useMemo(
    () =>
      shownColumns(
        entities,
        viewColumns.map((each) => each.inView),
      ),
    [entities, viewColumns],
  );
  const found = useSearchRules(useMemo(() => arranged.map(({ column }) => column), [arranged]));
  const own = useOwnRules(props);
  const clearFilters = useClearFilters(props);
  const colors = useRowColors(props);
  const changes = useViewChanges(props, arranged);
  const rows = useRows(
    { kind: 'view', project, table, view },
    {
      skipsDisabledFilters: skipping.isSkipping,
      groups,
      figures,
    },
  );

  const { frozenColumns, rowHeight, pageSize } = useShownViewOptions(props) as unknown as GridOptions;
  const { shown, sorts } = changes;
  const drawn = useMemo(
    () => arrangedColumns(shown, { frozenColumns, sorts }),
    [shown, frozenColumns, sorts],
  );
  const columns = useGridColumns(drawn);
  const allColumns = useGridColumns(useMemo(() => entities.map((column) => ({ column })), [entities]));
  const byGroups = useGridGroups({ viewId: view.id, rows, columns: allColumns, groups, figures });
  const arrangement = sorts && filters && JSON.stringify([sorts, filters, own, found]);
  const groupsError = groups.length > 0 && rows.source.error === undefined ? rows.figures.error : undefined;
  const { shown: grouped, pages } = useGridPages({
    rows,
    grouped: byGroups,
    isGrouped: groups.length > 0 && groupsError === undefined,
    pageSize,
    arrangement,
  });
  const { source } = grouped;
  const page = pages?.current;
  const goesOn = pages?.isLast === false;
  // Ticked rows are out of sight, and another page starts at its top.
  useEffect(() => {
    if (page === undefined) return;
    grid.current?.clearRowSelection();
    grid.current?.scrollToTop();
  }, [page]);
  const arrangedBy = useRef(arrangement);
  useEffect(() => {
    if (arrangement === undefined) return;
    const isArrangedAnew = arrangedBy.current !== undefined && arrangedBy.current !== arrangement;
    arrangedBy.current = arrangement;
    if (isArrangedAnew) grid.current?.clearRowSelection();
  }, [arrangement]);
  const commands = useRowCommands({
    ...props,
    rows,
    columns,
    grid,
    selection,
    grouped,
    isSorted: sorts?.length !== 0,
  });
  const footer = useGridFooter({ rows, columns, figures, inView, onClosed: () => grid.current?.focus() });
  const onCellError = useCellErrors(entities);
  const onUnsaved = useUnsavedCells();
  const dialogs = useColumnPanel(grid, columns);
  const showAll = (): void => {
    clearFilters?.();
    // The button disappears when there are rows, and the focus would be lost.
    grid.current?.focus();
  };
  const openMenu = (on: GridMenuRequest): void =>
    setMenu({
      on,
      meant: rowsMeantBy(on, selection.current, source),
      row: on.kind === 'column' ? undefined : source.rowAt(source.indexOf(on.rowKey) ?? on.index),
    });
  const editing = useGridEditing({
    ...props,
    rows,
    commands,
    source,
    changes,
    dialogs,
    isGrouped: groups.length > 0,
    goesOn,
    onFigureMenu: footer.open,
  });

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
        emptyText={
          found.length > 0
            ? t('No row contains what you search for')
            : (filters?.length ?? 0) + own.length > 0
              ? t('No rows match the filters')
              : undefined
        }
        emptyAction={
          clearFilters && found.length === 0 ? { label: t('Clear filters'), run: showAll } : undefined
        }
        heads={grouped.heads}
        marks={marks}
        colorOf={colors.of}
        rowHeight={rowHeights[rowHeight]}
        firstNumber={pages && pages.start + 1}
        goesOn={goesOn}
        onToggleGroup={grouped.toggle}
        footer={{
          figures: footer.figures,
          children: <GridStatus source={rows.source} onFoldAll={grouped.toggleAll} />,
        }}
        onOpenRow={commands.open}
        onColumnMenu={
          hasColumnMenu(props, changes)
            ? (columnId, anchor) => {
                const { left, bottom } = anchor.getBoundingClientRect();
                openMenu({ kind: 'column', columnId, x: left, y: bottom + 4 });
              }
            : undefined
        }
        onContextMenu={openMenu}
        onSelectionChange={(report) => {
          selection.current = report;
          const { active } = report;
          cells?.enter(
            active?.rowKey === undefined ? undefined : { rowKey: active.rowKey, columnId: active.columnId },
          );
        }}
        wayOut={skipping.wayOut}
        onCellError={onCellError}
        onUnsaved={onUnsaved}
        {...editing}
      />
      {pages && <Pager pages={pages} />}
      <GridNotices
        lacksPages={pageSize > 0 && pages === undefined}
        skipped={skipping.notice}
        groupsError={groupsError}
        isUngrouped={groupsOfView.length > 0 && ungrouped === grouping}
        onApplyFilters={skipping.applyAll}
        onUngroup={() => setUngrouped(grouping)}
        onGroup={() => setUngrouped(undefined)}
        onRetry={() => rows.source.retry()}
      />
      {footer.menu}
      <GridMenus
        {...props}
        {...{ columns, source, commands, changes, dialogs, grid }}
        open={menu}
        firstNumber={pages ? pages.start + 1 : 1}
        onClose={closeMenu}
      />
    </div>
  );
}
