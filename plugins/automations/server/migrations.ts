import { ClaimedRows, type PluginColumn, type PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };
const count: PluginColumn = { kind: 'integer', required: true };
const text: PluginColumn = { kind: 'text', required: true };

export const migrations: readonly PluginMigration[] = [
  {
    id: '001-automations',
    async up(schema) {
      await schema.createTable('rule', {
        columns: {
          id,
          project_id: id,
          // Whose rights it runs with, as JSON of a principal, see `keptPrincipal`.
          owner: text,
          active: { kind: 'boolean', required: true },
          trigger_type: { kind: 'string', length: 100, required: true },
          // The table whose rows start it; empty if none do.
          table_id: id,
          // Why no run begins, as JSON of a problem.
          paused: { kind: 'text' },
          version: count,
          created_at: time,
          updated_at: time,
        },
        key: ['id'],
        indexes: [['project_id'], ['table_id'], ['trigger_type']],
      });
      await schema.createTable('version', {
        columns: {
          rule_id: id,
          version: count,
          // The definition as JSON, sealed: headers contain tokens of other systems.
          sealed: text,
          author: { kind: 'string', length: 255, required: true },
          created_at: time,
        },
        key: ['rule_id', 'version'],
      });
      await schema.createTable('run', {
        columns: {
          id,
          rule_id: id,
          project_id: id,
          event_id: { kind: 'string', length: 60, required: true },
          version: count,
          row_key: { kind: 'string', length: 255, required: true },
          // The place of the change in the log: of two runs for a row, the later one has the larger number.
          seq: time,
          position: count,
          // The values for templates, as JSON.
          event_values: text,
          // The ids of the automations that led to it, as JSON, the first one first.
          chain: text,
          state: { kind: 'string', length: 10, required: true },
          attempts: count,
          next_at: time,
          lease_until: time,
          error: { kind: 'text' },
          created_at: time,
          ended_at: { kind: 'bigint' },
        },
        key: ['id'],
        unique: [['rule_id', 'event_id']],
        indexes: [
          ['rule_id', 'state', 'seq', 'position'],
          ['rule_id', 'created_at'],
          ['state', 'next_at'],
          ['project_id'],
          ['created_at'],
        ],
      });
      await schema.createTable('run_step', {
        columns: {
          run_id: id,
          step_id: id,
          position: count,
          name: { kind: 'string', length: 60, required: true },
          type: { kind: 'string', length: 100, required: true },
          state: { kind: 'string', length: 10, required: true },
          input: { kind: 'text' },
          output: { kind: 'text' },
          error: { kind: 'text' },
          started_at: time,
          duration_ms: { kind: 'integer' },
        },
        key: ['run_id', 'step_id'],
      });
    },
  },
  {
    id: '002-items',
    async up(schema) {
      await schema.createTable('run_item', {
        columns: {
          run_id: id,
          step_id: id,
          // The index of the row for which the step runs, from 0.
          item: count,
          state: { kind: 'string', length: 10, required: true },
          input: { kind: 'text' },
          output: { kind: 'text' },
          error: { kind: 'text' },
          duration_ms: { kind: 'integer' },
        },
        key: ['run_id', 'step_id', 'item'],
      });
    },
  },
  {
    id: '003-kept-output',
    // The output for later steps, as JSON, sealed: stored if it holds secrets that the log hides.
    up: (schema) => schema.addColumn('run_step', 'kept_output', { kind: 'text' }),
  },
  {
    id: '004-dropped',
    // How many of its events were not stored since it was paused, because enough of them waited; empty for none.
    up: (schema) => schema.addColumn('rule', 'dropped', { kind: 'integer' }),
  },
  {
    id: '005-claims',
    up: (schema) => ClaimedRows.addTo(schema, 'run'),
  },
  {
    id: '006-watches',
    async up(schema) {
      // The rows that matched an automation, if a change does not tell whether they matched before.
      await schema.createTable('watch', {
        columns: {
          id,
          rule_id: id,
          // What the conditions compute, see `ConditionReach.meaning`.
          meaning: { kind: 'string', length: 64, required: true },
          // Whether it contains all rows that matched when it was created.
          ready: { kind: 'boolean', required: true },
          created_at: time,
        },
        key: ['id'],
        indexes: [['rule_id']],
      });
      await schema.createTable('watch_table', {
        columns: { watch_id: id, table_id: id },
        key: ['watch_id', 'table_id'],
        indexes: [['table_id']],
      });
      await schema.createTable('watch_row', {
        // A digest of the row's key: keys may differ by letters that some databases treat as equal.
        columns: { watch_id: id, row_mark: { kind: 'string', length: 32, required: true } },
        key: ['watch_id', 'row_mark'],
      });
    },
  },
  {
    id: '007-since',
    async up(schema) {
      // The last time at which it was switched on or its trigger changed; empty for automations saved before this column existed.
      await schema.addColumn('rule', 'started_at', { kind: 'bigint' });
      // When it resumed after a pause; empty for never.
      await schema.addColumn('rule', 'resumed_at', { kind: 'bigint' });
    },
  },
  {
    id: '008-attempts',
    async up(schema) {
      // The results of steps before they were tried again.
      await schema.createTable('run_attempt', {
        columns: {
          run_id: id,
          step_id: id,
          // From 1; the oldest are deleted first.
          attempt: count,
          state: { kind: 'string', length: 10, required: true },
          input: { kind: 'text' },
          error: { kind: 'text' },
          started_at: time,
          duration_ms: { kind: 'integer' },
        },
        key: ['run_id', 'step_id', 'attempt'],
      });
    },
  },
  {
    id: '009-log-place',
    // The end of the change log when it was created; empty for automations created before this column existed.
    up: (schema) => schema.addColumn('rule', 'log_place', { kind: 'bigint' }),
  },
];
