import { expect, test } from '@jest/globals';
import { ManualClock, type Clock, type RegistryView } from '@trellis/core';
import type { AccessScope, RowInput, TableHandle, TaskKind } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import type { TaskWorker } from '../../host-server/runtime/tasks/task-worker.ts';
import type { Database } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';
import { createTaskWorker, expireRuns, stagedIn } from './task-worker.ts';

const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Age', type: 'Number' },
  ],
};

const texts = {
  title: 'Texts',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Name', type: 'LongText' },
    { title: 'Age', type: 'Number' },
  ],
};

async function* numbered(count: number, patch: (n: number) => RowInput = () => ({})) {
  for (let n = 1; n <= count; n += 1) yield { Name: `Person ${n}`, Age: n, ...patch(n) };
}

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

interface Watch {
  /** Told after each transaction of a load; may cut it off. */
  readonly seen?: (done: number) => void;
  /** Awaited after a run has kept its place. */
  readonly kept?: (place: { readonly done: number }) => Promise<void>;
  /** For a server that never renews. */
  readonly clock?: Clock;
}

/** Runs tasks as a server does. */
function workerOf(path: DataPath, { seen, kept, clock }: Watch = {}): TaskWorker {
  const { taskKinds } = path;
  const watched = (kind: TaskKind): TaskKind => ({
    ...kind,
    run: (context) =>
      kind.run({
        ...context,
        progress: (progress) => {
          seen?.(progress.done);
          context.progress(progress);
        },
        keep: async (place) => {
          await context.keep(place);
          await kept?.(place as { readonly done: number });
        },
      }),
  });
  const load = taskKinds.get('rows.load');
  const watchedLoad = load && watched(load);
  const kinds: RegistryView<TaskKind> = {
    id: taskKinds.id,
    list: () => taskKinds.list(),
    entries: () => taskKinds.entries(),
    ownerOf: (id) => taskKinds.ownerOf(id),
    onDidChange: taskKinds.onDidChange,
    get: (id) => (id === 'rows.load' ? watchedLoad : taskKinds.get(id)),
  };
  return createTaskWorker(path, { kinds, ...(clock && { clock }) });
}

