import { createHash } from 'node:crypto';
import type { PluginManifest } from '@trellis/core';
import type { PluginColumn, PluginMigration, PluginSchema } from '@trellis/sdk/server';
import type { ColumnSpec, IndexSpec, TableSpec } from '../dialects/schema/schema-changer.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { tableNameOf } from './plugin-database.ts';

/** What the checks and runs of a plugin's migrations need. */
export interface MigrationDependencies {
  readonly metadata: Metadata;
  /** Called with what is odd about them and keeps none of them from running. */
  readonly warn: (text: string) => void;
}

/**
 * Runs a plugin's migrations that have not run here, forward only, one server at a time. All of them are checked before the first
 * one runs.
 *
 * @throws Error for migrations that cannot run, and for a migration that creates a table which the manifest does not list
 */
export async function migratePlugin(
  { id: pluginId, contributes }: Pick<PluginManifest, 'id' | 'contributes'>,
  migrations: readonly PluginMigration[],
  { metadata, warn }: MigrationDependencies,
): Promise<void> {
  const tables = contributes?.tables ?? [];
  if (migrations.length === 0 && tables.length === 0) return;
  assertWhole(pluginId, migrations);
  const sorted = migrations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const applied = await appliedMigrations(pluginId, metadata);
  const open = sorted.filter((migration) => !applied.has(migration.id));
  assertInOrder(pluginId, open, applied);
  const gone = [...applied].filter((id) => migrations.every((of) => of.id !== id));
  if (gone.length > 0)
    warn(
      `This version lacks migrations that have run here: ${gone.join(', ')}. What they made stays; a newer version that lacks them is for its author to mend.`,
    );
  if (open.length === 0) return;
  await metadata.leases.hold(`plugin-migration:${pluginId}`, async ({ signal }) => {
    const done = await appliedMigrations(pluginId, metadata);
    for (const migration of open) {
      if (done.has(migration.id)) continue;
      signal.throwIfAborted();
      await migration.up(
        createPluginSchema(metadata, {
          plugin: pluginId,
          migration: migration.id,
          tables,
        }),
      );
      await metadata.database.write((unit) =>
        unit.run(
          unit.knex('trellis_plugin_migration').insert({
            plugin_id: pluginId,
            id: migration.id,
            checksum: checksumOf(migration),
            applied_at: Date.now(),
          }),
        ),
      );
    }
  });
}

/** @throws Error for migrations that cannot be told apart, or have nothing to run */
function assertWhole(pluginId: string, migrations: readonly PluginMigration[]): void {
  const ids = migrations.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw new Error(
      `Two migrations of '${pluginId}' are called '${twice}', so one of them would never run; rename one.`,
    );
  const idle = migrations.find(({ up }) => typeof up !== 'function');
  if (idle !== undefined)
    throw new Error(`The migration '${idle.id}' of '${pluginId}' has no function 'up'.`);
}

/** @throws Error for a migration that would run after those that its author wrote to run later */
function assertInOrder(
  pluginId: string,
  open: readonly PluginMigration[],
  applied: ReadonlySet<string>,
): void {
  const last = [...applied].toSorted().at(-1);
  const early = open.find(({ id }) => last !== undefined && id < last);
  if (early === undefined) return;
  throw new Error(
    `The migration '${early.id}' of '${pluginId}' has not run here and sorts before '${last}', which has; give it an id that sorts behind.`,
  );
}

/** The ids of those that ran here. */
async function appliedMigrations(pluginId: string, { database }: Metadata): Promise<ReadonlySet<string>> {
  const rows = await database.read((unit) =>
    unit.all<{ id: string }>(
      unit.knex('trellis_plugin_migration').where({ plugin_id: pluginId }).select('id'),
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Older servers on the same database compare the checksum. It is made of the id alone, since the text of a function changes with
 * every build.
 */
function checksumOf(migration: PluginMigration): string {
  return createHash('sha256').update(migration.id).digest('hex');
}

function indexOf(table: string, columns: readonly string[], unique: boolean): IndexSpec {
  return { name: `${table}_${columns.join('_')}`.slice(0, 60), columns, unique };
}

/** @param tables the tables that the plugin's manifest lists, which people have agreed to */
function createPluginSchema(
  { database }: Metadata,
  {
    plugin: pluginId,
    migration,
    tables,
  }: { readonly plugin: string; readonly migration: string; readonly tables: readonly string[] },
): PluginSchema {
  const toColumn = (name: string, { kind, length, required }: PluginColumn): ColumnSpec => ({
    name,
    kind,
    length,
    nullable: required !== true,
  });
  return {
    async createTable(name, { columns, key, indexes = [], unique = [] }) {
      const table = tableNameOf(pluginId, name);
      if (!tables.includes(name))
        throw new Error(
          `The migration '${migration}' of plugin '${pluginId}' makes the table '${name}', which its manifest does not list; add it to contributes.tables.`,
        );
      const index = (names: readonly string[], isUnique: boolean) => indexOf(table, names, isUnique);
      const spec: TableSpec = {
        name: table,
        columns: Object.entries(columns).map(([column, of]) => toColumn(column, of)),
        primaryKey: key,
        indexes: [
          ...unique.map((names) => index(names, true)),
          ...indexes.map((names) => index(names, false)),
        ],
      };
      await database.schema((changer) => changer.createTable(spec));
    },
    async addIndex(name, names) {
      const table = tableNameOf(pluginId, name);
      await database.schema((changer) => changer.createIndex(table, indexOf(table, names, false)));
    },
    async addColumn(table, name, column) {
      await database.schema((changer) =>
        changer.addColumn(tableNameOf(pluginId, table), toColumn(name, column)),
      );
    },
  };
}
