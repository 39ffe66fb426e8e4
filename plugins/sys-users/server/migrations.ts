import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const hash: PluginColumn = { kind: 'string', length: 64, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-passwords-and-sessions',
    async up(schema) {
      await schema.createTable('password', {
        columns: { account_id: id, hash: { kind: 'string', length: 200, required: true }, changed_at: time },
        key: ['account_id'],
      });
      await schema.createTable('session', {
        columns: {
          id,
          account_id: id,
          refresh_hash: hash,
          former_hash: { ...hash, required: false },
          rotated_at: time,
          created_at: time,
          expires_at: time,
        },
        key: ['id'],
        indexes: [['account_id'], ['expires_at']],
      });
    },
  },
  {
    id: '002-identities',
    async up(schema) {
      await schema.createTable('identity', {
        columns: {
          provider: { kind: 'string', length: 100, required: true },
          subject: { kind: 'string', length: 190, required: true },
          account_id: id,
          linked_at: time,
        },
        key: ['provider', 'subject'],
        indexes: [['account_id']],
      });
    },
  },
  {
    id: '003-invitations',
    async up(schema) {
      await schema.createTable('invitation', {
        columns: {
          id,
          token_hash: hash,
          email: { kind: 'string', length: 254, required: true },
          email_key: hash,
          // Empty for an invitation to the server alone.
          project_id: id,
          role: { kind: 'string', length: 20, required: false },
          inviter_id: id,
          created_at: time,
          expires_at: time,
        },
        key: ['id'],
        indexes: [['email_key']],
        unique: [['token_hash'], ['project_id', 'email_key']],
      });
    },
  },
  {
    id: '004-links-in-mails',
    async up(schema) {
      await schema.createTable('ticket', {
        columns: {
          account_id: id,
          kind: { kind: 'string', length: 20, required: true },
          token_hash: hash,
          expires_at: time,
        },
        key: ['account_id', 'kind'],
        indexes: [['expires_at']],
        unique: [['token_hash']],
      });
      await schema.createTable('verified', {
        columns: { account_id: id, verified_at: time },
        key: ['account_id'],
      });
    },
  },
  {
    id: '005-devices',
    async up(schema) {
      await schema.addColumn('session', 'agent', { kind: 'string', length: 300 });
      await schema.addColumn('session', 'ip', { kind: 'string', length: 60 });
    },
  },
  {
    id: '006-pictures',
    up: (schema) =>
      schema.createTable('picture', {
        columns: {
          account_id: id,
          // The end of its address: 128 random bits, new for each picture.
          token: { kind: 'string', length: 22, required: true },
          type: { kind: 'string', length: 20, required: true },
          ref: { kind: 'string', length: 300, required: true },
        },
        key: ['account_id'],
        unique: [['token']],
      }),
  },
  {
    id: '007-notes-of-tickets',
    up: (schema) => schema.addColumn('ticket', 'note', { kind: 'string', length: 1000 }),
  },
];