describeEachMetadata('loading rows', (open, dialect) => {
  async function table(): Promise<{
    database: Database;
    path: DataPath;
    scope: AccessScope;
    handle: TableHandle;
  }> {
    const database = await open();
    const path = await createDataPath(database);
    const scope = await path.newProject('Load');
    const { id } = await path.schema.createTable(scope, people);
    return { database, path, scope, handle: await path.schema.open(scope, id) };
  }

  test('adds them in their order, a part at a time, once all have been checked', async () => {
    const { database, path, scope, handle } = await table();
    const { id } = await path.rowStore.load(handle, numbered(4500));
    expect(await path.rowStore.count(handle, {})).toBe(0);
    const parts: number[] = [];
    const worker = workerOf(path, { seen: (done) => parts.push(done) });
    worker.start();
    const { task, result } = await path.tasks.ended(scope, id);
    expect(task).toMatchObject({ state: 'done', progress: { done: 4500, total: 4500 } });
    expect(result).toEqual({ added: 4500 });
    expect(parts).toEqual([2000, 4000, 4500]);
    expect(await path.rowStore.count(handle, {})).toBe(4500);
    const [last] = await path.rowStore.list(handle, { sort: ['-Id'] }, { limit: 1, offset: 0 });
    expect(last).toMatchObject({ Name: 'Person 4500' });
    expect(await stagedIn(database)).toBe(0);
    await worker.stop();
    await path.dispose();
  });

  test('adds none when one of them is not right, and names it', async () => {
    const { database, path, handle } = await table();
    const rows = numbered(3000, (n) => (n === 2345 ? { Age: 'old' } : {}));
    await expect(path.rowStore.load(handle, rows)).rejects.toThrow(/2345/);
    expect(await stagedIn(database)).toBe(0);
    expect(await path.rowStore.count(handle, {})).toBe(0);
    await path.dispose();
  });

  test('goes on where it was cut off, and adds each row once', async () => {
    const { database, path, scope, handle } = await table();
    const { id } = await path.rowStore.load(handle, numbered(4500));
    let stopped: Promise<void> | undefined;
    const first = workerOf(path, {
      seen: () => {
        stopped ??= first.stop();
      },
    });
    first.start();
    while (stopped === undefined) await new Promise(setImmediate);
    await stopped;
    expect(await path.rowStore.count(handle, {})).toBe(2000);
    expect(await stagedIn(database)).toBe(2500);
    const next = workerOf(path);
    next.start();
    expect((await path.tasks.ended(scope, id)).task.state).toBe('done');
    const ages = await path.rowStore.list(handle, { fields: ['Age'] }, { limit: 5000, offset: 0 });
    expect(new Set(ages.map((row) => row['Age'])).size).toBe(4500);
    expect(await path.rowStore.count(handle, {})).toBe(4500);
    await next.stop();
    await path.dispose();
  });

  test('ends when it is cancelled, and leaves nothing staged', async () => {
    const { database, path, scope, handle } = await table();
    const { id } = await path.rowStore.load(handle, numbered(2500));
    expect(await path.tasks.cancel(scope, id)).toMatchObject({ is_cancelling: true });
    const worker = workerOf(path);
    worker.start();
    expect((await path.tasks.ended(scope, id)).task.state).toBe('cancelled');
    expect(await stagedIn(database)).toBe(0);
    expect(await path.rowStore.count(handle, {})).toBe(0);
    await worker.stop();
    await path.dispose();
  });

  test('stops when whoever began it may not add rows any more, and adds nothing else', async () => {
    const { database, path, scope, handle } = await table();
    const projectId = scope.projectId ?? '';
    await path.access.grant(projectId, 'us_editor', 'editor');
    const editor = { kind: 'user', id: 'us_editor', email: 'e@x.co', accountRoles: ['user'] } as const;
    const asEditor = async () =>
      path.schema.open(await path.access.scopeFor(editor, projectId, 'r'), handle.table.id);
    const { id } = await path.rowStore.load(await asEditor(), numbered(4500));
    const former = await asEditor();
    const worker = workerOf(path, {
      kept: async ({ done }) => {
        if (done === 2000) await path.access.grant(projectId, 'us_editor', 'viewer');
      },
    });
    worker.start();
    const { task } = await path.tasks.ended(scope, id);
    expect(task).toMatchObject({ state: 'failed', error: expect.stringContaining('bulkDataInsert') });
    const late = await path.rowStore.load(former, numbered(10));
    expect((await path.tasks.ended(scope, late.id)).task).toMatchObject({ state: 'failed' });
    expect(await path.rowStore.count(handle, {})).toBe(2000);
    expect(await stagedIn(database)).toBe(0);
    await worker.stop();
    await path.dispose();
  });

  test('is never given up while it gets on, however often its server is killed', async () => {
    const { database, path, scope, handle } = await table();
    const { id } = await path.rowStore.load(handle, numbered(14_500));
    const workers: TaskWorker[] = [];
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (let kill = 0; kill < 6; kill += 1) {
      // A killed server keeps nothing and renews nothing: it stands still in the middle of its run.
      await new Promise<void>((killed) => {
        const worker = workerOf(path, {
          clock: new ManualClock(),
          kept: () => {
            killed();
            return over;
          },
        });
        workers.push(worker);
        worker.start();
      });
      await expireRuns(database);
    }
    expect(await path.rowStore.count(handle, {})).toBe(12_000);
    const last = workerOf(path);
    workers.push(last);
    last.start();
    expect((await path.tasks.ended(scope, id)).task).toMatchObject({ state: 'done' });
    expect(await path.rowStore.count(handle, {})).toBe(14_500);
    end();
    for (const worker of workers) await worker.stop();
    await path.dispose();
  });

  test('adds values as the columns take them when they are added, not as they did when they were read', async () => {
    const { path, scope, handle } = await table();
    const column = handle.table.columnByTitle.get('Name')?.id ?? '';
    const numbers = await path.rowStore.load(
      handle,
      numbered(3, (n) => ({ Name: String(n * 11) })),
    );
    const words = await path.rowStore.load(
      handle,
      numbered(2, () => ({ Name: 'abc' })),
    );
    await path.schema.updateColumn(scope, column, { type: 'Number' });
    const worker = workerOf(path);
    worker.start();
    expect((await path.tasks.ended(scope, numbers.id)).task.state).toBe('done');
    const { task } = await path.tasks.ended(scope, words.id);
    expect(task).toMatchObject({ state: 'failed', error: expect.stringContaining("'Name'") });
    const now = await path.schema.open(scope, handle.table.id);
    const rows = await path.rowStore.list(now, { sort: ['Id'] }, { limit: 10, offset: 0 });
    expect(rows.map((row) => Number(row['Name']))).toEqual([11, 22, 33]);
    await worker.stop();
    await path.dispose();
  });

  // Together more than a database may answer at once.
  const large = { count: 42, Name: 'x'.repeat(900_000) };

  test('adds rows of any size, and deletes what is left of them', async () => {
    const { database, path, scope } = await table();
    const { id: tableId } = await path.schema.createTable(scope, texts);
    const handle = await path.schema.open(scope, tableId);
    const rows = () => numbered(large.count, () => ({ Name: large.Name }));
    const added = await path.rowStore.load(handle, rows());
    const cancelled = await path.rowStore.load(handle, rows());
    await path.tasks.cancel(scope, cancelled.id);
    const worker = workerOf(path);
    worker.start();
    expect((await path.tasks.ended(scope, added.id)).task).toMatchObject({ state: 'done' });
    expect((await path.tasks.ended(scope, cancelled.id)).task).toMatchObject({ state: 'cancelled' });
    expect(await path.rowStore.count(handle, {})).toBe(large.count);
    expect(await stagedIn(database)).toBe(0);
    await worker.stop();
    await path.dispose();
  });

  test('leaves rows that no task needs to the sweep, once they were left alone for an hour', async () => {
    const { database, path, handle } = await table();
    await path.rowStore.load(handle, numbered(10));
    const abandoned = { load_id: 'abandoned', n: 1, row_values: '{}' };
    const hourAgo = Date.now() - 3_700_000;
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_staged_row').insert([
          { ...abandoned, staged_at: hourAgo },
          { ...abandoned, load_id: 'under way', staged_at: Date.now() },
        ]),
      ),
    );
    await database.write((unit) =>
      unit.run(unit.knex('trellis_staged_row').where('n', '>', 1).update({ staged_at: hourAgo })),
    );
    await path.rowStore.sweepLoads(await path.taskRows.payloadsOf('rows.load'));
    expect(await stagedIn(database)).toBe(11);
    await path.dispose();
  });

  // Where rows are read and staged, databases do not differ; a trigger that refuses is spelled differently on each.
  if (dialect !== 'sqlite') return;

  test('keeps few large rows in memory while it reads them', async () => {
    const { database, path, scope } = await table();
    const { id: tableId } = await path.schema.createTable(scope, texts);
    const handle = await path.schema.open(scope, tableId);
    const stagedAt: number[] = [];
    async function* watched() {
      for await (const row of numbered(large.count, () => ({ Name: large.Name }))) {
        stagedAt.push(await stagedIn(database));
        yield row;
      }
    }
    await path.rowStore.load(handle, watched());
    // Never more than five of them were read and not staged yet.
    for (const [read, staged] of stagedAt.entries()) expect(read - staged).toBeLessThanOrEqual(5);
    await path.dispose();
  });

  test('sweeps the other loads where the rows of one cannot be deleted', async () => {
    const { database, path } = await table();
    const old = { n: 1, row_values: '{}', staged_at: Date.now() - 3_700_000 };
    const loads = ['a', 'stuck', 'z'].map((load_id) => ({ ...old, load_id }));
    await database.write(async (unit) => {
      await unit.run(unit.knex('trellis_staged_row').insert(loads));
      await unit.run(
        unit.knex.raw(
          "create trigger refuse before delete on trellis_staged_row when old.load_id = 'stuck' begin select raise(abort, 'no'); end",
        ),
      );
    });
    await expect(path.rowStore.sweepLoads([])).rejects.toThrow(AggregateError);
    expect(await stagedIn(database)).toBe(1);
    await path.dispose();
  });
});
