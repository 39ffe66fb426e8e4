import { defineErrors, TrellisError } from '@trellis/core';
import type { PluginDatabase, PluginKeyValue, PluginUnit } from '@trellis/sdk/server';
import { beginPattern } from '../sql/long-texts.ts';
import type { Unit } from '../sql/unit.ts';
import { DatabaseError } from '../databases/index.ts';
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
