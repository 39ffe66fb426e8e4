import { ClaimedRows, type PluginColumn, type PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };
const count: PluginColumn = { kind: 'integer', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-webhooks',
    async up(schema) {
      await schema.createTable('hook', {
        columns: {
          id,
          project_id: id,
          base_id: id,
          table_id: id,
          owner_id: id,
          operation: { kind: 'string', length: 10, required: true },
          active: { kind: 'boolean', required: true },
          // The settings as JSON, sealed: headers contain tokens of other systems.
          sealed: { kind: 'text', required: true },
          // The conditions from the filter editor, as JSON.
          filters: { kind: 'text', required: true },
          // Why nothing is sent, if the webhook is paused.
          paused: { kind: 'text' },
          // The number of consecutive failed rounds of deliveries, and the earliest time of the next one.
          failures: count,
          retry_at: time,
          created_at: time,
          updated_at: time,
        },
        key: ['id'],
        indexes: [['table_id'], ['project_id']],
      });
      await schema.createTable('delivery', {
        columns: {
          hook_id: id,
          event_id: { kind: 'string', length: 60, required: true },
          project_id: id,
          row_key: { kind: 'string', length: 255, required: true },
          operation: { kind: 'string', length: 10, required: true },
          // The place of the change in the log: of two events of a row, the later one has the larger number.
          seq: time,
          position: count,
          // The values for templates, as JSON.
          payload: { kind: 'text', required: true },
          state: { kind: 'string', length: 10, required: true },
          attempts: count,
          next_at: time,
          lease_until: time,
          status: { kind: 'integer' },
          error: { kind: 'text' },
          duration_ms: { kind: 'integer' },
          request: { kind: 'text' },
          tried_at: { kind: 'bigint' },
          created_at: time,
        },
        key: ['hook_id', 'event_id'],
        indexes: [
          ['hook_id', 'state', 'seq', 'position'],
          ['state', 'next_at'],
          ['project_id'],
          ['created_at'],
        ],
      });
    },
  },
  {
    id: '002-batches',
    async up(schema) {
      // The id of the first event in the same message; empty for an event that is sent alone.
      await schema.addColumn('delivery', 'batch_id', { kind: 'string', length: 60 });
      // True for all of them but the first, which represents them in the log.
      await schema.addColumn('delivery', 'follows', { kind: 'boolean' });
    },
  },
  {
    id: '003-sizes',
    async up(schema) {
      // Characters of the payload; empty for events stored before this column existed.
      await schema.addColumn('delivery', 'size', { kind: 'integer' });
    },
  },
  {
    id: '004-dropped',
    async up(schema) {
      // How many events were not stored since it was paused, because enough of them waited; empty for none.
      await schema.addColumn('hook', 'dropped', { kind: 'integer' });
    },
  },
  {
    id: '005-claims',
    up: (schema) => ClaimedRows.addTo(schema, 'delivery'),
  },
  {
    id: '006-tries',
    // The results of the tries before the last one, as JSON, the oldest first; empty if there was at most one.
    up: (schema) => schema.addColumn('delivery', 'earlier', { kind: 'text' }),
  },
  {
    id: '007-owner',
    // The owner, as JSON, see `keptPrincipal`; empty if only the account was stored.
    up: (schema) => schema.addColumn('hook', 'owner', { kind: 'text' }),
  },
  {
    id: '008-log-place',
    // The end of the change log when it was created; empty for webhooks created before this column existed.
    up: (schema) => schema.addColumn('hook', 'log_place', { kind: 'bigint' }),
  },
];
