import type { PluginMigration } from '@trellis/sdk/server';

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-shares',
    up: (schema) =>
      schema.createTable('share', {
        columns: {
          project_id: { kind: 'string', length: 40, required: true },
          uuid: { kind: 'string', length: 36, required: true },
          role: { kind: 'string', length: 20, required: true },
          created_at: { kind: 'bigint', required: true },
        },
        key: ['project_id'],
        unique: [['uuid']],
      }),
  },
  {
    id: '002-sites',
    // A list of origins as JSON; null for none.
    up: (schema) => schema.addColumn('share', 'embed_sites', { kind: 'text' }),
  },
];
