import { createHash } from 'node:crypto';
import type { Database } from '../databases/database.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { ColumnSpec, SchemaChanger } from '../dialects/schema/schema-changer.ts';
import { carryChanges, carryIndex } from './carry-changes.ts';
import { logLinkTable, logTables } from './log-tables.ts';
import { largeTextOf, linkTable, metadataTables } from './metadata-tables.ts';
import { renamePlugin } from './rename-plugin.ts';
import { carryJobs } from './carry-jobs.ts';
import { rowCounterTable, stagedRowTable, taskTables } from './task-tables.ts';

/** One step of the metadata's schema: forward only, and each of its parts may be run again. */
export interface Migration {
  /** Sorts in the order of running. */
  readonly id: string;
  up(changer: SchemaChanger, dialect: DialectName): Promise<void>;
  /**
   * Carries rows over once `up` is done, in transactions of its own. It goes on where it was cut off when it is run again, and
   * checks the outcome before it deletes anything.
   */
  carry?(database: Database, signal: AbortSignal): Promise<void>;
  /** What it does, as text: its checksum shows a migration that was changed after it ran. */
  readonly content: (dialect: DialectName) => string;
  /** The step deletes something for good, so a metadata file is copied before it. */
  readonly removes?: true;
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

/** What a view keeps of a column for its type; JSON. */
const viewColumnMeta: ColumnSpec = { name: 'meta', kind: 'text', nullable: true };

/** The link that a column shows; empty for the others. */
const columnLink: ColumnSpec = { name: 'link_id', kind: 'string', length: 40, nullable: true };

/** The description of a column, written by people. */
const columnDescription: ColumnSpec = { name: 'description', kind: 'text', nullable: true };

/** The description of a view, written by people, and the account that made the view. */
const viewFacts: readonly ColumnSpec[] = [
  { name: 'description', kind: 'text', nullable: true },
  { name: 'made_by', kind: 'string', length: 40, nullable: true },
];

/** The groups of a table's views; JSON. */
const viewGroups: ColumnSpec = { name: 'view_groups', kind: 'text', nullable: true };

/** How a view stands in lists of views: in which group of its table, and with which icon in place of that of its type. */
const viewPlaces: readonly ColumnSpec[] = [
  { name: 'group_id', kind: 'string', length: 40, nullable: true },
  { name: 'icon', kind: 'string', length: 40, nullable: true },
];

/** What may be changed of a database that existed; JSON. */
const baseRules: ColumnSpec = { name: 'rules', kind: 'text', nullable: true };

/** By which the newest deliveries of a topic are found. */
const newestDeliveries = { name: 'trellis_delivery_topic_id', columns: ['topic', 'id'] };

/** By which the retries of a table that are due are found, and those of a row. */
const retryIndexes = [
  { name: 'trellis_delivery_retry_due', columns: ['topic', 'table_id', 'next_at', 'seq'] },
  { name: 'trellis_delivery_retry_row', columns: ['topic', 'table_id', 'row_key', 'seq'] },
];

/** Which run of a call has its key; empty for the calls of servers that made no claims. */
const callClaim: ColumnSpec = {
  name: 'claim_id',
  kind: 'string',
  length: 40,
  nullable: false,
  default: { kind: 'literal', value: '' },
};

/** Since when nobody may use an account; empty for those that are in use. */
const accountDisabled: ColumnSpec = { name: 'disabled_at', kind: 'bigint', nullable: true };

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
  {
    id: '003-change-log',
    content: (dialect) => JSON.stringify(logTables(dialect)),
    async up(changer, dialect) {
      for (const table of logTables(dialect)) await changer.createTable(table);
      // A server that was stopped while it carried rows over may have dropped the old tables already.
      for (const table of ['trellis_change', 'trellis_audit'])
        if (await changer.hasTable(table)) await changer.createIndex(table, carryIndex(table));
    },
    carry: carryChanges,
    removes: true,
  },
  {
    id: '004-sys-rows',
    content: () => 'the plugin sys-records is called sys-rows',
    up: () => Promise.resolve(),
    carry: renamePlugin('sys-records', 'sys-rows'),
  },
  {
    id: '005-links',
    content: (dialect) => JSON.stringify(linkTable(dialect)),
    up: (changer, dialect) => changer.createTable(linkTable(dialect)),
  },
  {
    id: '006-tasks',
    removes: true,
    content: (dialect) => JSON.stringify(taskTables(dialect)),
    async up(changer, dialect) {
      for (const table of taskTables(dialect)) await changer.createTable(table);
    },
    carry: carryJobs,
  },
  {
    id: '007-staged-rows',
    content: (dialect) => JSON.stringify(stagedRowTable(dialect)),
    up: (changer, dialect) => changer.createTable(stagedRowTable(dialect)),
  },
  {
    id: '008-delivery-order',
    content: () => JSON.stringify(newestDeliveries),
    up: (changer) => changer.createIndex('trellis_delivery', newestDeliveries),
  },
  {
    id: '009-call-claims',
    content: () => JSON.stringify(callClaim),
    up: (changer) => changer.addColumn('trellis_idempotency', callClaim),
  },
  {
    id: '010-view-column-options',
    content: () => JSON.stringify(viewColumnMeta),
    up: (changer) => changer.addColumn('trellis_view_column', viewColumnMeta),
  },
  {
    id: '011-link-columns',
    content: () => JSON.stringify(columnLink),
    up: (changer) => changer.addColumn('trellis_column', columnLink),
  },
  {
    id: '012-row-counters',
    content: (dialect) => JSON.stringify(rowCounterTable(dialect)),
    up: (changer, dialect) => changer.createTable(rowCounterTable(dialect)),
  },
  {
    id: '013-column-descriptions',
    content: () => JSON.stringify(columnDescription),
    up: (changer) => changer.addColumn('trellis_column', columnDescription),
  },
  {
    id: '014-base-rules',
    content: () => JSON.stringify(baseRules),
    up: (changer) => changer.addColumn('trellis_base', baseRules),
  },
  {
    id: '015-disabled-accounts',
    content: () => JSON.stringify(accountDisabled),
    up: (changer) => changer.addColumn('trellis_account', accountDisabled),
  },
  {
    id: '016-view-facts',
    content: () => JSON.stringify(viewFacts),
    async up(changer) {
      for (const fact of viewFacts) await changer.addColumn('trellis_view', fact);
    },
  },
  {
    id: '017-view-groups',
    content: () => JSON.stringify([viewGroups, viewPlaces]),
    async up(changer) {
      await changer.addColumn('trellis_table', viewGroups);
      for (const place of viewPlaces) await changer.addColumn('trellis_view', place);
    },
  },
  {
    id: '018-log-links',
    content: (dialect) => JSON.stringify(logLinkTable(dialect)),
    up: (changer, dialect) => changer.createTable(logLinkTable(dialect)),
  },
  {
    id: '019-retries-by-table',
    content: () => JSON.stringify(retryIndexes),
    async up(changer) {
      for (const index of retryIndexes) await changer.createIndex('trellis_delivery_retry', index);
    },
  },
];

export function checksumOf(migration: Migration, dialect: DialectName): string {
  return createHash('sha256').update(migration.content(dialect)).digest('hex');
}
