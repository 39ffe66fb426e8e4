import type { AccessScope, BaseSchema, DatabaseObjectKind, DatabaseObjects } from '@trellis/sdk/server';
import { findObject, listObjects } from '../../dialects/objects/default.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';

const usualLimit = 200;
const largestLimit = 500;
/** Milliseconds for reading a catalogue of tens of thousands of objects. */
const longestLook = 20_000;

/** Reads database objects other than tables, for callers who may see how databases are connected. */
export function createDatabaseObjects(
  parts: Pick<SchemaStoreParts, 'databases' | 'snapshotOf'>,
): DatabaseObjects {
  async function find(scope: AccessScope, baseId: string): Promise<BaseSchema> {
    scope.require('databaseOpen');
    scope.require('baseUpdate');
    const base = (await parts.snapshotOf(scope)).bases.get(baseId);
    if (base === undefined) throw schemaErrors.create('BASE_NOT_FOUND');
    if (base.own) throw schemaErrors.create('BASE_OWN');
    return base;
  }

  return {
    async list(scope, baseId, { kind, search = '', limit = usualLimit } = {}) {
      const database = await parts.databases.of(await find(scope, baseId));
      const { objects } = database.dialect;
      const wanted = { kind, search, limit: Math.min(Math.max(limit, 1), largestLimit) };
      const { list, counts } = await database.read((unit) => listObjects(unit, objects, wanted), {
        timeoutMs: longestLook,
      });
      const known = objects.kinds.map((one): [DatabaseObjectKind, number] => [one, counts.get(one) ?? 0]);
      return { list, counts: Object.fromEntries(known) };
    },

    async read(scope, baseId, kind, id) {
      const database = await parts.databases.of(await find(scope, baseId));
      const { objects, identifiers } = database.dialect;
      return database.read(
        async (unit) => {
          const object = await findObject(unit, objects, kind, id);
          if (object === undefined) throw schemaErrors.create('DATABASE_OBJECT_NOT_FOUND');
          return { ...object, ...(await objects.read(unit, object, identifiers)) };
        },
        { timeoutMs: longestLook },
      );
    },
  };
}
