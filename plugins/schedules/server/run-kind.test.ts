import { expect, test } from '@jest/globals';
import type { ServerPluginContext, TaskContext } from '@trellis/sdk/server';
import { createRunKind, type RunKindDependencies } from './run-kind.ts';
import type { Run } from './run-store.ts';
import type { Schedule } from './schedule-store.ts';

/** What becomes of a run whose task is given up: how it ends, and what its owner is told. */
async function givenUp(of: Partial<Run>) {
  const run = {
    id: 'ru_1',
    scheduleId: 'sc_1',
    projectId: 'p_1',
    state: 'running',
    taskId: 'task_1',
    attempt: 1,
    cancelling: false,
    startedAt: 1,
    attempts: [],
    ...of,
  } as unknown as Run;
  const told: string[] = [];
  const ended: Run[] = [];
  const deps = {
    schedules: { byId: async (id: string) => ({ id }) as Schedule },
    runs: {
      async change(_id: string, patch: (now: Run) => Partial<Run> | undefined) {
        const now = { ...run, ...patch(run) };
        ended.push(now);
        return now;
      },
    },
    clock: { now: () => 2 },
    changed: () => undefined,
    didEnd: () => undefined,
    tellOwner: async ({ id }: Schedule, what: string, { code }: { readonly code?: string }) =>
      void told.push(`${id} ${what} ${code}`),
  } as unknown as RunKindDependencies;
  const context = { payload: { runId: 'ru_1' }, taskId: 'task_1' } as TaskContext<{ readonly runId: string }>;
  await createRunKind({} as ServerPluginContext, deps).cleanUp?.(context);
  return { states: ended.map(({ state }) => state), told };
}

test('the owner hears of a run that no server could finish, and of none that was cancelled', async () => {
  expect(await givenUp({})).toEqual({ states: ['cut-off'], told: ['sc_1 failed SCHEDULE_CUT_OFF'] });
  expect(await givenUp({ cancelling: true })).toEqual({ states: ['cancelled'], told: [] });
  expect(await givenUp({ state: 'waiting' })).toEqual({ states: ['cancelled'], told: [] });
});
