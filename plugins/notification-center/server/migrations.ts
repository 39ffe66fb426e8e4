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
];
