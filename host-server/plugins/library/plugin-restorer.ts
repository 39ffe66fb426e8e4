import { defineErrors, validateSchema, type JsonSchema, type PluginManager } from '@trellis/core';
import type { PluginInstaller, ServerPluginContext } from '@trellis/sdk/server';
import { DatabaseError } from '../../databases/index.ts';
import type { TypeMap } from '../../dialects/types/default.ts';
import type { IntrospectedColumn } from '../../dialects/introspection/default.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import type { Binding } from '../../sql/session.ts';
import { tableNameOf } from '../plugin-database.ts';
import type { PluginRemoverDependencies } from './plugin-remover.ts';

const restoreErrors = defineErrors({
  PLUGIN_DATA_INVALID: {
    status: 400,
    message: "This is no file of a plugin's data, as it is saved when the plugin is removed.",
  },
  PLUGIN_DATA_OTHER: { status: 409, message: "The file holds the data of '{other}', not of '{plugin}'." },
  PLUGIN_DATA_VERSION: {
    status: 409,
    message:
      "The file is of version {version} of '{plugin}', and {current} is in use. Put version {version} into use first, and update when its data is back.",
  },
  PLUGIN_DATA_NO_TABLE: {
    status: 409,
    message:
      "'{plugin}' has no table '{table}' here yet. It makes its tables when it is switched on for the first time.",
  },
  PLUGIN_DATA_NO_COLUMN: {
    status: 409,
    message:
      "The file names the column '{column}', which the table '{table}' of '{plugin}' does not have here.",
  },
  PLUGIN_DATA_REFUSED: {
    status: 409,
    message: "The database does not take what the file holds for '{plugin}'; everything is as before.",
  },
});

type Row = Readonly<Record<string, unknown>>;

/** The data that `dataOf` wrote. Settings are not restored: their secrets are not in the file. */
interface PluginArchive {
  readonly plugin: string;
  readonly version: string;
  readonly values: Row;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

const archiveSchema: JsonSchema = {
  type: 'object',
  required: ['plugin', 'version', 'values', 'tables'],
  properties: {
    plugin: { type: 'string' },
    version: { type: 'string' },
    values: { type: 'object' },
    tables: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'object' } },
    },
  },
};

export interface PluginRestorerDependencies extends Pick<
  PluginRemoverDependencies,
  'library' | 'queue' | 'ownTables' | 'assertUnlocked'
> {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly metadata: Metadata;
  /** Does work while the plugin is off, here and on other servers. */
  readonly whileOff: (
    plugin: { readonly id: string; readonly name: string },
    work: () => Promise<void>,
  ) => Promise<void>;
}

