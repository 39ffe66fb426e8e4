import type { PluginMigration } from '@trellis/sdk/server';

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-variables',
    up: (schema) =>
      schema.createTable('variable', {
        columns: {
          project_id: { kind: 'string', length: 40, required: true },
          name: { kind: 'string', length: 64, required: true },
          // Sealed if it is a secret.
          value: { kind: 'text', required: true },
          is_secret: { kind: 'boolean', required: true },
          updated_at: { kind: 'bigint', required: true },
        },
        key: ['project_id', 'name'],
      }),
  },
  {
    id: '002-former-secrets',
    up: (schema) =>
      schema.createTable('former_secret', {
        columns: {
          project_id: { kind: 'string', length: 40, required: true },
          name: { kind: 'string', length: 64, required: true },
          replaced_at: { kind: 'bigint', required: true },
          // Sealed.
          value: { kind: 'text', required: true },
        },
        key: ['project_id', 'name', 'replaced_at'],
        indexes: [['replaced_at']],
      }),
  },
];
