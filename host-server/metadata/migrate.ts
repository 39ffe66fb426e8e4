import type { Database } from '../databases/database.ts';
import type { Leases } from '../runtime/leases.ts';
import { metadataErrors } from './metadata-errors.ts';
import { checksumOf, migrations as ownMigrations, type Migration } from './migrations.ts';

interface AppliedMigration {
  readonly id: string;
  readonly checksum: string;
}

/** The two tables that must be there before a migration can be recorded and only one server runs them. */
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

/** Two servers may start on an empty database at the same moment: the one that comes second finds the tables there. */
async function ensureGround(database: Database): Promise<void> {
  try {
    await createGround(database);
  } catch {
    await createGround(database);
  }
}

/** Undefined before the very first start. */
async function appliedMigrations(database: Database): Promise<readonly AppliedMigration[] | undefined> {
  const isThere = await database.schema((changer) => changer.hasTable('trellis_migration'));
  return isThere ? readApplied(database) : undefined;
}

function check(applied: readonly AppliedMigration[], known: readonly Migration[], database: Database): void {
  for (const { id, checksum } of applied) {
    const migration = known.find((of) => of.id === id);
    if (migration === undefined) throw metadataErrors.create('METADATA_NEWER', { migration: id });
    if (checksumOf(migration, database.dialect.name) !== checksum) {
      throw metadataErrors.create('METADATA_CHANGED', { migration: id });
    }
  }
}

/**
 * Brings the metadata's schema up to date: one server at a time, each step recorded, nothing touched when the database is
 * newer than this server.
 */
export async function migrate(
  database: Database,
  leases: Leases,
  known: readonly Migration[] = ownMigrations,
): Promise<void> {
  const before = await appliedMigrations(database);
  check(before ?? [], known, database);
  if (before?.length === known.length) return;
  await ensureGround(database);
  await leases.hold('migration', async ({ signal }) => {
    const applied = await readApplied(database);
    check(applied, known, database);
    for (const migration of known.slice(applied.length)) {
      signal.throwIfAborted();
      await database.schema((changer) => migration.up(changer, database.dialect.name));
      await migration.carry?.(database, signal);
      await database.write((unit) =>
        unit.run(
          unit.knex('trellis_migration').insert({
            id: migration.id,
            checksum: checksumOf(migration, database.dialect.name),
            applied_at: Date.now(),
          }),
        ),
      );
    }
  });
}
