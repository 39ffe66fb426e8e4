import { pictureColumns, type PluginMigration } from '@trellis/sdk/server';

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-tally',
    async up(schema) {
      await schema.createTable('tally', {
        columns: {
          view_id: { kind: 'string', length: 40, required: true },
          answers: { kind: 'bigint', required: true },
        },
        key: ['view_id'],
      });
      await schema.createTable('sender', {
        columns: {
          view_id: { kind: 'string', length: 40, required: true },
          person: { kind: 'string', length: 80, required: true },
          answered_at: { kind: 'bigint', required: true },
        },
        key: ['view_id', 'person'],
      });
    },
  },
  {
    id: '002-pictures',
    up: (schema) =>
      schema.createTable('picture', {
        columns: {
          ...pictureColumns,
          project_id: { kind: 'string', length: 40, required: true },
          // Milliseconds since 1970: when a form was last known to show it.
          seen_at: { kind: 'bigint', required: true },
        },
        key: ['token'],
        indexes: [['project_id'], ['ref']],
      }),
  },
  {
    id: '003-seen-forms',
    // Milliseconds since 1970: when the form was last known to exist.
    up: (schema) => schema.addColumn('tally', 'seen_at', { kind: 'bigint' }),
  },
];
