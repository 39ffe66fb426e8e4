import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint' };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-files',
    async up(schema) {
      await schema.createTable('file', {
        columns: {
          id,
          // The reference of the bytes; see `StoredFile`.
          ref: { kind: 'string', length: 100, required: true },
          name: { kind: 'string', length: 255, required: true },
          type: { kind: 'string', length: 100, required: true },
          // The part of the address before the id.
          folder: { kind: 'text', required: true },
          bytes: { kind: 'bigint', required: true },
          // Empty until a row of a project holds it, if the upload named none.
          project_id: { ...id, required: false },
          uploader_id: id,
          created_at: { ...time, required: true },
          // When it was last known to be in a cell; empty for an upload that is in none yet.
          seen_at: time,
          // When it was first found to be in no cell any longer.
          unseen_since: time,
          // When it was marked for deletion: rows can no longer use it.
          doomed_at: time,
        },
        key: ['id'],
        indexes: [
          ['uploader_id', 'seen_at'],
          ['project_id', 'seen_at'],
          ['seen_at', 'created_at'],
          ['doomed_at'],
        ],
      });
    },
  },
  {
    id: '002-claims',
    // When a row was last about to hold it.
    up: (schema) => schema.addColumn('file', 'claimed_at', time),
  },
  {
    id: '003-senders',
    // The origin of a visitor's upload, as a digest.
    up: (schema) => schema.addColumn('file', 'sent_from', { ...id, required: false }),
  },
  {
    id: '004-previews',
    up: (schema) =>
      schema.createTable('preview', {
        columns: {
          file_id: id,
          size: { kind: 'string', length: 20, required: true },
          // The reference of the bytes; empty if none can be made.
          ref: { kind: 'string', length: 100 },
          bytes: { kind: 'bigint', required: true },
        },
        key: ['file_id', 'size'],
      }),
  },
];
