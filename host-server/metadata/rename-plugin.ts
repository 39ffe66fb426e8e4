import type { Database } from '../databases/database.ts';

/** The tables that name plugins, with the column of the name. */
const places = [
  ['trellis_plugin', 'id'],
  ['trellis_plugin_migration', 'plugin_id'],
  ['trellis_plugin_kv', 'plugin_id'],
] as const;

/**
 * Moves what is stored for a plugin (its switch, settings, migrations and values) to its new id. What the new id has already stays.
 */
export function renamePlugin(from: string, to: string): (database: Database) => Promise<void> {
  return (database) =>
    database.write(async (unit) => {
      for (const [table, column] of places) {
        const known = await unit.first(unit.knex(table).where(column, to).first(column));
        if (known === undefined) await unit.run(unit.knex(table).where(column, from).update(column, to));
        else await unit.run(unit.knex(table).where(column, from).delete());
      }
    });
}
