import {
  type AccessScope,
  type BaseSchema,
  type ColumnSchema,
  type LinkSchema,
  type ProjectSnapshot,
  auditText,
} from '@trellis/sdk/server';
import { DatabaseError } from '../../databases/index.ts';
import type { ColumnModel } from '../../metadata/models/column-model.ts';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';
import type { LinkModel } from '../../metadata/models/link-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { TableModel } from '../../metadata/models/table-model.ts';
import type { ColumnTools } from '../columns/column-tools.ts';
import type { HeldForeignKey } from '../jobs/link-jobs.ts';
import { titleAmong } from '../names.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { loadSnapshot } from '../snapshot/load-snapshot.ts';
import { columnsOver, removalOf } from './links.ts';

/** A link in the trash, with everything that was deleted together with it. */
export interface DeletedLink {
  /** The columns that showed the link at both ends, that held it, and that were computed over it. */
  readonly columns: readonly ColumnModel[];
  /** The junction table. */
  readonly tables: readonly TableModel[];
  /** The columns where the link starts and ends, deleted or not. */
  readonly keys: readonly ColumnSchema[];
  /** The former foreign keys of the link. */
  readonly foreignKeys: readonly HeldForeignKey[];
  /** Both sides of the link, and of the links of its junction table. */
  readonly linkIds: readonly string[];
  /** The project with everything of the link undeleted. */
  readonly undeleted: ProjectSnapshot;
}

