import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };
const optionalTime: PluginColumn = { kind: 'bigint' };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-tokens',
    async up(schema) {
      await schema.createTable('token', {
        columns: {
          id,
          token_hash: { kind: 'string', length: 64, required: true },
          // The token's beginning, by which people recognise it.
          hint: { kind: 'string', length: 10, required: true },
          account_id: id,
          // Empty for all projects of the owner.
          project_id: id,
          description: { kind: 'string', length: 190, required: true },
          role: { kind: 'string', length: 20, required: true },
          expires_at: optionalTime,
          created_at: time,
          last_used_at: optionalTime,
        },
        key: ['id'],
        indexes: [['account_id'], ['project_id']],
        unique: [['token_hash']],
      });
    },
  },
];
