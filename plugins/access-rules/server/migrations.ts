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
  {
    // The column for built-in roles is too short for the ids of custom ones.
    id: '002-hidden-from-custom-roles',
    up: (schema) =>
      schema.createTable('hidden_custom', {
        columns: { view_id: id, role: id, project_id: id },
        key: ['view_id', 'role'],
        indexes: [['project_id']],
      }),
  },
];
