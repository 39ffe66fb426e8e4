import type { Logger } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import { flag } from '../../metadata/stored-values.ts';

/** How long what was deleted can be restored. */
export const keptForMs = 30 * 24 * 60 * 60 * 1000;

interface ParkedTable {
  readonly id: string;
  readonly table_name: string;
  readonly project_id: string;
  readonly own: unknown;
}

interface ParkedColumn {
  readonly id: string;
  readonly table_id: string;
  readonly column_name: string;
  readonly table_name: string;
  readonly project_id: string;
  readonly own: unknown;
}

/** Takes the values of what is dropped out of other places that hold them. */
export interface ForgetDropped {
  table(tableId: string): Promise<void>;
  column(column: { readonly tableId: string; readonly columnId: string }): Promise<void>;
}

export interface PurgeDependencies {
  readonly metadata: Metadata;
  readonly logger: Logger;
  readonly forget: ForgetDropped;
}

/**
 * Drops what was parked more than 30 days ago: columns, tables, and the tables of deleted projects.
 *
 * Only tables that we made are dropped. In somebody's own database deleting only made us forget, and it stays so.
 */
export async function purgeParked(
  { metadata: { database, generations }, logger, forget }: PurgeDependencies,
  now: number = Date.now(),
): Promise<void> {
  const before = now - keptForMs;

  const tables = await database.read((unit) =>
    unit.all<ParkedTable>(
      unit
        .knex('trellis_table as of')
        .join('trellis_base as base', 'base.id', 'of.base_id')
        .join('trellis_project as project', 'project.id', 'of.project_id')
        .where((where) => {
          void where.where('of.parked_at', '<', before).orWhere('project.deleted_at', '<', before);
        })
        .select('of.id', 'of.table_name', 'of.project_id', 'base.own'),
    ),
  );
  let dropped = 0;
  /** One thing that cannot be dropped must not keep the others; it is tried again the next time. */
  async function drop(what: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      dropped += 1;
    } catch (error) {
      logger.warn(`A deleted ${what} could not be dropped yet`, { id, error });
    }
  }

  async function dropTable(table: ParkedTable): Promise<void> {
    if (flag(table.own)) await database.schema((changer) => changer.dropTable(table.table_name));
    await forget.table(table.id);
    await database.write(async (unit) => {
      const views = unit.knex('trellis_view').where({ table_id: table.id }).select('id');
      for (const of of ['trellis_view_column', 'trellis_sort', 'trellis_filter']) {
        await unit.run(unit.knex(of).whereIn('view_id', views.clone()).delete());
      }
      await unit.run(unit.knex('trellis_view').where({ table_id: table.id }).delete());
      await unit.run(unit.knex('trellis_column').where({ table_id: table.id }).delete());
      const links = unit.knex('trellis_link');
      await unit.run(links.where({ table_id: table.id }).orWhere({ to_table_id: table.id }).delete());
      await unit.run(unit.knex('trellis_table').where({ id: table.id }).delete());
      await generations.bump(unit, table.project_id);
    });
  }
  for (const table of tables) await drop('table', table.id, () => dropTable(table));

  const columns = await database.read((unit) =>
    unit.all<ParkedColumn>(
      unit
        .knex('trellis_column as of')
        .join('trellis_table as home', 'home.id', 'of.table_id')
        .join('trellis_base as base', 'base.id', 'home.base_id')
        .where('of.parked_at', '<', before)
        .select('of.id', 'of.table_id', 'of.column_name', 'of.project_id', 'home.table_name', 'base.own'),
    ),
  );
  async function dropColumn(column: ParkedColumn): Promise<void> {
    if (flag(column.own)) {
      await database.schema((changer) => changer.dropColumn(column.table_name, column.column_name));
    }
    await forget.column({ tableId: column.table_id, columnId: column.id });
    await database.write(async (unit) => {
      await unit.run(unit.knex('trellis_view_column').where({ column_id: column.id }).delete());
      await unit.run(unit.knex('trellis_sort').where({ column_id: column.id }).delete());
      await unit.run(unit.knex('trellis_filter').where({ column_id: column.id }).delete());
      await unit.run(unit.knex('trellis_column').where({ id: column.id }).delete());
      await generations.bump(unit, column.project_id);
    });
  }
  for (const column of columns) await drop('column', column.id, () => dropColumn(column));

  const { changes } = await database.write(async (unit) => {
    // A project goes when its last table has gone.
    const projects = unit
      .knex('trellis_project')
      .where('deleted_at', '<', before)
      .whereNotIn('id', unit.knex('trellis_table').select('project_id'))
      .select('id');
    await unit.run(unit.knex('trellis_grant').whereIn('project_id', projects.clone()).delete());
    await unit.run(unit.knex('trellis_base').whereIn('project_id', projects.clone()).delete());
    return unit.run(
      unit
        .knex('trellis_project')
        .where('deleted_at', '<', before)
        .whereNotIn('id', unit.knex('trellis_table').select('project_id'))
        .delete(),
    );
  });
  if (dropped + changes > 0) {
    logger.info('Dropped what was deleted more than 30 days ago', {
      tablesAndColumns: dropped,
      projects: changes,
    });
  }
}
