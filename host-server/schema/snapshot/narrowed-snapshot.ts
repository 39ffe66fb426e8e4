import {
  isVisitor,
  type AccessScope,
  type ProjectSnapshot,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { RoleScope } from '../../access/rights/access-scope.ts';
import { indexColumns, indexTables } from './schema-indexes.ts';
import { toldView, type ToldViewsDependencies } from './told-view.ts';

/** Snapshots reduced to the parts that a caller may see. */
export interface NarrowedSnapshots {
  /** Returns the same snapshot for a caller from whom nothing is hidden. */
  of(scope: AccessScope, snapshot: ProjectSnapshot): ProjectSnapshot;
  dispose(): void;
}

/**
 * Makes snapshots without the parts that are hidden from a caller. A visitor's snapshot is kept while the rights of their link
 * stay the same, because many visitors share one link.
 */
export function createNarrowedSnapshots(deps: ToldViewsDependencies): NarrowedSnapshots {
  let kept = new WeakMap<ProjectSnapshot, WeakMap<object, ProjectSnapshot>>();
  const following = [deps.viewTypes, deps.viewAdditions].map((registry) =>
    registry.onDidChange(() => {
      kept = new WeakMap();
    }),
  );
  return {
    of(scope, snapshot) {
      const rights = isVisitor(scope.principal) && scope instanceof RoleScope ? scope.rights : undefined;
      if (rights === undefined) return narrowedSnapshot(scope, snapshot, deps);
      const ofSnapshot = kept.get(snapshot) ?? new WeakMap<object, ProjectSnapshot>();
      kept.set(snapshot, ofSnapshot);
      const narrowed = ofSnapshot.get(rights) ?? narrowedSnapshot(scope, snapshot, deps);
      ofSnapshot.set(rights, narrowed);
      return narrowed;
    },
    dispose() {
      for (const subscription of following) void subscription.dispose();
    },
  };
}

function narrowedSnapshot(
  scope: AccessScope,
  snapshot: ProjectSnapshot,
  deps: ToldViewsDependencies,
): ProjectSnapshot {
  const all = [...snapshot.tables.values()];
  const tables = all.flatMap((table) => narrowedTable(scope, table, deps) ?? []);
  const isWhole = tables.length === all.length && tables.every((table, index) => table === all[index]);
  return isWhole ? snapshot : { ...snapshot, ...indexTables(tables, [...snapshot.links.values()]) };
}

/**
 * The table without the views, groups of views and columns that are hidden from this caller, or undefined if the whole table is
 * hidden.
 *
 * A column is shown when it may be read or written, since a form names the columns that it asks for.
 */
export function narrowedTable(
  scope: AccessScope,
  table: TableSchema,
  deps: ToldViewsDependencies,
): TableSchema | undefined {
  if (!scope.reaches(table.id)) return undefined;
  const views = table.views.filter((view) => scope.can(view, 'see'));
  const isHidden = table.views.some((view) => scope.isHidden(view.id));
  if (views.length === 0 && (isHidden || !scope.can(undefined, 'read'))) return undefined;
  const shown = shownColumns(scope, table.id);
  const cut = columnsIntoTheDark(scope, table);
  const viewGroups = shownGroups(scope, table, views);
  const hasAll = views.length === table.views.length && viewGroups.length === table.viewGroups.length;
  const isWhole = shown === 'all' && cut.size === 0 && !isVisitor(scope.principal);
  if (isWhole && hasAll) return table;
  const isShown = (columnId: string) => (shown === 'all' || shown.has(columnId)) && !cut.has(columnId);
  const toldViews = isWhole ? views : views.map((view) => toldView(scope, view, isShown, deps));
  return {
    ...table,
    ...indexColumns(table.columns.filter(({ id }) => isShown(id))),
    primaryKey: table.primaryKey.filter(({ id }) => isShown(id)),
    links: table.links.filter((link) => link.columnIds.every(isShown) && scope.reaches(link.toTableId)),
    views: toldViews,
    viewGroups,
    defaultView: toldViews.find((view) => view.isDefault) ?? toldViews[0],
  };
}

/**
 * The groups of views that the caller may see. A title may reveal what a group contains, so a group is shown to members who see
 * one of its views, and to those who arrange the groups.
 */
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

/** The columns of links to tables that the caller may not see. */
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
