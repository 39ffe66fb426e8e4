import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-custom-roles',
    async up(schema) {
      await schema.createTable('role', {
        columns: {
          id,
          project_id: id,
          title: { kind: 'string', length: 80, required: true },
          base: { kind: 'string', length: 20, required: true },
          rights: { kind: 'text', required: true },
        },
        key: ['id'],
        indexes: [['project_id']],
      });
      await schema.createTable('assignment', {
        columns: { project_id: id, account_id: id, role_id: id },
        key: ['project_id', 'account_id'],
        indexes: [['role_id']],
      });
    },
  },
  // Distinguishes an assignment from a later one.
  {
    id: '002-assignment-marks',
    up: (schema) => schema.addColumn('assignment', 'mark', { kind: 'string', length: 40 }),
  },
];
