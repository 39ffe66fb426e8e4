import { createHash } from 'node:crypto';
import type { DialectName } from '../dialects/dialect.ts';
import type { ColumnSpec, SchemaChanger } from '../dialects/schema/schema-changer.ts';
import { largeTextOf, metadataTables } from './metadata-tables.ts';

/** One step of the metadata's schema: forward only, and each of its parts may be run again. */
export interface Migration {
  /** Sorts in the order of running. */
  readonly id: string;
  up(changer: SchemaChanger, dialect: DialectName): Promise<void>;
  /** What it does, as text: its checksum shows a migration that was changed after it ran. */
  readonly content: (dialect: DialectName) => string;
}

/** Keys that are longer than an index takes stand here in full. */
function longRowKey(dialect: DialectName): ColumnSpec {
  return {
    name: 'long_row_key',
    kind: 'text',
    nullable: true,
    ...largeTextOf(dialect),
  };
}

/** All migrations, in order. Released ones never change; a correction is a new one. */
export const migrations: readonly Migration[] = [
  {
    id: '001-tables',
    content: (dialect) => JSON.stringify(metadataTables(dialect)),
    async up(changer, dialect) {
      for (const table of metadataTables(dialect)) await changer.createTable(table);
    },
  },
  {
    id: '002-long-row-keys',
    content: (dialect) => JSON.stringify(longRowKey(dialect)),
    up: (changer, dialect) => changer.addColumn('trellis_change', longRowKey(dialect)),
  },
];

export function checksumOf(migration: Migration, dialect: DialectName): string {
  return createHash('sha256').update(migration.content(dialect)).digest('hex');
}
