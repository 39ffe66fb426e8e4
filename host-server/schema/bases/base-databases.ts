import type { BaseSchema, Secrets } from '@trellis/sdk/server';
import type { ConnectionManager, Database, DatabaseTarget } from '../../databases/index.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';

const purpose = 'base-config';

/** From a base to its database: the metadata's own, or an external one that is opened when it is first used. */
export interface BaseDatabases {
  of(base: Pick<BaseSchema, 'id' | 'own'>): Database | Promise<Database>;
  seal(target: DatabaseTarget): string;
  /** The address that was sealed. */
  unseal(config: string): DatabaseTarget;
  fileOf: ConnectionManager['fileOf'];
  hasRollbackJournal: ConnectionManager['hasRollbackJournal'];
  /** A database that is no base yet, under the id that its base will have. */
  open(baseId: string, target: DatabaseTarget): Database;
  forget(baseId: string): Promise<void>;
}

export function createBaseDatabases(deps: {
  readonly metadata: Metadata;
  readonly connections: ConnectionManager;
  readonly secrets: Secrets;
}): BaseDatabases {
  const { metadata, connections, secrets } = deps;
  /** The configuration of a base never changes, so a base is looked up once. */
  const external = new Map<string, Promise<Database>>();

  async function openExternal(baseId: string): Promise<Database> {
    const { BaseModel } = await models();
    const row = await metadata.database.read(async (unit) => BaseModel.query(unit.knex).findById(baseId));
    if (!row?.config) throw schemaErrors.create('DATABASE_UNUSABLE');
    return connections.get(baseId, unseal(row.config));
  }

  function unseal(config: string): DatabaseTarget {
    return JSON.parse(secrets.decrypt(purpose, config)) as DatabaseTarget;
  }

  return {
    of(base) {
      if (base.own) return metadata.database;
      let database = external.get(base.id);
      if (database === undefined) {
        database = openExternal(base.id);
        database.catch(() => external.delete(base.id));
        external.set(base.id, database);
      }
      return database;
    },
    seal: (target) => secrets.encrypt(purpose, JSON.stringify(target)),
    unseal,
    fileOf: (target) => connections.fileOf(target),
    hasRollbackJournal: (target) => connections.hasRollbackJournal(target),
    open: (baseId, target) => connections.get(baseId, target),
    async forget(baseId) {
      external.delete(baseId);
      await connections.forget(baseId);
    },
  };
}
