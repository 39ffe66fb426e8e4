import type { Logger } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import type { ColumnModel } from '../../metadata/models/column-model.ts';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';
import type { LinkModel } from '../../metadata/models/link-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { TableModel } from '../../metadata/models/table-model.ts';
import { writeSetting } from '../../metadata/settings.ts';
import { inParts } from '../../sql/in-parts.ts';
import { beginPattern } from '../../sql/long-texts.ts';
import type { Unit } from '../../sql/unit.ts';
import { keptForMs } from './parked-times.ts';

/** Removes the values of dropped columns and tables from other places that hold them. */
export interface ForgetDropped {
  table(tableId: string): Promise<void>;
  column(column: { readonly tableId: string; readonly columnId: string }): Promise<void>;
  /** Called after a table and its values in the log are gone. */
  goneTable(table: { readonly projectId: string; readonly tableId: string }): Promise<void>;
  /** Called after the project, its tables and its rights are gone. */
  project(projectId: string): Promise<void>;
}

export interface PurgeDependencies {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly forget: ForgetDropped;
}

/** Drops single things for good. Each method may be run again after it was cut off. */
export interface Dropper {
  table(table: TableModel): Promise<void>;
  column(column: ColumnModel): Promise<void>;
  /** Drops a deleted project with all of its tables and metadata. External databases that it opened are not changed. */
  project(projectId: string): Promise<void>;
  /** Announces tables and projects whose removal was not announced, because their server ended. */
  tellOfGone(): Promise<void>;
}

/** Prefixes of settings that mark a removed project or table until its removal is announced. */
const goneProject = 'project.gone.';
const goneTable = 'table.gone.';
/** Rows of one statement; every database accepts so many. */
const rowsAtOnce = 100;

/** The marked projects or tables, by id. */
async function marked({ database }: Metadata, mark: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database.read((unit) =>
    unit.all<{ readonly key: string; readonly value: string | null }>(
      unit.knex('trellis_setting').where('key', 'like', beginPattern(mark)).select('key', 'value'),
    ),
  );
  return new Map(rows.map(({ key, value }) => [key.slice(mark.length), value ?? '']));
}

async function unmark({ database }: Metadata, key: string): Promise<void> {
  await database.write((unit) => unit.run(unit.knex('trellis_setting').where({ key }).delete()));
}

/** Runs the work for each item, even if it fails for others. @throws the errors, after all were tried */
async function doForEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
  if (failures.length > 0) throw failures[0];
}

/**
 * Announces tables that `deleteTables` has deleted, after their values are removed from the log. The next run repeats those that
 * fail.
 *
 * @throws the errors, after all were tried
 */
export async function tellOfTables(
  { metadata, forget }: Omit<PurgeDependencies, 'logger'>,
  tables: readonly { readonly projectId: string; readonly tableId: string }[],
): Promise<void> {
  await doForEach(tables, async (table) => {
    await forget.table(table.tableId);
    await forget.goneTable(table);
    await unmark(metadata, goneTable + table.tableId);
  });
}

/** Deletes the metadata of tables and marks them as gone. The tables in the database stay. */
export async function deleteTables(
  unit: Unit,
  which: { readonly id: string } | { readonly base_id: string },
): Promise<void> {
  const { ColumnModel, LinkModel, TableModel, ViewModel } = await models();
  const gone = await TableModel.query(unit.knex).where(which).select('id', 'project_id');
  const marks = gone.map(({ id, project_id: value }) => ({ key: goneTable + id, value }));
  for (const part of inParts(marks, rowsAtOnce))
    await unit.run(unit.knex('trellis_setting').insert([...part]));
  const ids = () => TableModel.query(unit.knex).where(which).select('id');
  const views = ViewModel.query(unit.knex).whereIn('table_id', ids());
  for (const parts of ['columns', 'sorts', 'filters'] as const)
    await ViewModel.relatedQuery(parts, unit.knex).for(views.clone()).delete();
  await views.clone().delete();
  await ColumnModel.query(unit.knex).whereIn('table_id', ids()).delete();
  await LinkModel.query(unit.knex).whereIn('table_id', ids()).orWhereIn('to_table_id', ids()).delete();
  await TableModel.query(unit.knex).where(which).delete();
}