/** Links in the trash. The parts of a link are found from the link, as when it is deleted. */
export function createDeletedLinks(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, jobs, kinds } = parts;
  const { database } = parts.metadata;

  /** Undefined for a column that was deleted alone, and when its link was purged. */
  async function linkOf(column: ColumnModel): Promise<DeletedLink | undefined> {
    const { ColumnModel, TableModel } = await models();
    const { project_id } = column;
    return database.read(async (unit) => {
      const undeleted = await loadSnapshot(unit, project_id, 0, 'included');
      if (undeleted === undefined) return undefined;
      const columns = await ColumnModel.query(unit.knex)
        .where({ project_id })
        .whereNotNull('parked_at')
        .withGraphFetched('table.base');
      const tables = await TableModel.query(unit.knex)
        .where({ project_id })
        .whereNotNull('parked_at')
        .withGraphFetched('base');
      const shown = columns.flatMap(({ link_id: id }) =>
        id === null ? [] : (undeleted.links.get(id) ?? []),
      );
      // A link over a junction table includes the links of that table.
      const across = shown.filter(({ through }) => through !== undefined);
      for (const link of [...across, ...shown]) {
        const deleted = deletedWith(link, { undeleted, columns, tables });
        if (deleted.columns.some(({ id }) => id === column.id)) return deleted;
      }
      return undefined;
    });
  }

  function deletedWith(
    link: LinkSchema,
    {
      undeleted,
      columns,
      tables,
    }: {
      readonly undeleted: ProjectSnapshot;
      readonly columns: readonly ColumnModel[];
      readonly tables: readonly TableModel[];
    },
  ): DeletedLink {
    const { through } = link;
    const isOwn = undeleted.bases.get(link.baseId)?.own === true;
    const { columnIds, foreignKeys, linkIds } = removalOf(undeleted, link, { own: isOwn });
    const ofLink = columns.filter(({ id }) => columnIds.has(id));
    const moments = new Set(ofLink.map(({ parked_at: at }) => at));
    const over = ids(columnsOver(undeleted, columnTypes, columnIds));
    // Columns computed over the link that were deleted before it stay in the trash.
    const withLink = columns.filter(({ id, parked_at: at }) => over.has(id) && moments.has(at));
    const keyIds = [link.columnIds, link.toColumnIds, through?.columnIds ?? [], through?.toColumnIds ?? []];
    return {
      columns: [...ofLink, ...withLink],
      tables: tables.filter(({ id }) => id === through?.tableId),
      keys: keyIds.flat().flatMap((id) => undeleted.column(id) ?? []),
      foreignKeys,
      linkIds: [...linkIds],
      undeleted,
    };
  }

  /** @throws TrellisError 409 when another application removed a column or table from the database */
  async function assertInDatabase(
    base: BaseSchema,
    { columns, keys, undeleted }: DeletedLink,
  ): Promise<void> {
    const stored = [...keys, ...columns.flatMap(({ id }) => undeleted.column(id) ?? [])].filter(
      ({ columnName }) => columnName !== '',
    );
    const target = await databases.of(base);
    await target.schema(async (changer) => {
      for (const { tableId, columnName, title } of stored) {
        const table = undeleted.tables.get(tableId);
        if (table === undefined || !(await changer.hasTable(table.tableName)))
          throw schemaErrors.create('TRASH_GONE', { title: table?.title ?? title });
        if (!(await changer.hasColumn(table.tableName, columnName)))
          throw schemaErrors.create('TRASH_GONE', { title });
      }
    });
  }

  /** Restores a link at both ends; returns the ids of the changed tables. */
  async function restore(
    scope: AccessScope,
    { snapshot, column }: { readonly snapshot: ProjectSnapshot; readonly column: ColumnModel },
    link: DeletedLink,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const table = snapshot.tables.get(column.table_id);
    const ends = new Set(link.columns.map(({ table_id }) => table_id));
    const back = ids(link.tables);
    for (const id of [...ends, ...link.keys.map(({ tableId }) => tableId)]) {
      if (!snapshot.tables.has(id) && !back.has(id))
        throw schemaErrors.create('TRASH_TABLE_DELETED', { column: column.title });
    }
    if (table === undefined) throw schemaErrors.create('TRASH_TABLE_DELETED', { column: column.title });
    const base: BaseSchema = tools.baseOf(snapshot, table);
    await assertInDatabase(base, link);
    // A link needs the columns where it starts and ends, which another application may have removed for a while.
    const lacking = link.keys.filter(({ id, tableId }) => !back.has(tableId) && !snapshot.column(id));
    const ofLink = link.columns.map(({ id, title, table_id: tableId }) => ({ id, title, tableId }));
    const wanted = new Map([...lacking, ...ofLink].map((of) => [of.id, of]));
    const columns = [...wanted.values()].map(({ id, title, tableId }) => {
      const present = snapshot.tables.get(tableId)?.columns ?? [];
      return { id, title: titleAmong(title, present) };
    });
    const tables = link.tables.map(({ id, title }) => ({
      id,
      title: titleAmong(title, [...snapshot.tables.values()]),
    }));
    const about = auditText('Column {{title}} of {{table}} was restored, and the link that it shows', {
      title: column.title,
      table: table.title,
    });
    const change = tools.change(scope, table, { subType: 'RESTORED', description: about });
    const run = (foreignKeys: readonly HeldForeignKey[], looseLinkIds: readonly string[]) =>
      jobs.run(kinds.restoreLink, { base, foreignKeys, columns, tables, looseLinkIds }, { change, signal });
    try {
      await run(link.foreignKeys, []);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'foreignKey') throw error;
      // Rows that were linked to are gone by now: the link is restored without a foreign key.
      await run([], link.linkIds);
    }
    return [...ends];
  }

  return { linkOf, restore };
}

/** Whether a deleted column only holds a link, and is deleted and restored with the column that shows it. */
export function isHolding(
  column: ColumnModel,
  { columns, links }: { readonly columns: readonly ColumnModel[]; readonly links: readonly LinkModel[] },
): boolean {
  if (column.uidt !== foreignKeyType || column.table?.base?.own !== true) return false;
  const held = links.filter(
    ({ kind, column_ids: of }) => kind === 'belongsTo' && of.some((id) => id === column.id),
  );
  const sides = new Set(held.flatMap(({ id, inverse_id: inverse }) => [id, inverse]));
  return columns.some(({ link_id: id }) => id !== null && sides.has(id));
}

function ids(of: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(of.map(({ id }) => id));
}
