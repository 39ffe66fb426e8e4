import type {
  ColumnNarrowing,
  ColumnSchema,
  ProjectSnapshot,
  ServerColumnType,
  TableHandle,
  TableSchema,
  ViewColumnSchema,
  ViewType,
} from '@trellis/sdk/server';
import { mayNamePeople, type RegistryView } from '@trellis/sdk/shared';

/** The deepest nesting of lookups. */
const deepest = 5;

export interface VisibleOf {
  readonly handle: TableHandle;
  readonly type: ViewType;
  readonly types: RegistryView<ServerColumnType>;
}

/** The columns of the view's own table that a visitor sees, in the view's order, except those that name people. */
export function visibleColumns({ handle, type, types }: VisibleOf): readonly ColumnSchema[] {
  const { table, view } = handle;
  if (view === undefined) return [];
  const isForVisitors = (kept: ViewColumnSchema['meta']) =>
    type.sharing?.isForVisitors?.(kept ?? {}) !== false;
  const shown = view.columns
    .filter(({ show, meta }) => show && isForVisitors(meta))
    .toSorted((left, right) => left.order - right.order);
  const needed = type.sharing?.needs?.(view.meta ?? {}) ?? [];
  const ids = new Set([...shown.map(({ columnId }) => columnId), ...needed]);
  return [...ids].flatMap((id) => {
    const column = table.columnById.get(id);
    return column === undefined || mayNamePeople(types.get(column.type)) ? [] : [column];
  });
}

/**
 * The readable columns of every table of the project for a visitor: of the view's table, the shown ones and the key; of linked
 * tables, the key and the display column; of others, none. Shown values may be computed from all cells except those that name
 * people.
 *
 * @param of.isWritten whether a new row is sent with the columns that the view shows
 * @param of.withSources whether the source columns of shown lookups in other tables can be read: only if no rows of those tables
 *   are listed, since rows of another link would show them too
 */
export function columnNarrowings(
  of: VisibleOf & { readonly withSources: boolean; readonly isWritten: boolean },
): ReadonlyMap<string, ColumnNarrowing> {
  const { handle, types, withSources, isWritten } = of;
  const visible = visibleColumns(of);
  const readable = new Map<string, Set<string>>();
  for (const table of handle.snapshot.tables.values()) readable.set(table.id, new Set());
  const allow = (columns: readonly ColumnSchema[]) => {
    for (const { id, tableId, type } of columns)
      if (!mayNamePeople(types.get(type))) readable.get(tableId)?.add(id);
  };
  const here = handle.table.id;
  // A lookup without its source columns would be empty, and visitors would take that as its value.
  const isWhole = (column: ColumnSchema) =>
    sourcesOf(handle.snapshot, types, column).every(({ id }) => visible.some((shown) => shown.id === id));
  const told = withSources || isWritten ? visible : visible.filter(isWhole);
  allow([...handle.table.primaryKey, ...told]);
  for (const column of visible) {
    const to = linkedTable(handle.snapshot, handle.table, column);
    if (to) allow([...to.primaryKey, ...(to.displayColumn ? [to.displayColumn] : [])]);
    // Columns that the view hides stay hidden if a link leads back to its own table.
    if (withSources)
      allow(sourcesOf(handle.snapshot, types, column).filter(({ tableId }) => tableId !== here));
  }
  return new Map(
    [...handle.snapshot.tables.values()].map((table) => [
      table.id,
      {
        readable: readable.get(table.id) ?? new Set(),
        writable: new Set(isWritten && table.id === here ? writtenBy(visible, table) : []),
        computable: computable(table, types),
      },
    ]),
  );
}

function computable(
  { columns }: TableSchema,
  types: RegistryView<ServerColumnType>,
): 'all' | ReadonlySet<string> {
  const kept = columns.filter(({ type }) => !mayNamePeople(types.get(type)));
  return kept.length === columns.length ? 'all' : new Set(kept.map(({ id }) => id));
}

/** The columns that store a sender's values: for a link to one row, the foreign key. */
function writtenBy(visible: readonly ColumnSchema[], { links }: TableSchema): readonly string[] {
  const ids = new Set(visible.flatMap(({ linkId }) => linkId ?? []));
  const keys = links.filter(({ id, kind }) => kind === 'belongsTo' && ids.has(id));
  return [...visible.map(({ id }) => id), ...keys.flatMap(({ columnIds }) => columnIds)];
}

/** The table of a link column's rows. */
export function linkedTable(
  snapshot: ProjectSnapshot,
  { links }: TableSchema,
  { linkId }: ColumnSchema,
): TableSchema | undefined {
  const link = linkId === undefined ? undefined : links.find(({ id }) => id === linkId);
  return link && snapshot.tables.get(link.toTableId);
}

/** The columns of other tables whose values a column shows, recursively. */
function sourcesOf(
  snapshot: ProjectSnapshot,
  types: RegistryView<ServerColumnType>,
  column: ColumnSchema,
): readonly ColumnSchema[] {
  const found: ColumnSchema[] = [];
  let shown: ColumnSchema | undefined = column;
  while (shown !== undefined && found.length < deepest) {
    const id: string | undefined = types.get(shown.type)?.server?.linked?.(shown, snapshot)?.columnId;
    shown = id === undefined ? undefined : snapshot.column(id);
    if (shown !== undefined) found.push(shown);
  }
  return found;
}
