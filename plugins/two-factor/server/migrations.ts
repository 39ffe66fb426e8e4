import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const number: PluginColumn = { kind: 'bigint', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-secrets',
    async up(schema) {
      await schema.createTable('secret', {
        columns: {
          account_id: id,
          sealed: { kind: 'string', length: 400, required: true },
          // 0 until a first code proved that the phone has the secret.
          confirmed_at: number,
          // The newest period of 30 seconds whose code was accepted.
          last_period: number,
        },
        key: ['account_id'],
      });
      await schema.createTable('recovery', {
        columns: { account_id: id, hash: { kind: 'string', length: 64, required: true } },
        key: ['account_id', 'hash'],
      });
    },
  },
];
