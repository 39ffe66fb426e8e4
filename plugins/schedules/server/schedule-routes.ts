import {
  AccountStoreToken,
  AuditLogToken,
  defineRoute,
  requireRevision,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
} from '@trellis/sdk/server';
import { nextRuns, type TimePlan } from '@trellis/sdk/shared';
import type { ActionEntity, ScheduleEntity, ScheduleInput } from '../shared/index.ts';
import type { ScheduleClock } from './clock.ts';
import { scheduleRevision, toActionEntity, toScheduleEntity } from './entities.ts';
import { nextOf } from './fire.ts';
import type { Standings } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { scheduleErrors } from './schedule-errors.ts';
import { createReadSchedule, readTime, scheduleBody, type ScheduleBody } from './schedule-input.ts';
import { newId, type Schedule, type ScheduleStore } from './schedule-store.ts';

type NoQuery = Record<string, unknown>;
type ScheduleRequest = RouteRequest<Record<string, string>, NoQuery, ScheduleBody>;

export const schedulesPath = 'projects/:projectId/schedules';
export const ofProject = { kind: 'project', param: 'projectId' } as const;
const most = 200;

export interface ScheduleRoutesDependencies {
  readonly schedules: ScheduleStore;
  readonly runs: RunStore;
  readonly standings: Standings;
  readonly clock: ScheduleClock;
  readonly changed: (projectId: string) => void;
  /** Removes the files of runs. */
  readonly removeFiles: (refs: readonly string[]) => Promise<void>;
}

/** Finds a person's schedule by the ids in a path. @throws TrellisError 404 */
export function createFindSchedule(schedules: ScheduleStore) {
  return async ({ scope, params }: Pick<RouteRequest, 'scope' | 'params'>): Promise<Schedule> => {
    const schedule = await schedules.byId(params.scheduleId ?? '');
    if (schedule === undefined || schedule.projectId !== scope.projectId || schedule.keptFor !== '')
      throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
    return schedule;
  };
}

