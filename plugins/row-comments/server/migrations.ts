import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-comments',
    up: (schema) =>
      schema.createTable('comment', {
        columns: {
          id,
          project_id: id,
          table_id: id,
          row_key: { kind: 'string', length: 255, required: true },
          account_id: id,
          email: { kind: 'string', length: 255, required: true },
          text: { kind: 'text', required: true },
          created_at: time,
          changed_at: time,
        },
        key: ['id'],
        indexes: [['table_id', 'row_key'], ['project_id']],
      }),
  },
];
