import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-row-rules',
    up: (schema) =>
      schema.createTable('rule', {
        // The conditions of a role for a table, as JSON.
        columns: { table_id: id, role: id, project_id: id, filters: { kind: 'text', required: true } },
        key: ['table_id', 'role'],
        indexes: [['project_id']],
      }),
  },
  {
    id: '002-limits',
    up: (schema) => schema.addColumn('rule', 'limits', { kind: 'string', length: 10 }),
  },
  {
    id: '003-stopped',
    up: (schema) => schema.addColumn('rule', 'stopped', { kind: 'boolean' }),
  },
];
