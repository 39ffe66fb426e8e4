import type { SchemaDifference } from '@trellis/sdk/server';
import type { IntrospectedSchema } from '../../dialects/introspection/default.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import { planLinks, type LinkedTable } from '../bases/external-links.ts';
import type { ColumnPatch } from './plan-column-sync.ts';
import type { StoredSchema } from './plan-sync.ts';

/** The changes of links to store. */
export interface LinkSync {
  readonly newLinks: readonly LinkRow[];
  readonly goneLinks: readonly string[];
  /** Columns whose link is gone, or leads to a table or column that is gone. */
  readonly goneLinkColumns: readonly string[];
  readonly changedLinks: readonly { readonly id: string; readonly patch: Partial<LinkRow> }[];
}

interface PlannedLinkSync extends LinkSync {
  /** By table id. */
  readonly differences: ReadonlyMap<string, readonly SchemaDifference[]>;
  readonly changedColumns: readonly ColumnPatch[];
  /** Links that stay but that no column shows, because the project was opened before columns showed links. */
  readonly unshownLinks: readonly LinkRow[];
}

/** Two links are the same when they connect the same columns in the same way. */
function identityOf({
  kind,
  table_id,
  column_ids,
  to_table_id,
  to_column_ids,
  through_table,
}: LinkRow): string {
  const through = through_table && [
    through_table.tableId,
    through_table.columnIds,
    through_table.toColumnIds,
  ];
  return JSON.stringify([kind, table_id, column_ids, to_table_id, to_column_ids, through]);
}

/** The links of the database, compared with those in the metadata. */
interface ComparedLinks extends Pick<LinkSync, 'newLinks' | 'changedLinks'> {
  /** The ids of stored links that the database has too. */
  readonly kept: ReadonlySet<string>;
}

/** @param planned the links of the database; the two sides of a link follow each other */
function compare(planned: readonly LinkRow[], stored: readonly LinkRow[]): ComparedLinks {
  const byIdentity = new Map<string, LinkRow[]>();
  for (const link of stored)
    byIdentity.set(identityOf(link), [...(byIdentity.get(identityOf(link)) ?? []), link]);
  const storedById = new Map(stored.map((link) => [link.id, link]));
  const kept = new Set<string>();
  const newLinks: LinkRow[] = [];
  const changedLinks: { id: string; patch: Partial<LinkRow> }[] = [];
  for (let at = 0; at + 1 < planned.length; at += 2) {
    const sides = planned.slice(at, at + 2);
    const [first, second] = sides;
    if (first === undefined || second === undefined) break;
    const same = byIdentity.get(identityOf(first))?.find(({ id, inverse_id: inverse }) => {
      const back = storedById.get(inverse);
      return !kept.has(id) && back !== undefined && identityOf(back) === identityOf(second);
    });
    if (same === undefined) {
      newLinks.push(...sides);
      continue;
    }
    const { constraint_name, on_delete, on_update } = first;
    for (const id of [same.id, same.inverse_id]) {
      kept.add(id);
      const stored = storedById.get(id);
      if (
        stored?.constraint_name !== constraint_name ||
        stored.on_delete !== on_delete ||
        stored.on_update !== on_update
      )
        changedLinks.push({ id, patch: { constraint_name, on_delete, on_update } });
    }
  }
  return { kept, newLinks, changedLinks };
}

