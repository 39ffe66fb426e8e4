import type { PluginMigration } from '@trellis/sdk/server';

const id = { kind: 'string', length: 40, required: true } as const;

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-watch',
    up: (schema) =>
      schema.createTable('watch', {
        columns: {
          id,
          account_id: id,
          project_id: id,
          table_id: id,
          filter: { kind: 'text', required: true },
        },
        key: ['id'],
        indexes: [['account_id'], ['table_id'], ['project_id']],
      }),
  },
  {
    id: '002-wall',
    up: (schema) =>
      schema.createTable('wall', {
        columns: { view_id: id, table_id: id, project_id: id },
        key: ['view_id'],
        indexes: [['table_id'], ['project_id']],
      }),
  },
];
