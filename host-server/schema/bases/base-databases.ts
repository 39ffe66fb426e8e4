import type { RegistryView } from '@trellis/core';
import type { BaseKind, BaseSchema, Secrets } from '@trellis/sdk/server';
import {
  DatabaseError,
  type ConnectionManager,
  type Database,
  type DatabaseTarget,
} from '../../databases/index.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { revisionOf } from '../../metadata/models/base-model.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { StoredConnection } from './base-settings.ts';
import { toDatabaseTarget } from './base-target.ts';

const purpose = 'base-config';

/** Identifies a base's database. A `revision` tells whether its connection is still the one that was opened. */
type BaseKey = Pick<BaseSchema, 'id' | 'own'> & Partial<Pick<BaseSchema, 'revision'>>;

/** From a base to its database: the metadata's own, or an external one that is opened when it is first used. */
export interface BaseDatabases extends Pick<
  ConnectionManager,
  'fileOf' | 'hasRollbackJournal' | 'test' | 'create'
> {
  of(base: BaseKey): Database | Promise<Database>;
  seal(connection: StoredConnection): string;
  /** Opens a sealed connection. */
  unseal(config: string): StoredConnection;
  /** Where a connection leads. @throws DatabaseError of kind `unreachable` when its kind is not registered. */
  targetOf(connection: StoredConnection): DatabaseTarget;
  /** Opens a database that is no base yet, under the id that its base will have. */
  open(baseId: string, target: DatabaseTarget): Database;
  forget(baseId: string): Promise<void>;
}

interface Opened {
  /** The revision of the connection that opened it. */
  readonly revision: string;
  readonly database: Database;
}

export function createBaseDatabases(deps: {
  readonly metadata: Metadata;
  readonly connections: ConnectionManager;
  readonly secrets: Secrets;
  readonly baseKinds: RegistryView<BaseKind>;
}): BaseDatabases {
  const { metadata, connections, secrets, baseKinds } = deps;
  const external = new Map<string, Opened>();
  const turns = new Map<string, Promise<void>>();

  /** Runs openings and closings of one base's database one after another, since each closes the database opened before. */
  function inTurn<T>(baseId: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(baseId) ?? Promise.resolve()).then(work);
    const settled = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (turns.get(baseId) === settled) turns.delete(baseId);
      });
    turns.set(baseId, settled);
    return turn;
  }

  /** Opens the connection that is stored now: the caller's copy of the base may be out of date. */
  async function openExternal(baseId: string): Promise<Database> {
    const { BaseModel } = await models();
    const row = await metadata.database.read(async (unit) => BaseModel.query(unit.knex).findById(baseId));
    if (!row?.config) throw schemaErrors.create('DATABASE_UNUSABLE');
    const revision = revisionOf(row.config);
    const known = external.get(baseId);
    if (known?.revision === revision) return known.database;
    external.delete(baseId);
    // The base may still be open with its former connection, which also read its tables.
    await connections.forget(baseId);
    const database = connections.get(baseId, targetOf(unseal(row.config)));
    external.set(baseId, { revision, database });
    return database;
  }

  function unseal(config: string): StoredConnection {
    const stored = JSON.parse(secrets.decrypt(purpose, config)) as StoredConnection | FormerConnection;
    return 'settings' in stored ? stored : fromFormer(stored);
  }

  function targetOf({ type, settings, isSetBySuperAdmin, givesJournalBack }: StoredConnection) {
    const kind = baseKinds.get(type);
    if (kind === undefined) throw new DatabaseError('unreachable');
    const target = toDatabaseTarget(kind.target(settings), isSetBySuperAdmin);
    return 'file' in target
      ? { ...target, ...(givesJournalBack !== undefined && { givesJournalBack }) }
      : target;
  }

  return {
    of(base) {
      if (base.own) return metadata.database;
      const known = external.get(base.id);
      if (known !== undefined && (base.revision === undefined || base.revision === known.revision))
        return known.database;
      return inTurn(base.id, () => openExternal(base.id));
    },
    seal: (connection) => secrets.encrypt(purpose, JSON.stringify(connection)),
    unseal,
    targetOf,
    fileOf: (target) => connections.fileOf(target),
    hasRollbackJournal: (target) => connections.hasRollbackJournal(target),
    test: (target) => connections.test(target),
    create: (target) => connections.create(target),
    open: (baseId, target) => connections.get(baseId, target),
    forget: (baseId) =>
      inTurn(baseId, async () => {
        external.delete(baseId);
        await connections.forget(baseId);
      }),
  };
}

/** The sealed form from before there were kinds: the file of a SQLite database. */
interface FormerConnection {
  readonly file: string;
  readonly givesJournalBack?: boolean;
}

function fromFormer({ file, givesJournalBack }: FormerConnection): StoredConnection {
  return { type: 'sqlite3', settings: { file }, isSetBySuperAdmin: true, givesJournalBack };
}
