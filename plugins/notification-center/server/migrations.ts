import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-notices',
    up: (schema) =>
      schema.createTable('notice', {
        columns: {
          id,
          account_id: id,
          kind: { kind: 'string', length: 40, required: true },
          project_id: id,
          table_id: id,
          row_key: { kind: 'string', length: 255, required: true },
          actor: { kind: 'string', length: 255, required: true },
          at: time,
          read_at: { kind: 'bigint' },
        },
        key: ['id'],
        indexes: [['account_id', 'at'], ['project_id'], ['at']],
      }),
  },
  {
    id: '002-wishes',
    async up(schema) {
      // The subject if it is no row, and the reason, as JSON.
      await schema.addColumn('notice', 'detail', { kind: 'text' });
      // Stored so that nobody is told twice, but not shown.
      await schema.addColumn('notice', 'hidden', { kind: 'boolean' });
      await schema.createTable('wish', {
        columns: {
          account_id: id,
          kind: { kind: 'string', length: 40, required: true },
          page: { kind: 'boolean', required: true },
          mail: { kind: 'string', length: 10, required: true },
        },
        key: ['account_id', 'kind'],
      });
      // The content for the day's mail: sealed, since it is about projects.
      await schema.createTable('digest', {
        columns: { id, account_id: id, sealed: { kind: 'text', required: true }, at: time },
        key: ['id'],
        indexes: [['account_id'], ['at']],
      });
    },
  },
  {
    id: '003-about',
    // The cause, in the sender's form; empty if none was given, or if it was too long.
    up: (schema) => schema.addColumn('notice', 'about', { kind: 'string', length: 100 }),
  },
  {
    id: '004-rows',
    // For deleting notices with their row, and following its key.
    up: (schema) => schema.addIndex('notice', ['table_id', 'row_key']),
  },
];
