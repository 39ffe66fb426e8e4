import type { Database } from '../databases/database.ts';
import { createLeases } from '../runtime/leases.ts';
import { migrate } from './migrate.ts';

/** Prepares test databases: creates this version's metadata tables. */
export const withMetadata = Object.assign(
  (database: Database): Promise<void> => migrate(database, createLeases(database)),
  { sharedAs: 'metadata' },
);