/** Compares the foreign keys of a database with the links of its base. Existing links keep their ids. */
export function planLinkSync(
  found: IntrospectedSchema,
  live: readonly LinkedTable[],
  { links: stored, columns: storedColumns }: Pick<StoredSchema, 'links' | 'columns'>,
): PlannedLinkSync {
  const { kept, newLinks, changedLinks } = compare(planLinks(found, live), stored);
  const showing = storedColumns.filter(({ link_id: id }) => id !== null);
  const columns = new Map(
    live.flatMap((table) => table.columns.map((column) => [column.id, column] as const)),
  );
  const tables = new Map(live.map(({ table }) => [table.id, table]));
  const isLive = (link: LinkRow) =>
    tables.has(link.table_id) &&
    tables.has(link.to_table_id) &&
    [...link.column_ids, ...link.to_column_ids].every((id) => columns.has(id)) &&
    (link.through_table === null || tables.has(link.through_table.tableId));
  const parked = new Set(
    showing.flatMap(({ link_id: id, parked_at: at }) => (at === null ? [] : (id ?? []))),
  );
  const isKeyGone = ({ id, constraint_name: name }: LinkRow) => name !== null && !kept.has(id);
  // A link made without a foreign key is not in the database, so it is not gone.
  const isGone = (link: LinkRow) =>
    !kept.has(link.id) &&
    (link.through_table === null
      ? isKeyGone(link)
      : stored.some((key) => key.table_id === link.through_table?.tableId && isKeyGone(key)));
  // A link whose column is in the trash stays there with it.
  const gone = stored.filter((link) => isGone(link) && isLive(link) && !parked.has(link.id));
  // A column is also removed when the target of its link is.
  const broken = new Set(stored.flatMap((link) => (isGone(link) || !isLive(link) ? link.id : [])));
  const goneLinkColumns = showing.filter(
    ({ link_id: id, parked_at: at }) => at === null && id !== null && broken.has(id),
  );
  const withColumn = new Set(showing.flatMap(({ link_id: id }) => id ?? []));
  const unshownLinks = stored.filter(
    ({ id, inverse_id: back }) => kept.has(id) && !withColumn.has(id) && !withColumn.has(back),
  );
  const shown = new Set(goneLinkColumns.map(({ link_id: id }) => id));

  const differences = new Map<string, SchemaDifference[]>();
  const isNewTable = new Set(live.filter(({ isNew }) => isNew === true).map(({ table }) => table.id));
  const tell = (kind: 'linkAdded' | 'linkRemoved', link: LinkRow) => {
    // A new table is stored together with its links.
    if (isNewTable.has(link.table_id)) return;
    const namesOf = (ids: readonly string[]) => ids.map((id) => columns.get(id)?.column_name ?? '');
    const difference: SchemaDifference = {
      kind,
      link: link.kind,
      linkId: link.id,
      columns: namesOf(link.column_ids),
      toTable: tables.get(link.to_table_id)?.table_name ?? '',
      toColumns: namesOf(link.to_column_ids),
    };
    differences.set(link.table_id, [...(differences.get(link.table_id) ?? []), difference]);
  };
  for (const link of [...newLinks, ...unshownLinks]) tell('linkAdded', link);
  for (const link of gone) tell('linkRemoved', link);

  return {
    differences,
    newLinks,
    unshownLinks,
    changedLinks,
    // The purge removes the link together with its column.
    goneLinks: gone
      .filter(({ id, inverse_id: back }) => !shown.has(id) && !shown.has(back))
      .map(({ id }) => id),
    goneLinkColumns: goneLinkColumns.map(({ id }) => id),
    changedColumns: [
      ...foreignKeys([...newLinks, ...unshownLinks], columns, true),
      ...foreignKeys(gone, columns, false),
    ],
  };
}

/** Patches of columns whose foreign key came or went: they get the type of foreign keys, or their fallback type. */
function foreignKeys(
  links: readonly LinkRow[],
  columns: ReadonlyMap<string, ColumnRow>,
  isForeign: boolean,
): readonly ColumnPatch[] {
  const ids = links.filter(({ kind }) => kind === 'belongsTo').flatMap(({ column_ids: of }) => of);
  return ids.flatMap((id): ColumnPatch[] => {
    const column = columns.get(id);
    if (column === undefined || column.primary_key) return [];
    if (isForeign)
      return column.uidt === 'ForeignKey' ? [] : [{ id, patch: { uidt: 'ForeignKey', system: true } }];
    return column.uidt === 'ForeignKey' ? [{ id, patch: { uidt: column.fallback, system: false } }] : [];
  });
}
