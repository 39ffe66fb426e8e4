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
          // What people set, as JSON, sealed: headers hold tokens of others.
          sealed: { kind: 'text', required: true },
          // The conditions, as the filter editor makes them, as JSON.
          filters: { kind: 'text', required: true },
          // Why nothing is sent, where the webhook was paused.
          paused: { kind: 'text' },
          // Rounds of deliveries that failed one after the other, and the moment before which there is no other.
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
          // The place of the change in the log: of two events of a row, the later one has the larger one.
          seq: time,
          position: count,
          // What templates take from, as JSON.
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
      // The id of the first event of those that are told of together; empty for one that goes alone.
      await schema.addColumn('delivery', 'batch_id', { kind: 'string', length: 60 });
      // True for all of them but the first, which stands for them in the log.
      await schema.addColumn('delivery', 'follows', { kind: 'boolean' });
    },
  },
  {
    id: '003-sizes',
    async up(schema) {
      // Characters of the payload; empty for those that were kept before.
      await schema.addColumn('delivery', 'size', { kind: 'integer' });
    },
  },
  {
    id: '004-dropped',
    async up(schema) {
      // How many events came since it was paused and were not kept, because enough of them waited; empty for none.
      await schema.addColumn('hook', 'dropped', { kind: 'integer' });
    },
  },
  {
    id: '005-claims',
    up: (schema) => ClaimedRows.addTo(schema, 'delivery'),
  },
  {
    id: '006-tries',
    // What the tries before the last one came to, as JSON, the oldest first; empty where there was one at the most.
    up: (schema) => schema.addColumn('delivery', 'earlier', { kind: 'text' }),
  },
  {
    id: '007-owner',
    // Who answers for it, as JSON, see `keptPrincipal`; empty where only the account was kept.
    up: (schema) => schema.addColumn('hook', 'owner', { kind: 'text' }),
  },
  {
    id: '008-log-place',
    // Where the log of changes ended as it was made; empty for those that were made before this was kept.
    up: (schema) => schema.addColumn('hook', 'log_place', { kind: 'bigint' }),
  },
];
