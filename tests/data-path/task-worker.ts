import type { Clock, RegistryView } from '@trellis/core';
import type { TaskKind } from '@trellis/sdk/server';
import type { Database } from '../../host-server/databases/index.ts';
import { OwnedWork } from '../../host-server/runtime/owned-work.ts';
import { principalOf } from '../../host-server/runtime/tasks/task-row.ts';
import { TaskWorker } from '../../host-server/runtime/tasks/task-worker.ts';
import { serverOfTest } from '../../host-server/runtime/testing.ts';
import { silent, type createDataPath } from './data-path.ts';

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

interface WorkerOptions {
  readonly kinds?: RegistryView<TaskKind>;
  /** With a clock that stands still, the worker never renews. */
  readonly clock?: Clock;
}

/** Runs tasks as a server does. */
export function createTaskWorker(
  { tasks, taskKinds, taskRows, bus, access }: DataPath,
  { kinds = taskKinds, clock }: WorkerOptions = {},
): TaskWorker {
  return new TaskWorker({
    servers: serverOfTest(),
    rows: taskRows,
    ...(clock && { clock }),
    kinds,
    bus,
    logger: silent,
    work: new OwnedWork({
      plugins: { run: (_id, work) => work(), signalOf: () => undefined, onError: () => {} },
      logger: silent,
      loggerFor: () => silent,
    }),
    announce: (id) => tasks.announce(id),
    scopeOf: (row) => access.scopeFor(principalOf(row), row.project_id ?? undefined, 'task'),
    cleanUpScopeOf: (row) => access.scopeFor(principalOf(row), row.project_id ?? undefined, 'task'),
  });
}

/** Expires the tasks of a dead server, as six seconds without a renewal would. */
export function expireRuns(database: Database) {
  return database.write((unit) => unit.run(unit.knex('trellis_task').update({ lease_until: 0 })));
}

/** The number of rows that are staged but not in their table yet. */
export async function stagedIn(database: Database): Promise<number> {
  const row = await database.read((unit) =>
    unit.first<{ count: number | string }>(unit.knex('trellis_staged_row').count({ count: '*' })),
  );
  return Number(row?.count ?? 0);
}