/**
 * Drops only tables and columns that this product created. Deleted parts of an external base are only removed from the metadata.
 *
 * The models need their relations `base` and `table.base`.
 */
export function createDropper({ metadata, forget }: Omit<PurgeDependencies, 'logger'>): Dropper {
  const { database, generations } = metadata;

  /** The deleted parts of links to a table: junction tables, and columns of other tables. */
  async function leadingTo({ id }: TableModel) {
    const model = await models();
    return database.read(async (unit) => {
      const links: readonly LinkModel[] = await model.LinkModel.query(unit.knex)
        .where({ table_id: id })
        .orWhere({ to_table_id: id });
      const others = links.flatMap(({ through_table: through }) => through?.tableId ?? []);
      const tables = await model.TableModel.query(unit.knex)
        .whereIn('id', others)
        .where({ junction: true })
        .whereNotNull('parked_at')
        .whereNot({ id })
        .withGraphFetched('base');
      const held = links.flatMap(({ kind, column_ids: of }) => (kind === 'belongsTo' ? of : []));
      const columns = await model.ColumnModel.query(unit.knex)
        .whereNotNull('parked_at')
        .whereNot({ table_id: id })
        .where((either) => {
          void either
            .whereIn(
              'link_id',
              links.map((link) => link.id),
            )
            .orWhere((holding) => void holding.where({ uidt: foreignKeyType }).whereIn('id', held));
        })
        .withGraphFetched('table.base');
      return { tables, columns };
    });
  }

  /**
   * Foreign keys of other tables would keep the table from being dropped. At this point only tables in a cycle of links still
   * have some.
   */
  async function dropWithKeysTo({ id, table_name: tableName }: TableModel): Promise<void> {
    const model = await models();
    const keys = await database.read(async (unit) =>
      model.LinkModel.query(unit.knex)
        .alias('link')
        .join('trellis_table as holder', 'holder.id', 'link.table_id')
        .where({ 'link.to_table_id': id, 'link.kind': 'belongsTo' })
        .whereNot('link.table_id', id)
        .whereNotNull('link.constraint_name')
        .select('holder.table_name as table', 'link.constraint_name as name')
        .castTo<readonly { readonly table: string; readonly name: string }[]>(),
    );
    await database.schema(async (changer) => {
      for (const { table, name } of keys) await changer.dropForeignKey(table, name);
      await changer.dropTable(tableName);
    });
  }

  async function tellOf(projectId: string): Promise<void> {
    await forget.project(projectId);
    await unmark(metadata, goneProject + projectId);
  }

  const dropper: Dropper = {
    async table(table) {
      // Half a link could be restored, but would show nothing.
      const leading = await leadingTo(table);
      for (const junction of leading.tables) await dropper.table(junction);
      for (const column of leading.columns) await dropper.column(column);
      if (table.base?.own === true) await dropWithKeysTo(table);
      await database.write(async (unit) => {
        await deleteTables(unit, { id: table.id });
        await generations.bump(unit, table.project_id);
      });
      await tellOfTables({ metadata, forget }, [{ projectId: table.project_id, tableId: table.id }]);
    },
    async column({ id, project_id, table_id, column_name, link_id, table }) {
      const model = await models();
      if (table?.base?.own === true && column_name !== '') {
        await database.schema((changer) => changer.dropColumn(table.table_name, column_name));
      }
      await forget.column({ tableId: table_id, columnId: id });
      await database.write(async (unit) => {
        await model.ViewColumnModel.query(unit.knex).where({ column_id: id }).delete();
        await model.SortModel.query(unit.knex).where({ column_id: id }).delete();
        await model.FilterModel.query(unit.knex).where({ column_id: id }).delete();
        if (link_id !== null) await model.LinkModel.query(unit.knex).deleteById(link_id);
        await model.ColumnModel.query(unit.knex).deleteById(id);
        await generations.bump(unit, project_id);
      });
    },
    async project(projectId) {
      const model = await models();
      const tables = await database.read(async (unit) =>
        model.TableModel.query(unit.knex).where({ project_id: projectId }).withGraphFetched('base'),
      );
      for (const table of await holdersFirst(metadata, tables)) await dropper.table(table);
      await database.write(async (unit) => {
        const gone = model.ProjectModel.query(unit.knex).where({ id: projectId }).whereNotNull('deleted_at');
        await model.ProjectModel.relatedQuery('grants', unit.knex).for(gone.clone()).delete();
        await model.ProjectModel.relatedQuery('bases', unit.knex).for(gone.clone()).delete();
        if ((await gone.clone().delete()) > 0) await writeSetting(unit, goneProject + projectId, '');
        await generations.bump(unit, 'projects');
      });
      await tellOf(projectId);
    },
    async tellOfGone() {
      const tables = [...(await marked(metadata, goneTable))];
      const ofTables = () =>
        tellOfTables(
          { metadata, forget },
          tables.map(([tableId, projectId]) => ({ tableId, projectId })),
        );
      const ofProjects = async () => doForEach((await marked(metadata, goneProject)).keys(), tellOf);
      await doForEach([ofTables, ofProjects], (tell) => tell());
    },
  };
  return dropper;
}