/** Restores a plugin's own data that was saved before its removal. */
export function createPluginRestorer(deps: PluginRestorerDependencies): Pick<PluginInstaller, 'restoreData'> {
  const { library, manager, metadata } = deps;
  const { database } = metadata;

  /** @throws TrellisError for a file that is no archive of this version of the plugin */
  function read(id: string, name: string, text: string): PluginArchive {
    const archive = parsed(text);
    if (archive === undefined) throw restoreErrors.create('PLUGIN_DATA_INVALID');
    const { plugin: other, version } = archive;
    if (other !== id) throw restoreErrors.create('PLUGIN_DATA_OTHER', { other, plugin: name });
    const current = manager.status(id)?.manifest?.version;
    if (version !== current)
      throw restoreErrors.create('PLUGIN_DATA_VERSION', { version, plugin: name, current: current ?? '' });
    return archive;
  }

  /** The inserts of all rows, each as large as the database allows. @throws TrellisError for tables or rows that have no place here */
  async function inserts(id: string, name: string, { tables }: PluginArchive) {
    const { dialect } = database;
    // A name that begins with the id of another plugin would lead to that plugin's tables.
    const own = new Set((await deps.ownTables(id)).map((table) => table.name));
    const known = await database.read((unit) => dialect.introspection.read(unit));
    return Object.entries(tables).map(([table, rows]) => {
      const found = own.has(table)
        ? known.tables.find((of) => of.name === tableNameOf(id, table))
        : undefined;
      if (found === undefined) throw restoreErrors.create('PLUGIN_DATA_NO_TABLE', { plugin: name, table });
      const columns = new Map(found.columns.map((column) => [column.name, column]));
      const named = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((column) => {
        const of = columns.get(column);
        if (of === undefined)
          throw restoreErrors.create('PLUGIN_DATA_NO_COLUMN', { plugin: name, table, column });
        return of;
      });
      // One insert takes only rows with the same columns, so columns that a row lacks are null.
      const cells = rows.map((row) =>
        Object.fromEntries(named.map((of) => [of.name, toCell(row[of.name], of, dialect.types)])),
      );
      return { table: found.name, parts: dialect.limits.chunkRows(columns.size, cells) };
    });
  }

  return {
    async restoreData(id, text) {
      deps.assertUnlocked();
      await deps.queue.run(async () => {
        const name = library.find(id)?.manifest?.name ?? id;
        const archive = read(id, name, text);
        const placed = await inserts(id, name, archive);
        const values = Object.entries(archive.values).map(([key, value]) => ({ key, value: toJson(value) }));
        const put = () =>
          database.write(async (unit) => {
            const kept = () => unit.knex('trellis_plugin_kv');
            await unit.run(kept().where({ plugin_id: id }).delete());
            for (const of of values) await unit.run(kept().insert({ plugin_id: id, ...of }));
            for (const { table, parts } of placed) {
              await unit.run(unit.knex(table).delete());
              for (const part of parts) await unit.run(unit.knex(table).insert([...part]));
            }
          });
        try {
          // A running plugin would continue from data that it read before, and overwrite the restored data.
          await deps.whileOff({ id, name }, put);
        } catch (error) {
          if (!(error instanceof DatabaseError)) throw error;
          throw restoreErrors.create('PLUGIN_DATA_REFUSED', { plugin: name }, error);
        }
      });
    },
  };
}

function parsed(text: string): PluginArchive | undefined {
  try {
    const archive: unknown = JSON.parse(text);
    return validateSchema(archiveSchema, archive).length === 0 ? (archive as PluginArchive) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws TrellisError for a value that no plugin can have saved */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The value is nested too deeply to be written as JSON.
    if (error instanceof RangeError) throw restoreErrors.create('PLUGIN_DATA_INVALID', {}, error);
    throw error;
  }
}

/**
 * Converts a saved cell, perhaps from another kind of database, to a value for this one.
 *
 * @throws TrellisError for a value that the column cannot hold
 */
function toCell(value: unknown, { reading, native }: IntrospectedColumn, types: TypeMap): Binding {
  if (value === null || value === undefined) return null;
  const { kind } = reading;
  if (kind === 'binary' && typeof value === 'string') return Buffer.from(value, 'base64');
  if (kind === 'boolean')
    return types.codec('boolean', native).toDatabase(value === true || Number(value) === 1);
  // SQLite stores texts in number columns, and other databases refuse them.
  const number = numbers.get(kind);
  if (number !== undefined && !number.test(toJson(value))) throw restoreErrors.create('PLUGIN_DATA_INVALID');
  return typeof value === 'object' ? toJson(value) : (value as Binding);
}

const whole = /^("?)-?\d+\1$/;
const broken = /^("?)-?\d+(\.\d+)?(e[+-]?\d+)?\1$/i;
/** The form of numbers in a file, by the kind of their column: numbers that JSON cannot hold are texts. */
const numbers: ReadonlyMap<IntrospectedColumn['reading']['kind'], RegExp> = new Map([
  ['integer', whole],
  ['bigint', whole],
  ['decimal', broken],
  ['float', broken],
]);
