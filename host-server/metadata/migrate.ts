import type { Database } from '../databases/database.ts';
import { leaseErrors, type Leases } from '../runtime/leases.ts';
import type { Unit } from '../sql/unit.ts';
import { metadataErrors } from './metadata-errors.ts';
import { checksumOf, migrations as ownMigrations, type Migration } from './migrations.ts';
import { readSetting, writeSetting } from './settings.ts';

interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
}

/** The two tables that must exist to record a migration and to let only one server run it. */
async function createGround(database: Database): Promise<void> {
  await database.schema(async (changer) => {
    await changer.createTable({
      name: 'trellis_migration',
      columns: [
        { name: 'id', kind: 'string', length: 100, nullable: false },
        { name: 'checksum', kind: 'string', length: 64, nullable: false },
        { name: 'applied_at', kind: 'bigint', nullable: false },
      ],
      primaryKey: ['id'],
    });
    await changer.createTable({
      name: 'trellis_lease',
      columns: [
        { name: 'name', kind: 'string', length: 100, nullable: false },
        { name: 'holder', kind: 'string', length: 200, nullable: false },
        { name: 'fence', kind: 'bigint', nullable: false },
        { name: 'expires_at', kind: 'bigint', nullable: false },
      ],
      primaryKey: ['name'],
    });
  });
}

function readApplied(database: Database): Promise<readonly AppliedMigration[]> {
  return database.read((unit) =>
    unit.all<AppliedMigration>(unit.knex('trellis_migration').select('id', 'checksum').orderBy('id')),
  );
}

/** Two servers may start on an empty database at the same time: the second one finds the tables. */
async function ensureGround(database: Database): Promise<void> {
  try {
    await createGround(database);
  } catch {
    await createGround(database);
  }
}

/** Undefined before the first start. */
async function appliedMigrations(database: Database): Promise<readonly AppliedMigration[] | undefined> {
  const isThere = await database.schema((changer) => changer.hasTable('trellis_migration'));
  return isThere ? readApplied(database) : undefined;
}

export interface MigrateOptions {
  /** Default: all of this server. */
  readonly migrations?: readonly Migration[];
  /** The version of this server, for the error when the metadata are newer. */
  readonly version?: string;
  /** Backs up the metadata before a migration that deletes something; `name` distinguishes backups. */
  readonly backUp?: (name: string) => Promise<void>;
}

const versionKey = 'metadata.version';

function check(applied: readonly AppliedMigration[], known: readonly Migration[], database: Database): void {
  for (const { id, checksum } of applied) {
    const migration = known.find((of) => of.id === id);
    if (migration !== undefined && checksumOf(migration, database.dialect.name) !== checksum) {
      throw metadataErrors.create('METADATA_CHANGED', { migration: id });
    }
  }
}

/** @throws TrellisError `METADATA_NEWER` naming both versions if a migration was applied that this server does not know. */
async function refuseNewer(
  database: Database,
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
  version: string | undefined,
): Promise<void> {
  const unknown = applied.find(({ id }) => known.every((of) => of.id !== id));
  if (unknown === undefined) return;
  const writer = await database.read((unit) => readSetting(unit, versionKey));
  throw metadataErrors.create('METADATA_NEWER', {
    migration: unknown.id,
    writer: writer === undefined ? 'a newer Trellis' : `Trellis ${writer}`,
    reader: version === undefined ? 'an older one' : `Trellis ${version}`,
  });
}

/**
 * Updates the metadata's schema: one server at a time, each step recorded, nothing changed if the database is newer than this
 * server.
 */
export async function migrate(
  database: Database,
  leases: Leases,
  options: MigrateOptions = {},
): Promise<void> {
  const { migrations = ownMigrations, version, backUp } = options;
  const before = await appliedMigrations(database);
  await refuseNewer(database, before ?? [], migrations, version);
  check(before ?? [], migrations, database);
  if (before?.length === migrations.length) return;
  await ensureGround(database);
  await leases.hold('migration', async (lease) => {
    const applied = await readApplied(database);
    await refuseNewer(database, applied, migrations, version);
    check(applied, migrations, database);
    for (const migration of migrations.slice(applied.length)) {
      lease.signal.throwIfAborted();
      if (migration.removes && applied.length > 0) await backUp?.(migration.id);
      await database.schema((changer) => migration.up(changer, database.dialect.name));
      await migration.carry?.(database, lease.signal);
      const row = {
        id: migration.id,
        checksum: checksumOf(migration, database.dialect.name),
        applied_at: Date.now(),
      };
      await database.write((unit) => record(unit, row, { fence: lease.fence, version }));
    }
  });
}

/** Records a step, unless another server holds the lease by now: that one has started the step again and will record it. */
async function record(
  unit: Unit,
  row: AppliedMigration & { readonly applied_at: number },
  { fence, version }: { readonly fence: number; readonly version: string | undefined },
): Promise<void> {
  const held = unit.knex('trellis_lease').where({ name: 'migration', fence }).select('fence').forUpdate();
  if ((await unit.first(held)) === undefined) {
    throw leaseErrors.create('LEASE_LOST', { name: 'the migration of the metadata' });
  }
  await unit.run(unit.knex('trellis_migration').insert(row));
  if (version !== undefined) await writeSetting(unit, versionKey, version);
}
