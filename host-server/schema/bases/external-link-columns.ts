import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { foreignKeyType, linkType } from '../../metadata/models/column-rules.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import { newId } from '../../runtime/ids.ts';
import { virtualRow } from '../columns/virtual-row.ts';
import { freeTitle } from '../names.ts';
import type { TableRows } from '../table-rows.ts';

/** The type's id is fixed here, since its plugin may be off while the database is opened. */
const type = { id: linkType, fallback: 'SingleLineText' };

/**
 * Adds link columns to the tables of an existing database, titled as in the v1 API: a parent has the title of its table, children
 * are a list. Links to a junction table come after the links across it.
 */
export function withLinkColumns(
  tables: readonly TableRows[],
  links: readonly LinkRow[],
): readonly TableRows[] {
  const junctions = junctionsOf(links);
  return tables.map((rows) => {
    const own = links.filter(({ table_id }) => table_id === rows.table.id);
    return withColumns(rows, inOrderOf(rows.columns, own), junctions);
  });
}

/** The tables that only link rows of two other tables. */
export function junctionsOf(links: readonly LinkRow[]): ReadonlySet<string> {
  return new Set(links.flatMap(({ through_table: through }) => through?.tableId ?? []));
}

/** Sorts links: parents first, in the order of the foreign key columns, since databases list foreign keys in different orders. */
function inOrderOf(columns: readonly ColumnRow[], links: readonly LinkRow[]): readonly LinkRow[] {
  const placeOf = ({ kind, column_ids: [first] }: LinkRow) =>
    kind === 'belongsTo' ? columns.findIndex(({ id }) => id === first) : columns.length;
  return links.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The columns that show links, among others of their table. */
export function columnsThatShow(
  links: readonly LinkRow[],
  of: {
    readonly columns: readonly ColumnRow[];
    /** The place after which they are inserted. */
    readonly order: number;
    readonly now: number;
    readonly junctions: ReadonlySet<string>;
  },
): readonly ColumnRow[] {
  const titles = new Set(of.columns.map(({ title }) => title.toLowerCase()));
  return links.map((link, index): ColumnRow => {
    const title = freeTitle(link.kind === 'belongsTo' ? link.title : `${link.title} List`, titles);
    titles.add(title.toLowerCase());
    return virtualRow(type, {
      projectId: link.project_id,
      tableId: link.table_id,
      title,
      order: of.order + index + 1,
      now: of.now,
      linkId: link.id,
      system: link.kind === 'hasMany' && of.junctions.has(link.to_table_id),
    });
  });
}

function withColumns(
  { table, columns, view, viewColumns }: TableRows,
  links: readonly LinkRow[],
  junctions: ReadonlySet<string>,
): TableRows {
  const added = columnsThatShow(links, { columns, order: columns.length, now: table.created_at, junctions });
  const held = new Set(links.flatMap(({ kind, column_ids }) => (kind === 'belongsTo' ? column_ids : [])));
  const isBehindLink = (id: string) =>
    columns.some((column) => column.id === id && column.uidt === foreignKeyType && held.has(id));
  const places = added.map((column, index) => ({
    id: newId('viewColumn'),
    project_id: table.project_id,
    view_id: view.id,
    column_id: column.id,
    visible: !column.system,
    width: null,
    meta: null,
    sort_order: viewColumns.length + index + 1,
    created_at: table.created_at,
    updated_at: table.created_at,
  }));
  return {
    table: { ...table, junction: junctions.has(table.id) },
    columns: [...columns, ...added],
    view,
    viewColumns: [
      ...viewColumns.map((place) => (isBehindLink(place.column_id) ? { ...place, visible: false } : place)),
      ...places,
    ],
  };
}
