import {
  defineRoute,
  FilesToken,
  logPageOf,
  logQuerySchema,
  readHeld,
  RouteAnswer,
  TasksToken,
  toPageInfo,
  type LogQuery,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Page } from '@trellis/sdk/shared';
import type { RunEntity } from '../shared/index.ts';
import type { ScheduleClock } from './clock.ts';
import { toRunEntity } from './entities.ts';
import { cancelled } from './run-kind.ts';
import type { Run, RunStore } from './run-store.ts';
import { scheduleErrors } from './schedule-errors.ts';
import { createFindSchedule, ofProject, schedulesPath } from './schedule-routes.ts';
import type { ScheduleStore } from './schedule-store.ts';
import type { Scheduler } from './scheduler.ts';

const path = `${schedulesPath}/:scheduleId`;

interface RunRoutesDependencies {
  readonly schedules: ScheduleStore;
  readonly runs: RunStore;
  readonly scheduler: Pick<Scheduler, 'runNow' | 'look'>;
  readonly clock: ScheduleClock;
  readonly changed: (projectId: string) => void;
}

/** Finds a run of a person's schedule by the ids in a path. @throws TrellisError 404 */
export function createFindRun({ schedules, runs }: Pick<RunRoutesDependencies, 'schedules' | 'runs'>) {
  const find = createFindSchedule(schedules);
  return async (request: Pick<RouteRequest, 'scope' | 'params'>): Promise<Run> => {
    const schedule = await find(request);
    const run = await runs.byId(request.params.runId ?? '');
    if (run?.scheduleId !== schedule.id) throw scheduleErrors.create('SCHEDULE_RUN_NOT_FOUND');
    return run;
  };
}

/** Lists runs of schedules with their results, and starts or cancels one. */
export function runRoutes(ctx: ServerPluginContext, deps: RunRoutesDependencies): readonly RouteDefinition[] {
  const { schedules, runs, scheduler, clock, changed } = deps;
  const find = createFindSchedule(schedules);
  const findRun = createFindRun(deps);

  /** The file of a run; if it was moved to another storage meanwhile, it is read there. */
  async function openFile(request: RouteRequest) {
    const files = ctx.get(FilesToken);
    const opened = await readHeld(
      async () => (await findRun(request)).file,
      async (file) => ({ file, body: await files.read(file.ref, { signal: request.signal }) }),
    );
    if (opened === undefined) throw scheduleErrors.create('SCHEDULE_FILE_GONE');
    return opened;
  }

  return [
    defineRoute<Record<string, string>, LogQuery>({
      method: 'GET',
      path: `${path}/runs`,
      permission: 'scheduleList',
      object: ofProject,
      summary: 'List the runs of a schedule, the newest first',
      schemas: { query: logQuerySchema },
      async handle(request): Promise<Page<RunEntity>> {
        const schedule = await find(request as never);
        const page = logPageOf(request.query);
        const { list, total } = await runs.log(schedule.id, page);
        return { list: list.map(toRunEntity), pageInfo: toPageInfo(page, total) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/run`,
      permission: 'scheduleRun',
      object: ofProject,
      bodyKind: 'none',
      summary: 'Run a schedule now, with the rights of whoever set it; where a run goes on, after that one',
      handle: async (request) => toRunEntity(await scheduler.runNow(await find(request))),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/runs/:runId/cancel`,
      permission: 'scheduleRun',
      object: ofProject,
      bodyKind: 'none',
      summary: 'Cancel a run that waits or goes on',
      async handle(request) {
        const { id } = await findRun(request);
        const run = await runs.change(id, (now) => {
          if (now.state === 'waiting' && now.handedAt === 0) return cancelled(now, clock.now());
          return now.state === 'waiting' || now.state === 'running' ? { cancelling: true } : undefined;
        });
        if (run === undefined) throw scheduleErrors.create('SCHEDULE_ENDED');
        if (run.cancelling && run.taskId !== undefined)
          await ctx.get(TasksToken).cancel(request.scope, run.taskId);
        changed(run.projectId);
        await scheduler.look();
        return toRunEntity((await runs.byId(id)) ?? run);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/runs/:runId/file`,
      permission: 'scheduleList',
      object: ofProject,
      summary: 'Download the file that a run made; with the rights to see schedules, whatever its rows are',
      async handle(request) {
        const { file, body } = await openFile(request);
        const name = encodeURIComponent(file.name);
        return new RouteAnswer({
          body,
          headers: {
            'content-type': file.type,
            'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
          },
        });
      },
    }),
  ];
}
