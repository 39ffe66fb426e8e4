import type { PluginMigration } from '@trellis/sdk/server';

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-passwords-and-sessions',
    async up(schema) {
      await schema.createTable('password', (table) => {
        table.string('account_id', 24).primary();
        table.string('hash', 200).notNullable();
        table.bigInteger('changed_at').notNullable();
      });
      await schema.createTable('session', (table) => {
        table.string('id', 40).primary();
        table.string('account_id', 24).notNullable().index();
        table.string('refresh_hash', 64).notNullable();
        table.string('former_hash', 64);
        table.bigInteger('rotated_at').notNullable();
        table.bigInteger('created_at').notNullable();
        table.bigInteger('expires_at').notNullable().index();
      });
    },
  },
];
