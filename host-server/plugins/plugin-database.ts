import { createHash } from 'node:crypto';
import { defineErrors, TrellisError, type PluginManifest } from '@trellis/core';
import type {
  PluginColumn,
  PluginDatabase,
  PluginKeyValue,
  PluginMigration,
  PluginSchema,
  PluginUnit,
} from '@trellis/sdk/server';
import { beginPattern } from '../sql/long-texts.ts';
import type { Unit } from '../sql/unit.ts';
import { DatabaseError } from '../databases/index.ts';
import type { ColumnSpec, IndexSpec, TableSpec } from '../dialects/schema/schema-changer.ts';
import type { Metadata } from '../metadata/metadata.ts';

const pluginDatabaseErrors = defineErrors({
  UNIQUE_VIOLATION: { status: 409, message: 'There is already one with this value.' },
});

/** The transaction behind a plugin's unit, for host services that take part in it. */
const units = new WeakMap<PluginUnit, Unit>();

export function unitOf(unit: PluginUnit): Unit {
  const inner = units.get(unit);
  if (inner === undefined) throw new Error('This unit was not made by ctx.db.');
  return inner;
}

/** `p_<id>_<name>` as a plain SQL name; without a name, the prefix of all tables of the plugin. */
export function tableNameOf(pluginId: string, name: string): string {
  if (name !== '' && !/^[a-z][a-z0-9_]{0,30}$/.test(name)) {
    throw new Error(
      `'${name}' is not a table name for a plugin: use a-z, 0-9 and _, beginning with a letter.`,
    );
  }
  return `p_${pluginId.replaceAll('-', '_')}_${name}`;
}

/** Converts the error for a duplicate key to the one that plugins get. */
async function saidOfUnique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique')
      throw pluginDatabaseErrors.create('UNIQUE_VIOLATION', {}, error);
    throw error;
  }
}

/** A transaction of the metadata database as a plugin sees it, with the plugin's own tables. */
export function pluginUnit(pluginId: string, unit: Unit): PluginUnit {
  const wrapped: PluginUnit = {
    table: (name) => unit.knex(tableNameOf(pluginId, name)),
    all: (query) => unit.all(query),
    first: (query) => unit.first(query),
    run: (query) => saidOfUnique(async () => (await unit.run(query)).changes),
    runLast: (queries) =>
      saidOfUnique(async () =>
        queries.length === 0 ? [] : (await unit.last(queries)).map(({ changes }) => changes),
      ),
  };
  units.set(wrapped, unit);
  return wrapped;
}

/** A plugin's own tables in the metadata database. */
export function createPluginDatabase(pluginId: string, { database }: Metadata): PluginDatabase {
  const wrap = (unit: Unit) => pluginUnit(pluginId, unit);
  const write: PluginDatabase['write'] = (work) =>
    database.write((unit) => work(wrap(unit)), { retry: true });
  return {
    table: (name) => database.builder(tableNameOf(pluginId, name)),
    read: (work) => database.read((unit) => work(wrap(unit))),
    write,
    writeKey: (work) => untilNobodyWasFirst(() => write(work)),
  };
}

/** How often to look for a key again: it may also be deleted between two reads. */
const mostLooks = 5;

const isUniqueViolation = (error: unknown) =>
  error instanceof TrellisError && error.code === 'UNIQUE_VIOLATION';

async function untilNobodyWasFirst<T>(work: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await work();
    } catch (error) {
      if (looks === mostLooks || !isUniqueViolation(error)) throw error;
    }
  }
}

/** Small durable values of one plugin. */
export function createPluginKeyValue(pluginId: string, { database }: Metadata): PluginKeyValue {
  const row = (unit: Unit, key: string) => unit.knex('trellis_plugin_kv').where({ plugin_id: pluginId, key });
  return {
    async get<T>(key: string) {
      const found = await database.read((unit) =>
        unit.first<{ value: string }>(row(unit, key).select('value')),
      );
      return found === undefined ? undefined : (JSON.parse(found.value) as T);
    },
    async set(key, value) {
      await database.write(async (unit) => {
        const text = JSON.stringify(value);
        await unit.run(
          unit
            .knex('trellis_plugin_kv')
            .insert({ plugin_id: pluginId, key, value: text })
            .onConflict(['plugin_id', 'key'])
            .merge(['value']),
        );
      });
    },
    async delete(key) {
      await database.write((unit) => unit.run(row(unit, key).delete()));
    },
    async keys(prefix) {
      const rows = await database.read((unit) =>
        unit.all<{ key: string }>(
          unit
            .knex('trellis_plugin_kv')
            .where({ plugin_id: pluginId })
            .andWhere('key', 'like', beginPattern(prefix))
            .select('key'),
        ),
      );
      return rows.map(({ key }) => key).filter((key) => key.startsWith(prefix));
    },
  };
}

/**
 * Runs a plugin's migrations that have not run here, forward only, one server at a time.
 *
 * @throws Error for migrations that cannot run, and for a migration that creates a table which the manifest does not list
 */
export async function migratePlugin(
  { id: pluginId, contributes }: Pick<PluginManifest, 'id' | 'contributes'>,
  migrations: readonly PluginMigration[],
  metadata: Metadata,
): Promise<void> {
  if (migrations.length === 0) return;
  const ids = migrations.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw new Error(
      `Two migrations of '${pluginId}' are called '${twice}', so one of them would never run; rename one.`,
    );
  const idle = migrations.find(({ up }) => typeof up !== 'function');
  if (idle !== undefined)
    throw new Error(`The migration '${idle.id}' of '${pluginId}' has no function 'up'.`);
  const sorted = migrations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const applied = await appliedMigrations(pluginId, metadata);
  const open = sorted.filter((migration) => !applied.has(migration.id));
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
          tables: contributes?.tables ?? [],
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
