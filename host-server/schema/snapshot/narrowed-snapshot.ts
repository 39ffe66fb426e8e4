import type {
  AccessScope,
  FilterSchema,
  ProjectSnapshot,
  TableSchema,
  ViewSchema,
} from '@trellis/sdk/server';
import {
  joinedOptions,
  partedOptions,
  toldAdditions,
  type RegistryView,
  type ViewAddition,
} from '@trellis/sdk/shared';
import { isVisitor } from '../../access/rights/view-rights.ts';
import { indexColumns, indexTables } from './schema-indexes.ts';

type Additions = RegistryView<ViewAddition>;

/** The snapshot as this caller may know it; the snapshot itself for a caller from whom nothing is hidden. */
export function narrowedSnapshot(
  scope: AccessScope,
  snapshot: ProjectSnapshot,
  additions: Additions,
): ProjectSnapshot {
  const all = [...snapshot.tables.values()];
  const tables = all.flatMap((table) => narrowedTable(scope, table, additions) ?? []);
  const isWhole = tables.length === all.length && tables.every((table, index) => table === all[index]);
  return isWhole ? snapshot : { ...snapshot, ...indexTables(tables, [...snapshot.links.values()]) };
}

/**
 * The table without the views, groups of views and columns that are hidden from this caller, or undefined when all of it is.
 *
 * A column is shown when it may be read or written: a form names what it asks for.
 */
export function narrowedTable(
  scope: AccessScope,
  table: TableSchema,
  additions: Additions,
): TableSchema | undefined {
  if (!scope.reaches(table.id)) return undefined;
  const views = table.views.filter((view) => scope.can(view, 'see'));
  const isHidden = table.views.some((view) => scope.isHidden(view.id));
  if (views.length === 0 && (isHidden || !scope.can(undefined, 'read'))) return undefined;
  const shown = shownColumns(scope, table.id);
  const cut = columnsIntoTheDark(scope, table);
  const viewGroups = shownGroups(scope, table, views);
  const hasAll = views.length === table.views.length && viewGroups.length === table.viewGroups.length;
  if (shown === 'all' && cut.size === 0 && hasAll) return table;
  const isShown = (columnId: string) => (shown === 'all' || shown.has(columnId)) && !cut.has(columnId);
  const isWhole = shown === 'all' && cut.size === 0;
  const narrowedViews = isWhole ? views : views.map((view) => narrowedView(view, additions, isShown));
  return {
    ...table,
    ...indexColumns(table.columns.filter(({ id }) => isShown(id))),
    primaryKey: table.primaryKey.filter(({ id }) => isShown(id)),
    links: table.links.filter((link) => link.columnIds.every(isShown) && scope.reaches(link.toTableId)),
    views: narrowedViews,
    viewGroups,
    defaultView: narrowedViews.find((view) => view.isDefault) ?? narrowedViews[0],
  };
}

/** Titles tell of what stands in a group: they are for members who see some of it, and for those who arrange the groups. */
function shownGroups(
  scope: AccessScope,
  { viewGroups }: TableSchema,
  views: readonly ViewSchema[],
): TableSchema['viewGroups'] {
  if (viewGroups.length === 0 || scope.may('viewUpdate')) return viewGroups;
  return isVisitor(scope.principal)
    ? []
    : viewGroups.filter(({ id }) => views.some(({ groupId }) => groupId === id));
}

/** Columns of links to tables that do not exist for the caller. */
function columnsIntoTheDark(scope: AccessScope, table: TableSchema): ReadonlySet<string> {
  const dark = new Set(table.links.filter((link) => !scope.reaches(link.toTableId)).map(({ id }) => id));
  if (dark.size === 0) return dark;
  return new Set(
    table.columns.filter(({ linkId }) => linkId !== undefined && dark.has(linkId)).map(({ id }) => id),
  );
}

function shownColumns(scope: AccessScope, tableId: string): 'all' | ReadonlySet<string> {
  const [readable, writable] = [scope.readableColumns(tableId), scope.writableColumns(tableId)];
  return readable === 'all' || writable === 'all' ? 'all' : new Set([...readable, ...writable]);
}

function narrowedView(
  view: ViewSchema,
  known: Additions,
  isShown: (columnId: string) => boolean,
): ViewSchema {
  const { own, additions } = partedOptions(view.meta ?? {});
  return {
    ...view,
    meta: view.meta && joinedOptions({ own, additions: toldAdditions(additions, known, isShown) }),
    columns: view.columns.filter(({ columnId }) => isShown(columnId)),
    sorts: view.sorts.filter(({ columnId }) => isShown(columnId)),
    filters: narrowedFilters(view.filters, isShown),
  };
}

function narrowedFilters(
  filters: readonly FilterSchema[],
  isShown: (columnId: string) => boolean,
): readonly FilterSchema[] {
  return filters
    .filter(({ columnId }) => columnId === undefined || isShown(columnId))
    .map((filter) => ({ ...filter, children: narrowedFilters(filter.children, isShown) }));
}
