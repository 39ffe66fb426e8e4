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
      // What it is about where that is no row, and why, as JSON.
      await schema.addColumn('notice', 'detail', { kind: 'text' });
      // Kept so that nobody is told twice, and shown to nobody.
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
      // What the mail of the day will say: sealed, since it is about projects.
      await schema.createTable('digest', {
        columns: { id, account_id: id, sealed: { kind: 'text', required: true }, at: time },
        key: ['id'],
        indexes: [['account_id'], ['at']],
      });
    },
  },
  {
    id: '003-about',
    // What caused it, as whoever told it calls that; empty where they did not say, or at length.
    up: (schema) => schema.addColumn('notice', 'about', { kind: 'string', length: 100 }),
  },
  {
    id: '004-rows',
    // By what is forgotten with its row, and follows its key.
    up: (schema) => schema.addIndex('notice', ['table_id', 'row_key']),
  },
];
