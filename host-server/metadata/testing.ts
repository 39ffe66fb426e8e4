import type { Database } from '../databases/database.ts';
import { describeEachDatabase, type OpenTestDatabase } from '../databases/testing.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { createLeases } from '../runtime/leases.ts';
import { migrate } from './migrate.ts';

/** Prepares databases: makes this version's metadata tables. */
export function withMetadata(database: Database): Promise<void> {
  return migrate(database, createLeases(database));
}

/** As `describeEachDatabase`, with databases that hold this version's metadata tables. */
export function describeEachMetadata(
  name: string,
  suite: (open: OpenTestDatabase, dialect: DialectName) => void,
): void {
  describeEachDatabase(name, suite, withMetadata);
}
