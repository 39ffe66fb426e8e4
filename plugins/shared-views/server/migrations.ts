import type { PluginMigration } from '@trellis/sdk/server';

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-links',
    up: (schema) =>
      schema.createTable('link', {
        columns: {
          view_id: { kind: 'string', length: 40, required: true },
          table_id: { kind: 'string', length: 40, required: true },
          project_id: { kind: 'string', length: 40, required: true },
          uuid: { kind: 'string', length: 36, required: true },
          password_hash: { kind: 'string', length: 255 },
          expires_at: { kind: 'bigint' },
          meta: { kind: 'text', required: true },
          created_at: { kind: 'bigint', required: true },
        },
        key: ['view_id'],
        unique: [['uuid']],
        indexes: [['project_id']],
      }),
  },
  {
    id: '002-visits',
    up: (schema) =>
      schema.createTable('visit', {
        columns: {
          view_id: { kind: 'string', length: 40, required: true },
          // `2026-11-23`, in UTC.
          day: { kind: 'string', length: 10, required: true },
          visits: { kind: 'bigint', required: true },
          // Milliseconds since 1970.
          last_at: { kind: 'bigint', required: true },
        },
        key: ['view_id', 'day'],
      }),
  },
];
