import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClaimedRows, defineServerPlugin, ServersToken, type PluginDatabase } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';
import own from '../plugin.json' with { type: 'json' };
import { DueRuns } from './due-runs.ts';
import { migrations } from './migrations.ts';

const now = 1_000_000;
const later = now + 1;
/** More than SQLite takes for the parameters of one statement. */
const many = 33_000;
let server: TestServer;
let db: PluginDatabase;
let claims: ClaimedRows;

beforeAll(async () => {
  const tables = defineServerPlugin({
    migrations,
    setup(ctx) {
      db = ctx.db;
      claims = new ClaimedRows({ db, servers: ctx.get(ServersToken) }, 'run');
    },
  });
  server = await createTestServer({
    plugins: [testPlugin('runs-of-a-test', tables, { contributes: { tables: own.contributes.tables } })],
  });
});
afterAll(() => server?.dispose());

interface Planned {
  readonly row: string;
  readonly state?: 'waiting' | 'running' | 'failed';
  readonly attempts?: number;
  readonly nextAt?: number;
  readonly leaseUntil?: number;
}

/** Keeps runs of an automation, the oldest first; their ids are what they are about. */
async function keep(rule: string, planned: readonly Planned[]): Promise<void> {
  const rows = planned.map(({ row, state = 'waiting', attempts = 0, nextAt = 0, leaseUntil = 0 }, seq) => ({
    id: `${rule}-${seq}`,
    rule_id: rule,
    project_id: 'desk',
    event_id: String(seq),
    version: 1,
    row_key: row,
    seq,
    position: 0,
    event_values: '{}',
    chain: '[]',
    state,
    attempts,
    next_at: nextAt,
    lease_until: leaseUntil,
    created_at: seq,
  }));
  await db.write(async (unit) => {
    for (let at = 0; at < rows.length; at += 400)
      await unit.run(unit.table('run').insert(rows.slice(at, at + 400)));
  });
}

/** Keeps the automation of runs. */
async function rule(id: string, state: { readonly active?: boolean; readonly paused?: string } = {}) {
  const row = { id, project_id: 'desk', owner: '{}', active: true, trigger_type: 'row.added', ...state };
  await db.write((unit) =>
    unit.run(
      unit.table('rule').insert({ ...row, table_id: 'md_1', version: 1, created_at: 0, updated_at: 0 }),
    ),
  );
}

const dueOf = async (rule: string, limit: number) =>
  (await new DueRuns(db, claims).due(rule, now, limit)).map(({ id }) => id);

test('of a row of which a run is under way, or waits to be tried again, no other run begins', async () => {
  await keep('few', [
    { row: '1', state: 'running', leaseUntil: later },
    { row: '2', attempts: 1, nextAt: later },
    { row: '3', nextAt: later },
    { row: '', state: 'running', leaseUntil: later },
    { row: '1' },
    { row: '2' },
    { row: '3' },
    { row: '' },
    { row: '4', state: 'running' },
  ]);
  expect(await dueOf('few', 10)).toEqual(['few-6', 'few-7', 'few-8']);
  expect(await dueOf('few', 2)).toEqual(['few-6', 'few-7']);
});

test('a run begins behind those of more rows than a statement has parameters', async () => {
  const rows = Array.from({ length: many }, (_, index) => String(index));
  await keep('many', [
    ...rows.map((row): Planned => ({ row, state: 'running', leaseUntil: later })),
    ...rows.map((row) => ({ row })),
    { row: 'free' },
  ]);
  expect(await dueOf('many', 20_000)).toEqual([`many-${2 * many}`]);
});

test('a run that failed is let go on once, however many ask for it, and no run is taken before its time', async () => {
  await rule('again');
  await keep('again', [
    { row: '1', state: 'failed' },
    { row: '2', nextAt: later },
  ]);
  const due = new DueRuns(db, claims);
  await due.tryAgain('again-0', 2);
  expect(await due.claim('again-0', now, later)).toBe(true);
  // Whoever saw it fail as well asks while it is under way.
  await due.tryAgain('again-0', 2);
  expect(await due.claim('again-0', now, later)).toBe(false);
  expect(await due.claim('again-1', now, later)).toBe(false);
  expect(await due.claim('again-1', later, later + 1)).toBe(true);
});

test('no run is taken of an automation that was paused or switched off since the run was found', async () => {
  await rule('paused', { paused: '{}' });
  await rule('off', { active: false });
  await keep('paused', [{ row: '1' }]);
  await keep('off', [{ row: '1' }]);
  const due = new DueRuns(db, claims);
  expect(await due.claim('paused-0', now, later)).toBe(false);
  expect(await due.claim('off-0', now, later)).toBe(false);
  await db.write((unit) => unit.run(unit.table('rule').where({ id: 'paused' }).update({ paused: null })));
  expect(await due.claim('paused-0', now, later)).toBe(true);
});
