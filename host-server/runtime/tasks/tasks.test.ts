import { afterEach, expect, jest, test } from '@jest/globals';
import { ManualClock, Registry } from '@trellis/core';
import { defineErrors } from '@trellis/sdk/shared';
import type {
  AccessScope,
  BusTransport,
  Logger,
  Permission,
  ScopeRule,
  TaskContext,
  TaskKind,
  FilterHome,
} from '@trellis/sdk/server';
import { createAccountStore } from '../../access/accounts/account-store.ts';
import { ViewHeirs } from '../../access/members/view-heirs.ts';
import { createAccessService } from '../../access/rights/access-service.ts';
import { createSecrets } from '../../access/secrets/secrets.ts';
import type { Database } from '../../databases/index.ts';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createMetadata } from '../../metadata/metadata.ts';
import { unitOf } from '../../plugins/plugin-database.ts';
import { HostBus } from '../bus/host-bus.ts';
import { host, OwnedWork } from '../owned-work.ts';
import { HostTasks } from './host-tasks.ts';
import { pruneTasks } from './prune-tasks.ts';
import { principalOf, starterOf } from './task-row.ts';
import { TaskRows } from './task-rows.ts';
import { serverOfTest } from '../testing.ts';
import { TaskWorker } from './task-worker.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const errors = defineErrors({ NO_PAPER: { status: 409, message: 'There is no paper.' } });

/** A promise and the way to resolve it. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Rejects when the run is ended from outside. */
function untilAborted({ signal }: TaskContext): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** What six seconds without a renewal do. */
function expireRuns(database: Database) {
  return database.write((unit) => unit.run(unit.knex('trellis_task').update({ lease_until: 0 })));
}

