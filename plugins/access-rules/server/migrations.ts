import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-hidden-views',
    up: (schema) =>
      schema.createTable('hidden', {
        columns: { view_id: id, role: { kind: 'string', length: 20, required: true }, project_id: id },
        key: ['view_id', 'role'],
        indexes: [['project_id']],
      }),
  },
];
