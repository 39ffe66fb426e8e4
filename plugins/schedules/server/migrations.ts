import type { PluginColumn, PluginMigration } from '@trellis/sdk/server';

const id: PluginColumn = { kind: 'string', length: 40, required: true };
const time: PluginColumn = { kind: 'bigint', required: true };
const count: PluginColumn = { kind: 'integer', required: true };
const word: PluginColumn = { kind: 'string', length: 10, required: true };
const text: PluginColumn = { kind: 'text' };

/** Times are milliseconds since 1970. */
export const migrations: readonly PluginMigration[] = [
  {
    id: '001-schedules',
    async up(schema) {
      await schema.createTable('schedule', {
        columns: {
          id,
          project_id: id,
          // Whose rights its runs have, as JSON, see `keptPrincipal`.
          owner: { kind: 'text', required: true },
          owner_id: id,
          action: { kind: 'string', length: 100, required: true },
          // The key of a plugin's schedule; empty for those of people.
          kept_for: { kind: 'string', length: 100, required: true },
          // The settings as JSON, sealed: addresses may contain tokens of other systems.
          sealed: { kind: 'text', required: true },
          active: { kind: 'boolean', required: true },
          // Why it is paused, as JSON.
          paused: text,
          next_at: time,
          created_at: time,
          updated_at: time,
        },
        key: ['id'],
        indexes: [['project_id'], ['active', 'next_at']],
      });
      await schema.createTable('run', {
        columns: {
          id,
          schedule_id: id,
          project_id: id,
          cause: word,
          due_at: time,
          state: word,
          // The task that works on it. A run without one waits, or a server ended before the task began.
          task_id: { kind: 'string', length: 40 },
          // Since when a task is running or being created; 0 for a run that waits for its turn.
          handed_at: time,
          not_before: time,
          // The number of the attempt; for a skipped run, how many runs were skipped.
          attempt: count,
          cancelling: { kind: 'boolean', required: true },
          started_at: { kind: 'bigint' },
          ended_at: { kind: 'bigint' },
          // The result, as JSON.
          message: text,
          // The attempts that ended, as JSON.
          attempts: { kind: 'text', required: true },
          // The file that it created, as JSON.
          file: text,
          created_at: time,
        },
        key: ['id'],
        indexes: [['schedule_id', 'created_at'], ['state', 'not_before'], ['project_id'], ['ended_at']],
      });
    },
  },
  {
    id: '002-restores',
    async up(schema) {
      await schema.createTable('restore', {
        columns: {
          id,
          account_id: id,
          // The archive with its size, as JSON, and whether it was uploaded for this.
          file: { kind: 'text', required: true },
          sent: { kind: 'boolean', required: true },
          // The summary of its contents, as JSON.
          about: { kind: 'text', required: true },
          state: word,
          project_id: { kind: 'string', length: 40 },
          task_id: { kind: 'string', length: 40 },
          // Why it failed, and what the project lacks, as JSON.
          message: text,
          notes: { kind: 'text', required: true },
          created_at: time,
        },
        key: ['id'],
        indexes: [['account_id', 'state'], ['created_at']],
      });
    },
  },
];