/**
 * Sorts tables so that each comes after the tables with foreign keys to it, except in cycles: SQLite removes a foreign key only
 * by rewriting the whole table.
 */
async function holdersFirst(
  { database }: Metadata,
  tables: readonly TableModel[],
): Promise<readonly TableModel[]> {
  const { LinkModel } = await models();
  const projects = [...new Set(tables.map(({ project_id: id }) => id))];
  const links = await database.read(async (unit) =>
    LinkModel.query(unit.knex).whereIn('project_id', projects).where({ kind: 'belongsTo' }),
  );
  const ordered: TableModel[] = [];
  const left = new Map(tables.map((table) => [table.id, table]));
  while (left.size > 0) {
    const held = new Set(
      links.flatMap(({ table_id: from, to_table_id: to }) => (from !== to && left.has(from) ? [to] : [])),
    );
    const all = [...left.values()];
    const free = all.filter(({ id }) => !held.has(id));
    // Within a cycle any table may come first.
    const next = free.length > 0 ? free : all.slice(0, 1);
    for (const table of next) left.delete(table.id);
    ordered.push(...next);
  }
  return ordered;
}

/**
 * Drops what was parked more than 30 days ago: columns, tables, and the tables of deleted projects.
 */
export async function purgeParked(
  { metadata, logger, forget }: PurgeDependencies,
  now: number = Date.now(),
): Promise<void> {
  const { database } = metadata;
  const dropper = createDropper({ metadata, forget });
  const before = now - keptForMs;

  const model = await models();

  const tables = await database.read(async (unit) =>
    model.TableModel.query(unit.knex)
      .alias('of')
      .joinRelated('[base, project]')
      .where((either) => {
        void either.where('of.parked_at', '<', before).orWhere('project.deleted_at', '<', before);
      })
      .select('of.*')
      .withGraphFetched('base'),
  );
  let dropped = 0;
  /** Logs a failure and goes on with the others; the next run tries again. */
  async function drop(what: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      dropped += 1;
    } catch (error) {
      logger.warn(`A deleted ${what} could not be dropped yet`, { id, error });
    }
  }

  for (const table of await holdersFirst(metadata, tables))
    await drop('table', table.id, () => dropper.table(table));

  const columns = await database.read(async (unit) =>
    model.ColumnModel.query(unit.knex)
      .alias('of')
      .joinRelated('table.base')
      .where('of.parked_at', '<', before)
      .select('of.*')
      .withGraphFetched('table.base'),
  );
  for (const column of columns) await drop('column', column.id, () => dropper.column(column));

  const projects = await database.read(async (unit) =>
    model.ProjectModel.query(unit.knex)
      .where('deleted_at', '<', before)
      // A project is dropped when its last table is gone.
      .whereNotIn('id', model.TableModel.query(unit.knex).select('project_id')),
  );
  for (const { id } of projects) await drop('project', id, () => dropper.project(id));
  if (dropped > 0) logger.info('Dropped what was deleted more than 30 days ago', { dropped });
  await dropper.tellOfGone();
}
