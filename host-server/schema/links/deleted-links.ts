import type { AccessScope, BaseSchema, ProjectSnapshot } from '@trellis/sdk/server';
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

/** What was deleted together with a link: its columns at both ends, what held it, and what was computed over it. */
export interface DeletedLink {
  readonly columns: readonly ColumnModel[];
  /** The junction table. */
  readonly tables: readonly TableModel[];
}

type Deleted = Pick<ColumnModel, 'project_id' | 'parked_at'>;

/** Links in the trash. What went with a link went in one moment, and comes back in one. */
export function createDeletedLinks(parts: SchemaStoreParts, tools: ColumnTools) {
  const { jobs, kinds } = parts;
  const { database } = parts.metadata;

  /** Undefined for a column that went alone. */
  async function linkOf({ project_id, parked_at }: Deleted): Promise<DeletedLink | undefined> {
    const { ColumnModel, TableModel } = await models();
    const moment = { project_id, parked_at };
    return database.read(async (unit) => {
      const columns = await ColumnModel.query(unit.knex).where(moment).withGraphFetched('table.base');
      if (columns.every(({ link_id }) => link_id === null)) return undefined;
      const tables = await TableModel.query(unit.knex).where(moment).withGraphFetched('base');
      return { columns, tables };
    });
  }

  /** The foreign keys that held the link, as they were. */
  async function foreignKeysOf({
    columns,
    tables,
  }: DeletedLink): Promise<readonly (HeldForeignKey & { readonly linkIds: readonly string[] })[]> {
    const [held, junctions] = [ids(columns), ids(tables)];
    const { ColumnModel, LinkModel, TableModel } = await models();
    return database.read(async (unit) => {
      const links: readonly LinkModel[] = await LinkModel.query(unit.knex)
        .where({ project_id: columns[0]?.project_id ?? '', kind: 'belongsTo' })
        .whereNotNull('constraint_name');
      const meant = links.filter(
        (link) => junctions.has(link.table_id) || link.column_ids.every((id) => held.has(id)),
      );
      const namesOf = async (of: readonly string[]) => {
        const rows = await ColumnModel.query(unit.knex)
          .whereIn('id', [...of])
          .select('id', 'column_name');
        return of.map((id) => rows.find((row) => row.id === id)?.column_name ?? '');
      };
      const nameOf = async (id: string) => (await TableModel.query(unit.knex).findById(id))?.table_name ?? '';
      const keys: (HeldForeignKey & { readonly linkIds: readonly string[] })[] = [];
      for (const link of meant)
        keys.push({
          tableName: await nameOf(link.table_id),
          linkIds: [link.id, link.inverse_id],
          key: {
            name: link.constraint_name ?? '',
            columns: await namesOf(link.column_ids),
            table: await nameOf(link.to_table_id),
            references: await namesOf(link.to_column_ids),
            onDelete: link.on_delete ?? undefined,
            onUpdate: link.on_update ?? undefined,
          },
        });
      return keys;
    });
  }

  /** Brings a link back at both ends; gives the ids of the tables that changed. */
  async function restore(
    scope: AccessScope,
    { snapshot, column }: { readonly snapshot: ProjectSnapshot; readonly column: ColumnModel },
    link: DeletedLink,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const table = snapshot.tables.get(column.table_id);
    const ends = new Set(link.columns.map(({ table_id }) => table_id));
    const back = ids(link.tables);
    for (const id of ends) {
      if (!snapshot.tables.has(id) && !back.has(id))
        throw schemaErrors.create('TRASH_TABLE_DELETED', { column: column.title });
    }
    if (table === undefined) throw schemaErrors.create('TRASH_TABLE_DELETED', { column: column.title });
    const base: BaseSchema = tools.baseOf(snapshot, table);
    const columns = link.columns.map(({ id, title, table_id }) => {
      const present = snapshot.tables.get(table_id)?.columns ?? [];
      return { id, title: titleAmong(title, present) };
    });
    const tables = link.tables.map(({ id, title }) => ({
      id,
      title: titleAmong(title, [...snapshot.tables.values()]),
    }));
    const keys = base.own ? await foreignKeysOf(link) : [];
    const about = `Column ${column.title} of ${table.title} was restored, and the link that it shows`;
    const run = (foreignKeys: readonly HeldForeignKey[], looseLinkIds: readonly string[]) =>
      jobs.run(
        table.projectId,
        kinds.restoreLink,
        { base, foreignKeys, columns, tables, looseLinkIds },
        signal,
        tools.change(scope, table, 'RESTORED', about),
      );
    try {
      await run(keys, []);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'foreignKey') throw error;
      // Rows that were linked to are gone by now: the link is kept, and the database does not watch over it.
      await run(
        [],
        keys.flatMap(({ linkIds }) => linkIds),
      );
    }
    return [...ends];
  }

  return { linkOf, restore };
}

/** Whether a deleted column only holds a link, and comes and goes with what shows it. */
export function isHolding(column: ColumnModel, all: readonly ColumnModel[]): boolean {
  return (
    column.uidt === foreignKeyType &&
    all.some(({ link_id, parked_at }) => link_id !== null && parked_at === column.parked_at)
  );
}

function ids(of: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(of.map(({ id }) => id));
}