/** List, create, change and delete the schedules of a project. */
export function scheduleRoutes(
  ctx: ServerPluginContext,
  deps: ScheduleRoutesDependencies,
): readonly RouteDefinition[] {
  const { schedules, runs, standings, clock, changed } = deps;
  const accounts = ctx.get(AccountStoreToken);
  const audit = ctx.get(AuditLogToken);
  const read = createReadSchedule(ctx);
  const find = createFindSchedule(schedules);

  async function entityOf(schedule: Schedule): Promise<ScheduleEntity> {
    const standing = schedule.paused === undefined ? await standings(schedule, 'schedules') : undefined;
    const reason = standing?.kind === 'off' || standing?.kind === 'paused' ? standing.reason : undefined;
    return toScheduleEntity(schedule, {
      now: clock.now(),
      owner: (await accounts.byId(schedule.owner.id))?.email ?? '',
      paused: schedule.paused ?? reason ?? null,
      lastRun: await runs.newest(schedule.id),
    });
  }

  async function record(
    { principal, ip }: Pick<RouteRequest, 'principal' | 'ip'>,
    { projectId, input }: Schedule,
    subType: 'CREATED' | 'UPDATED' | 'DELETED',
  ): Promise<void> {
    const { title } = input;
    const description = {
      CREATED: auditText('The schedule {{title}} was made', { title }),
      UPDATED: auditText('The schedule {{title}} was changed', { title }),
      DELETED: auditText('The schedule {{title}} was deleted', { title }),
    }[subType];
    await audit.record({ type: 'SCHEDULES', subType, principal, ip, projectId, description });
    changed(projectId);
  }

  async function make(request: ScheduleRequest): Promise<ScheduleEntity> {
    const { scope, principal, body } = request;
    const projectId = scope.projectId ?? '';
    if ((await schedules.ofProject(projectId)).length >= most)
      throw scheduleErrors.create('SCHEDULE_MANY', { most });
    const now = clock.now();
    const input = await read(scope, body);
    const schedule: Schedule = {
      id: newId('sc'),
      projectId,
      owner: principal,
      keptFor: '',
      input,
      active: body.active ?? true,
      paused: undefined,
      nextAt: nextOf({ input }, now) ?? 0,
      createdAt: now,
      updatedAt: now,
    };
    await schedules.add(schedule);
    await record(request, schedule, 'CREATED');
    return entityOf(schedule);
  }

  /** A person who changes what is done becomes the owner, so that nobody can use the rights of others. */
  async function change(request: ScheduleRequest): Promise<ScheduleEntity> {
    const { scope, principal, body } = request;
    const before = await find(request as never);
    const isSwitch = Object.keys(body).every((key) => key === 'active');
    const now = clock.now();
    const changedOne = await (isSwitch
      ? schedules.hold(before.id, (held) => ({
          ...switched(held, held.input, body.active ?? held.active),
          updatedAt: Math.max(now, held.updatedAt + 1),
        }))
      : changeAll());
    if (changedOne === undefined) throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
    await record(request, changedOne, 'UPDATED');
    return entityOf(changedOne);

    async function changeAll() {
      const input = await read(scope, body, before.input);
      return schedules.hold(before.id, (held) => {
        requireRevision(body.replaces, scheduleRevision(held));
        return {
          ...switched(held, input, body.active ?? held.active),
          owner: principal,
          input,
          updatedAt: Math.max(now, held.updatedAt + 1),
        };
      });
    }
  }

  /** Runs while the schedule was off are not missed, and a run that is due now stays due if its time is unchanged. */
  function switched(before: Schedule, input: ScheduleInput, active: boolean) {
    const { cron, time_zone } = before.input;
    const isSameTime = input.cron === cron && input.time_zone === time_zone;
    const goesOn = isSameTime && before.active && before.paused === undefined;
    const nextAt = goesOn ? before.nextAt : (nextOf({ input }, clock.now()) ?? before.nextAt);
    return { active, paused: undefined, nextAt };
  }

  return [
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/actions',
      permission: 'scheduleList',
      object: ofProject,
      summary: 'List what schedules of a project can do, with the settings of each',
      async handle(): Promise<{ readonly list: readonly ActionEntity[] }> {
        const offered = ctx.registry('scheduledActions').list();
        return { list: offered.filter(({ isOffered }) => isOffered !== false).map(toActionEntity) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: schedulesPath,
      permission: 'scheduleList',
      object: ofProject,
      summary: 'List the schedules of a project with their next runs and the last one',
      async handle({ scope }): Promise<{ readonly list: readonly ScheduleEntity[] }> {
        return { list: await Promise.all((await schedules.ofProject(scope.projectId ?? '')).map(entityOf)) };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, ScheduleBody>({
      method: 'POST',
      path: schedulesPath,
      permission: 'scheduleUpdate',
      object: ofProject,
      summary: 'Make a schedule; it runs with the rights of whoever makes it',
      schemas: { body: scheduleBody },
      handle: make,
    }),
    defineRoute({
      method: 'GET',
      path: `${schedulesPath}/:scheduleId`,
      permission: 'scheduleList',
      object: ofProject,
      summary: 'Read a schedule',
      handle: async (request) => entityOf(await find(request)),
    }),
    defineRoute<Record<string, string>, NoQuery, ScheduleBody>({
      method: 'PATCH',
      path: `${schedulesPath}/:scheduleId`,
      permission: 'scheduleUpdate',
      object: ofProject,
      summary:
        'Change a schedule, which then runs with the rights of whoever changed it; `active` alone switches it on or off and leaves that',
      schemas: { body: scheduleBody },
      handle: change,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${schedulesPath}/:scheduleId`,
      permission: 'scheduleUpdate',
      object: ofProject,
      summary: 'Delete a schedule with its log; a run that goes on is not stopped by it',
      async handle(request) {
        const schedule = await find(request);
        const files = await schedules.remove(schedule.id);
        if (files === undefined) throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
        await deps.removeFiles(files);
        await record(request, schedule, 'DELETED');
        return { msg: 'success' };
      },
    }),
    defineRoute<Record<string, string>, TimePlan>({
      method: 'GET',
      path: 'projects/:projectId/next-runs',
      permission: 'scheduleList',
      object: ofProject,
      summary: 'Say when a schedule would run next, without making one',
      schemas: {
        query: {
          type: 'object',
          required: ['cron', 'time_zone'],
          properties: {
            cron: { type: 'string', maxLength: 200 },
            time_zone: { type: 'string', maxLength: 100 },
          },
        },
      },
      async handle({ query }) {
        const { plan, zone } = readTime(query);
        const list = nextRuns(plan, zone, clock.now(), 5);
        return { list: list.map((at) => new Date(at).toISOString()) };
      },
    }),
  ];
}