describeEachMetadata('tasks', (open) => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  /** One server: what it needs of the host to start and run tasks. */
  async function serverOn(
    database: Database,
    kinds: readonly TaskKind[],
    clock = new ManualClock(Date.now()),
  ) {
    const registry = new Registry<TaskKind>({ id: 'taskKinds', absentPolicy: 'wait' });
    for (const kind of kinds) registry.register(kind, host);
    const transports = new Registry<BusTransport>({ id: 'busTransports', absentPolicy: 'own' });
    const bus = new HostBus({ transports, own: undefined, logger: silent });
    const metadata = await createMetadata({ database, bus, pollEvery: 0 });
    const permissions = new Registry<Permission>({ id: 'permissions', absentPolicy: 'denied' });
    permissions.register({ id: 'print', label: 'Print', roles: [], scope: 'project' }, host);
    permissions.register({ id: 'taskList', label: 'See tasks', roles: [], scope: 'project' }, host);
    const scopeRules = new Registry<ScopeRule>({ id: 'scopeRules', absentPolicy: 'refused' });
    const access = createAccessService({
      metadata,
      heirs: new ViewHeirs({ metadata, didPassOn: () => undefined }),
      permissions,
      scopeRules,
      filterHomes: new Registry<FilterHome>({ id: 'filterHomes', absentPolicy: 'not found' }),
      errors: { report: () => {}, charge: () => {} },
      nameOf: (id) => id,
      unitOf,
      secrets: createSecrets('of a test'),
    });
    const accounts = createAccountStore({ metadata, unitOf });
    const rows = new TaskRows(database);
    const tasks = new HostTasks({ rows, kinds: registry, bus });
    const plugins = {
      run: <T>(_id: string, work: () => Promise<T>) => work(),
      signalOf: () => undefined,
      onError: () => {},
    };
    const worker = new TaskWorker({
      servers: serverOfTest(),
      rows,
      kinds: registry,
      bus,
      clock,
      logger: silent,
      work: new OwnedWork({ plugins, logger: silent, loggerFor: () => silent }),
      announce: (id) => tasks.announce(id),
      scopeOf: async (row) =>
        access.scopeFor(await starterOf(row, accounts), row.project_id ?? undefined, row.id),
      cleanUpScopeOf: (row) => access.scopeFor(principalOf(row), row.project_id ?? undefined, row.id),
    });
    const stop = async () => {
      await worker.stop();
      metadata.dispose();
      access.dispose();
    };
    stops.push(stop);
    const scopeOf = (project: string) => access.systemScope(project, 'test');
    const start = (payload: unknown = {}, project = 'p_1', kind = 'print') =>
      tasks.start(scopeOf(project), { kind, title: 'Printing', payload });
    return {
      tasks,
      worker,
      bus,
      registry,
      clock,
      rows,
      access,
      accounts,
      generations: metadata.generations,
      scopeOf,
      scope: scopeOf('p_1'),
      start,
      stop,
    };
  }

  const kind = (
    run: TaskKind['run'],
    rest: Partial<Omit<TaskKind, 'cleanUp'>> & { cleanUp?: TaskKind['cleanUp'] } = {},
  ): TaskKind => ({ id: 'print', permission: 'print', run, ...rest });

  test('are run with their payload, and keep their progress and result', async () => {
    const database = await open();
    const server = await serverOn(database, [
      kind(async ({ payload, progress }) => {
        progress({ done: 3, total: 7, note: 'Page 3' });
        return { printed: payload };
      }),
    ]);
    const { id, state } = await server.start({ pages: [1, 2] });
    expect(state).toBe('waiting');
    server.worker.start();
    expect(await server.tasks.ended(server.scope, id)).toEqual({
      task: expect.objectContaining({
        state: 'done',
        progress: { done: 3, total: 7, note: 'Page 3' },
        error: null,
        finished_at: expect.any(String),
      }),
      result: { printed: { pages: [1, 2] } },
    });
  });

  test('of a quiet kind are listed while they go on, and afterwards only where they failed', async () => {
    const database = await open();
    const { open: end, opened } = gate();
    const quiet = kind(
      async ({ payload }) => {
        await opened;
        if (payload === 'torn') throw errors.create('NO_PAPER');
      },
      { isQuiet: true },
    );
    const server = await serverOn(database, [quiet]);
    const tasks = [await server.start('whole'), await server.start('torn')];
    expect(tasks[0]?.is_quiet).toBe(true);
    server.worker.start();
    expect((await server.tasks.list(server.scope)).length).toBe(2);
    end();
    for (const { id } of tasks) await server.tasks.ended(server.scope, id);
    expect((await server.tasks.list(server.scope)).map(({ id, state }) => [id, state])).toEqual([
      [tasks[1]?.id, 'failed'],
    ]);
  });

  test('that fail say why in words for people, once what they left is taken back', async () => {
    const database = await open();
    let cleaned = 0;
    const server = await serverOn(database, [
      kind(() => Promise.reject(errors.create('NO_PAPER')), {
        cleanUp: async () => void (cleaned += 1),
      }),
      kind(() => Promise.reject(new Error('secret/path')), { id: 'burn' }),
    ]);
    server.worker.start();
    const [plain, secret] = [await server.start(), await server.start({}, 'p_1', 'burn')];
    const { task } = await server.tasks.ended(server.scope, plain.id);
    expect(task).toMatchObject({ state: 'failed', error: 'There is no paper.' });
    expect(cleaned).toBe(1);
    const other = await server.tasks.ended(server.scope, secret.id);
    expect(other.task.error).toBe('Some internal error occurred; the log has more.');
  });

  test('can be cancelled while they run, and before anybody has begun them', async () => {
    const database = await open();
    const begun = gate();
    let cleaned = 0;
    const server = await serverOn(database, [
      kind(
        (context) => {
          begun.open();
          return untilAborted(context);
        },
        { cleanUp: async () => void (cleaned += 1) },
      ),
      kind(() => Promise.reject(new Error('never run')), { id: 'plain' }),
    ]);
    const unbegun = await server.start({}, 'p_1', 'plain');
    expect(await server.tasks.cancel(server.scope, unbegun.id)).toMatchObject({ state: 'cancelled' });
    server.worker.start();
    const { id } = await server.start();
    await begun.opened;
    expect(await server.tasks.cancel(server.scope, id)).toMatchObject({ is_cancelling: true });
    const { task } = await server.tasks.ended(server.scope, id);
    expect(task).toMatchObject({ state: 'cancelled', is_cancelling: false, is_cancellable: false });
    expect(cleaned).toBe(1);
  });

  test('hear of a cancel on another server without a bus between the two', async () => {
    const database = await open();
    const begun = gate();
    const waiting = kind((context) => {
      begun.open();
      return untilAborted(context);
    });
    const runs = await serverOn(database, [waiting]);
    const asks = await serverOn(database, [waiting]);
    runs.worker.start();
    const { id } = await asks.start();
    runs.worker.look();
    await begun.opened;
    await asks.tasks.cancel(asks.scope, id);
    const ended = runs.tasks.ended(runs.scope, id);
    runs.clock.advance(2000);
    expect((await ended).task.state).toBe('cancelled');
  });

  test('go on from their checkpoint on another server when the one that ran them stops', async () => {
    const database = await open();
    const kept = gate();
    const first = await serverOn(database, [
      kind(async (context) => {
        await context.keep({ page: 4 });
        kept.open();
        return untilAborted(context);
      }),
    ]);
    first.worker.start();
    const { id } = await first.start();
    await kept.opened;
    await first.stop();
    expect(await first.tasks.get(first.scope, id)).toMatchObject({ state: 'waiting' });
    const second = await serverOn(database, [kind(async ({ checkpoint }) => checkpoint)]);
    second.worker.start();
    expect((await second.tasks.ended(second.scope, id)).result).toEqual({ page: 4 });
  });

  test('are taken over from a server that went silent, which may then write nothing more', async () => {
    const database = await open();
    const [kept, goOn, refused] = [gate(), gate(), gate()];
    const others = ['p_2', 'p_3', 'p_4'].map((project) => ({ project, begun: gate() }));
    let late: unknown;
    const silentServer = await serverOn(database, [
      kind(async ({ keep }) => {
        await keep({ page: 1 });
        kept.open();
        await goOn.opened;
        await keep({ page: 99 }).catch((error: unknown) => {
          late = error;
          refused.open();
        });
        return 'the wrong answer';
      }),
      kind(
        async (context) => {
          const { projectId } = await context.scope();
          others.find(({ project }) => project === projectId)?.begun.open();
          return untilAborted(context);
        },
        { id: 'another' },
      ),
    ]);
    silentServer.worker.start();
    const { id } = await silentServer.start();
    // With four running it looks for no more, or it might take its own task over.
    for (const { project } of others) await silentServer.start({}, project, 'another');
    await Promise.all([kept, ...others.map(({ begun }) => begun)].map(({ opened }) => opened));
    // Nobody advances the clock of the silent one, so that it renews nothing.
    await expireRuns(database);
    const next = await serverOn(database, [kind(async ({ checkpoint }) => checkpoint)]);
    next.worker.start();
    expect((await next.tasks.ended(next.scope, id)).result).toEqual({ page: 1 });
    goOn.open();
    await refused.opened;
    await silentServer.stop();
    expect(late).toMatchObject({ code: 'TASK_TAKEN_OVER' });
    expect((await next.tasks.ended(next.scope, id)).result).toEqual({ page: 1 });
  });

  test('are left to the server that runs them by one whose clock is an hour ahead', async () => {
    const database = await open();
    const rows = (await serverOn(database, [])).rows;
    await rows.insert({ id: 'tk_1', project_id: 'p_1', kind: 'print', title: 'Printing', payload: 'null' });
    expect(await rows.claim(['print'], 'a server')).toMatchObject({ id: 'tk_1' });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    stops.push(async () => clock.mockRestore());
    expect(await rows.claim(['print'], 'a server that is ahead')).toBeUndefined();
    await expireRuns(database);
    expect(await rows.claim(['print'], 'a server that is ahead')).toMatchObject({ fence: expect.anything() });
    clock.mockReturnValue(0);
    expect(await rows.claim(['print'], 'a server that is behind')).toBeUndefined();
  });

  test('that take the server down each time are given up', async () => {
    const database = await open();
    let runs = 0;
    const counted = kind(async () => void (runs += 1));
    const { rows, start, scope, tasks, worker } = await serverOn(database, [counted]);
    const { id } = await start();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await rows.claim(['print'], 'a server that dies')).toMatchObject({ id });
      await expireRuns(database);
    }
    worker.start();
    const { task } = await tasks.ended(scope, id);
    expect(task).toMatchObject({ state: 'failed' });
    expect(task.error).toContain('5 times');
    expect(runs).toBe(0);
  });

  test('of one project do not keep those of another waiting', async () => {
    const database = await open();
    const begun: string[] = [];
    const small = gate();
    const server = await serverOn(database, [
      kind(async (context) => {
        const { projectId = '' } = await context.scope();
        begun.push(projectId);
        if (projectId === 'p_small') small.open();
        return untilAborted(context);
      }),
    ]);
    for (let count = 0; count < 6; count += 1) await server.start({}, 'p_large');
    await server.start({}, 'p_small');
    server.worker.start();
    await small.opened;
    expect(begun.filter((of) => of === 'p_large').length).toBeLessThanOrEqual(2);
  });

  test('that take long leave room for others, also for those of their own project', async () => {
    const database = await open();
    const begun: string[] = [];
    const all = gate();
    const note = async (name: string, { scope }: TaskContext) => {
      begun.push(`${name} ${(await scope()).projectId ?? ''}`);
      if (begun.filter((line) => line.startsWith('print')).length === 2) all.open();
    };
    const server = await serverOn(database, [
      kind(
        async (context) => {
          await note('move', context);
          return untilAborted(context);
        },
        { id: 'move', isLong: true },
      ),
      kind(async (context) => {
        await note('print', context);
        return untilAborted(context);
      }),
    ]);
    for (const project of ['p_1', 'p_2', 'p_3', 'p_1']) await server.start({}, project, 'move');
    for (let count = 0; count < 2; count += 1) await server.start({}, 'p_1');
    server.worker.start();
    await all.opened;
    expect(begun.filter((line) => line.startsWith('move'))).toHaveLength(2);
    expect(begun.filter((line) => line === 'print p_1')).toHaveLength(2);
  });

  test('of a kind that nobody offers wait for it, and are run as soon as it is there', async () => {
    const database = await open();
    const first = await serverOn(database, [kind(async () => 'never run')]);
    const { id } = await first.start();
    const second = await serverOn(database, []);
    second.worker.start();
    expect(await second.tasks.get(second.scope, id)).toMatchObject({ state: 'waiting' });
    second.registry.register(
      kind(async () => 'printed'),
      host,
    );
    expect((await second.tasks.ended(second.scope, id)).result).toBe('printed');
  });

  test('are ended by the account that started them, whatever its address, and by nobody who has the address since', async () => {
    const database = await open();
    const server = await serverOn(database, [kind(async () => 'printed')]);
    const poor = server.access.narrow(server.scope, { permissions: new Set(['taskList']) });
    const as = (id: string, email: string) =>
      ({
        projectId: poor.projectId,
        principal: { ...poor.principal, kind: 'user', id, email },
        require: (permission: string) => poor.require(permission),
      }) as AccessScope;
    const { id } = await server.rows.insert({
      id: 'tk_1',
      project_id: 'p_1',
      kind: 'print',
      title: 'Printing',
      payload: 'null',
      principal: JSON.stringify({ kind: 'user', id: 'us_ada', email: 'ada@example.com' }),
      created_by: 'ada@example.com',
    });
    const heir = server.tasks.cancel(as('us_eve', 'ada@example.com'), id);
    await expect(heir).rejects.toMatchObject({ status: 403 });
    const cancelled = await server.tasks.cancel(as('us_ada', 'lovelace@example.com'), id);
    expect(cancelled).toMatchObject({ state: 'cancelled' });
  });

  test('have the rights that their account has now, and end where it is disabled', async () => {
    const database = await open();
    const roles: (readonly string[])[] = [];
    const cleaned: string[] = [];
    const disable = async () => {
      await database.write(async (unit) => {
        await server.generations.bump(unit, 'accounts');
        await unit.run(unit.knex('trellis_account').update({ disabled_at: 1 }));
      });
    };
    const server = await serverOn(database, [
      {
        id: 'print',
        permission: 'print',
        async run({ scope }) {
          roles.push((await scope()).principal.accountRoles);
          await disable();
          await scope();
          return 'printed';
        },
        cleanUp: async ({ scope }) => void cleaned.push((await scope()).principal.email),
      },
    ]);
    // The first account of a server may do everything.
    const { id } = await server.accounts.create({ email: 'ada@example.com' });
    const principal = { kind: 'user', id, email: 'of-that-day@example.com', accountRoles: [] };
    const task = await server.rows.insert({
      id: 'tk_1',
      project_id: null,
      kind: 'print',
      title: 'Printing',
      payload: 'null',
      principal: JSON.stringify(principal),
      created_by: principal.email,
    });
    server.worker.start();
    const ended = server.tasks.ended(server.access.systemScope(undefined, 'test'), task.id);
    expect((await ended).task.state).toBe('failed');
    const { failure } = await ended;
    expect(failure).toMatchObject({ code: 'TASK_STARTER_GONE', status: 409 });
    expect(roles).toEqual([expect.arrayContaining(['super'])]);
    expect(cleaned).toEqual(['of-that-day@example.com']);
  });

  test('that are all ended are looked at with one read, and on SQLite without a reading thread', async () => {
    const database = await open();
    const server = await serverOn(database, [kind(async () => 'printed')]);
    const { id } = await server.start();
    server.worker.start();
    await server.tasks.ended(server.scope, id);
    await server.worker.stop();
    const read = jest.spyOn(database, 'read');
    expect(await server.rows.claim(['print'], 'somebody')).toBeUndefined();
    expect(read).toHaveBeenCalledTimes(database.dialect.name === 'sqlite' ? 0 : 1);
    read.mockRestore();
  });

  test('belong to their project, and to whoever may start them', async () => {
    const database = await open();
    const server = await serverOn(database, [kind(async () => 'printed')]);
    const { id } = await server.start();
    const elsewhere = server.scopeOf('p_2');
    await expect(server.tasks.get(elsewhere, id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(server.tasks.cancel(elsewhere, id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await server.tasks.list(elsewhere)).toEqual([]);
    const poor = server.access.narrow(server.scope, { permissions: new Set(['taskList']) });
    const input = { kind: 'print', title: 'Printing', payload: {} };
    await expect(server.tasks.start(poor, input)).rejects.toMatchObject({ status: 403 });
    await expect(server.tasks.cancel(poor, id)).rejects.toMatchObject({ status: 403 });
    const large = { ...input, payload: 'x'.repeat(2 ** 20 + 1) };
    await expect(server.tasks.start(server.scope, large)).rejects.toMatchObject({ status: 413 });
    await expect(server.tasks.start(server.scope, { ...input, kind: 'sing' })).rejects.toMatchObject({
      code: 'TASK_KIND_DISABLED',
    });
  });

  test('that ended are deleted after thirty days, and others never', async () => {
    const database = await open();
    const { rows } = await serverOn(database, []);
    const day = 24 * 60 * 60 * 1000;
    const now = Date.now();
    const insert = (id: string, state: string, days: number) => {
      const at = now - days * day;
      const ended = state !== 'running' && state !== 'waiting';
      return rows.insert({
        id,
        project_id: 'p_1',
        kind: 'print',
        title: 'Printing',
        payload: 'null',
        state,
        created_at: at,
        updated_at: at,
        ...(ended && { finished_at: at }),
      });
    };
    for (const state of ['done', 'failed', 'cancelled', 'running', 'waiting']) {
      await insert(`tk_old_${state}`, state, 31);
      await insert(`tk_new_${state}`, state, 29);
    }
    const lines: unknown[] = [];
    const logger = { ...silent, info: (...line: unknown[]) => void lines.push(line) };
    await pruneTasks(rows, { signal: new AbortController().signal, logger }, now);
    const left = await database.read((unit) =>
      unit.all<{ id: string }>(unit.knex('trellis_task').select('id').orderBy('id')),
    );
    expect(left.map(({ id }) => id)).toEqual([
      'tk_new_cancelled',
      'tk_new_done',
      'tk_new_failed',
      'tk_new_running',
      'tk_new_waiting',
      'tk_old_running',
      'tk_old_waiting',
    ]);
    expect(lines).toEqual([[expect.any(String), { tasks: 3 }]]);
  });

  test('are deleted a part at a time, until none that old is left', async () => {
    const database = await open();
    const { rows } = await serverOn(database, []);
    for (const id of ['tk_1', 'tk_2', 'tk_3'])
      await rows.insert({
        id,
        project_id: 'p_1',
        kind: 'print',
        title: 'Printing',
        payload: 'null',
        state: 'done',
        updated_at: 5,
      });
    expect([await rows.prune(6, 2), await rows.prune(6, 2), await rows.prune(6, 2)]).toEqual([2, 1, 0]);
  });
});
