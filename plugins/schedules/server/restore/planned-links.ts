import type { Archive, ArchivedColumn, ArchivedLink, ArchivedTable } from '../backup/archive.ts';

/** A link to create with one of the columns that show it. */
export interface PlannedLink {
  readonly table: ArchivedTable;
  readonly column: ArchivedColumn;
  readonly link: ArchivedLink;
  /** The column at the other end. */
  readonly inverse: ArchivedColumn | undefined;
  readonly onDelete?: string;
  readonly onUpdate?: string;
}

/** A table with the facts that are needed for each of many links. */
interface IndexedTable {
  readonly table: ArchivedTable;
  /** The ids of its key columns. */
  readonly key: readonly string[];
  /** The columns that show links, by link id. */
  readonly showing: ReadonlyMap<string, ArchivedColumn>;
  /** The first link by which its rows name others. */
  readonly ownLink: ArchivedLink | undefined;
}
type IndexedTables = ReadonlyMap<string, IndexedTable>;

/** The links of an archive that can be created, and the columns that come with them. */
export interface LinkPlan {
  readonly links: readonly PlannedLink[];
  /** Columns that show links which cannot be created. */
  readonly left: readonly { readonly table: ArchivedTable; readonly column: ArchivedColumn }[];
  /** Ids of the foreign keys that are created with their links. */
  readonly keys: ReadonlySet<string>;
  /** Ids of the junction tables that are created with their links. */
  readonly junctions: ReadonlySet<string>;
  /** Links to the junction tables of other links, with the columns that show them. */
  readonly between: readonly Pick<PlannedLink, 'table' | 'column' | 'link'>[];
}

/** Plans the links of an archive: each once, from the side with the foreign key if both sides show it. */
export function planLinks({ tables }: Archive): LinkPlan {
  const byId = new Map(tables.map((table) => [table.id, indexed(table)]));
  const shown = tables.flatMap((table) =>
    table.links.flatMap((link) => {
      const column = byId.get(table.id)?.showing.get(link.id);
      return column === undefined ? [] : [{ table, link, column }];
    }),
  );
  const junctions = new Set(
    shown.flatMap(({ link }) => (canBeMade(link, byId) ? (link.through?.tableId ?? []) : [])),
  );
  const isBetween = ({ link: { tableId, toTableId } }: { readonly link: ArchivedLink }) =>
    junctions.has(tableId) || junctions.has(toTableId);
  const held = shown
    .filter((of) => !isBetween(of))
    .toSorted((a, b) => Number(isSecond(a.link, byId)) - Number(isSecond(b.link, byId)));
  const done = new Set<string>();
  const links: PlannedLink[] = [];
  const left: { readonly table: ArchivedTable; readonly column: ArchivedColumn }[] = [];
  for (const { table, link, column } of held) {
    if (done.has(link.id)) continue;
    if (!canBeMade(link, byId)) {
      left.push({ table, column });
      continue;
    }
    done.add(link.id).add(link.inverseId);
    const inverse = byId.get(link.toTableId)?.showing.get(link.inverseId);
    // The keys of a junction table define what happens to its rows.
    const between = byId.get(link.through?.tableId ?? '')?.ownLink;
    const { onDelete, onUpdate } = between ?? link;
    links.push({
      table,
      link,
      column,
      inverse,
      ...(onDelete !== undefined && { onDelete }),
      ...(onUpdate !== undefined && { onUpdate }),
    });
  }
  const uses = new Map<string, number>();
  for (const { link } of links) for (const id of keysOf(link)) uses.set(id, (uses.get(id) ?? 0) + 1);
  const primary = new Set([...byId.values()].flatMap(({ key }) => [...key]));
  return {
    links,
    left,
    // A foreign key with further uses stays as a column beside the one that the link creates.
    keys: new Set([...uses].flatMap(([id, count]) => (count === 1 && !primary.has(id) ? [id] : []))),
    junctions,
    between: shown.filter(isBetween),
  };
}

function indexed(table: ArchivedTable): IndexedTable {
  const showing = new Map<string, ArchivedColumn>();
  for (const column of table.columns)
    if (column.linkId !== undefined && !showing.has(column.linkId)) showing.set(column.linkId, column);
  return {
    table,
    key: table.columns.filter(({ primaryKey }) => primaryKey).map(({ id }) => id),
    showing,
    ownLink: table.links.find(({ kind }) => kind === 'belongsTo'),
  };
}

/** The ids of the columns by which the rows of one table name those of another. */
export function keysOf({ kind, columnIds, toColumnIds }: ArchivedLink): readonly string[] {
  return kind === 'manyToMany' ? [] : kind === 'belongsTo' ? columnIds : toColumnIds;
}

/** Whether a link is the reverse side: the foreign key is in the other table, or the first one of the junction table. */
function isSecond({ kind, through }: ArchivedLink, byId: IndexedTables): boolean {
  if (through === undefined) return kind === 'hasMany';
  return byId.get(through.tableId)?.table.columns[0]?.id === through.columnIds[0];
}

/** Links are created to the keys of tables, and through a junction table without other data. */
function canBeMade(link: ArchivedLink, byId: IndexedTables): boolean {
  const [from, to] = [byId.get(link.tableId), byId.get(link.toTableId)];
  if (from === undefined || to === undefined) return false;
  if (link.kind === 'manyToMany')
    return (
      byId.get(link.through?.tableId ?? '')?.table.junction === true &&
      isKey(from, link.columnIds) &&
      isKey(to, link.toColumnIds)
    );
  return link.kind === 'belongsTo' ? isKey(to, link.toColumnIds) : isKey(from, link.columnIds);
}

function isKey({ key }: IndexedTable, ids: readonly string[]): boolean {
  const named = new Set(ids);
  return key.length > 0 && key.length === ids.length && key.every((id) => named.has(id));
}
