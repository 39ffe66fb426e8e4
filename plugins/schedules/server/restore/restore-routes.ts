import { Readable } from 'node:stream';
import {
  AccessServiceToken,
  defineRoute,
  FilesToken,
  RateLimiterToken,
  SchemaStoreToken,
  TasksToken,
  type Principal,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { TaskEntity, TaskProgress } from '@trellis/sdk/shared';
import type { RestoreEntity } from '../../shared/index.ts';
import type { Run } from '../run-store.ts';
import { restoreErrors, scheduleErrors } from '../schedule-errors.ts';
import { ofProject, schedulesPath } from '../schedule-routes.ts';
import { openArchive, type KeptFile } from './open-archive.ts';
import { restoreKind } from './restore-kind.ts';
import type { Restore, RestoreStore } from './restore-store.ts';
import { Turns } from './turns.ts';

const path = 'restores';
/** The most bytes of an uploaded backup. */
const largest = 4 * 1024 * 1024 * 1024;
const mostReady = 5;
/** Limits the backups that one person has read: they may be large, and each is read to its end to find out what it contains. */
const readings = { name: 'restore-readings', limit: 60, windowSeconds: 600 };
const longestTitle = 50;

interface RestoreRoutesDependencies {
  readonly restores: RestoreStore;
  readonly findRun: (request: Pick<RouteRequest, 'scope' | 'params'>) => Promise<Run>;
  /** Removes the files that nothing references any more. */
  readonly removeFiles: (refs: readonly string[]) => Promise<void>;
}

type NoQuery = Record<string, unknown>;

const many = () => restoreErrors.create('RESTORE_MANY', { most: mostReady });

/** Creates projects from backups: those stored with runs, and uploaded ones. */
export function restoreRoutes(
  ctx: ServerPluginContext,
  { restores, findRun, removeFiles }: RestoreRoutesDependencies,
): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const limiter = ctx.get(RateLimiterToken);

  /** The content being read is in memory, so each person has one archive read at a time. */
  const turns = new Turns();

  /** @throws TrellisError if the file is no backup that this server can read. */
  async function aboutOf(file: KeptFile, signal: AbortSignal): Promise<RestoreEntity['about']> {
    signal.throwIfAborted();
    const open = await openArchive(ctx.get(FilesToken), file, signal);
    open.close();
    const { project, madeAt, tables, files } = open.contents;
    const listed = tables.filter(({ junction }) => !junction);
    return {
      title: project.title.trim().slice(0, longestTitle),
      made_at: madeAt.slice(0, 40),
      tables: listed.length,
      rows: listed.reduce((sum, { rows }) => sum + rows.count, 0),
      files: files.size,
    };
  }

  async function find({ principal, params }: Pick<RouteRequest, 'principal' | 'params'>): Promise<Restore> {
    const restore = await restores.byId(params.restoreId ?? '');
    if (restore === undefined || restore.accountId !== principal.id)
      throw restoreErrors.create('RESTORE_NOT_FOUND');
    return restore;
  }

  async function progressOf(of: Restore, principal: Principal, id: string): Promise<TaskProgress | null> {
    if (of.state !== 'running' || of.projectId === undefined || of.taskId === undefined) return null;
    const scope = await access.scopeFor(principal, of.projectId, id);
    return (await ctx.get(TasksToken).get(scope, of.taskId)).progress;
  }

  async function entityOf(
    of: Restore,
    { principal, id }: Pick<RouteRequest, 'principal' | 'id'>,
  ): Promise<RestoreEntity> {
    return {
      id: of.id,
      state: of.state,
      about: of.about,
      project_id: of.projectId ?? null,
      progress: await progressOf(of, principal, id),
      message: of.message ?? null,
      notes: of.notes,
    };
  }

  async function assertFew({ id }: Principal): Promise<void> {
    if ((await restores.ready(id)) >= mostReady) throw many();
  }

  async function add(of: Parameters<RestoreStore['add']>[0]): Promise<Restore> {
    const made = await restores.add(of, mostReady);
    if (made === undefined) throw many();
    return made;
  }

  /** The uploads of each account that are not ready yet. */
  const coming = new Map<string, number>();

  /** Reserves a place for a backup while it is uploaded, so that concurrent uploads cannot exceed the limit together. */
  async function inPlace<Made>({ id }: Principal, take: () => Promise<Made>): Promise<Made> {
    const place = (coming.get(id) ?? 0) + 1;
    coming.set(id, place);
    try {
      if ((await restores.ready(id)) + place > mostReady) throw many();
      return await take();
    } finally {
      const left = (coming.get(id) ?? 1) - 1;
      if (left > 0) coming.set(id, left);
      else coming.delete(id);
    }
  }

  return [
    defineRoute({
      method: 'POST',
      path,
      permission: 'projectCreate',
      summary: 'Send a backup of a project; the answer says what is in it',
      bodyKind: 'raw',
      bodyLimit: largest,
      // The body is read while the handler runs.
      seconds: 600,
      async willReadBody({ principal }) {
        await assertFew(principal);
        await limiter.consume(readings, principal.id);
      },
      handle: (request) =>
        inPlace(request.principal, async () => {
          const { stream = Readable.from([]), signal, principal } = request;
          const facts = { name: 'backup.zip', type: 'application/zip' };
          const { ref, size } = await ctx.get(FilesToken).put(stream, facts, { limit: largest, signal });
          try {
            const file = { ref, size };
            const about = await turns.take(principal.id, () => aboutOf(file, signal));
            // Without an answer, nobody would learn its id.
            signal.throwIfAborted();
            const made = await add({ accountId: principal.id, file, about });
            if (!signal.aborted) return await entityOf(made, request);
            await restores.remove(made.id);
            throw signal.reason;
          } catch (error) {
            await removeFiles([ref]);
            throw error;
          }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${schedulesPath}/:scheduleId/runs/:runId/restore`,
      permission: 'scheduleList',
      object: ofProject,
      bodyKind: 'none',
      summary: 'Make the backup that a run kept ready to be restored; the answer says what is in it',
      async handle(request) {
        const { id: runId, file } = await findRun(request);
        if (file === undefined) throw scheduleErrors.create('SCHEDULE_FILE_GONE');
        const kept = { ref: file.ref, size: file.size };
        const { principal, signal } = request;
        return inPlace(principal, async () => {
          await limiter.consume(readings, principal.id);
          const about = await turns.take(principal.id, () => aboutOf(kept, signal));
          const made = { accountId: principal.id, file: kept, about, runId };
          return entityOf(await add(made), request);
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:restoreId`,
      permission: 'projectCreate',
      summary: 'Read how far the restore of a backup is',
      handle: async (request) => entityOf(await find(request), request),
    }),
    defineRoute<Record<string, string>, NoQuery, { readonly title: string }>({
      method: 'POST',
      path: `${path}/:restoreId/start`,
      permission: 'projectCreate',
      summary: 'Restore a backup as a new project of the caller',
      schemas: {
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string', maxLength: 200 } },
        },
      },
      async handle(request) {
        const of = await find(request as never);
        const title = request.body.title.trim();
        if (title === '') throw restoreErrors.create('RESTORE_TITLE');
        if (of.state !== 'ready') throw restoreErrors.create('RESTORE_BEGUN');
        const project = await schema.createProject(request.scope, { title });
        const scope = await access.scopeFor(request.principal, project.id, request.id);
        let task: Pick<TaskEntity, 'id'> | undefined;
        try {
          task = await ctx.get(TasksToken).start(scope, {
            kind: restoreKind,
            title: `Restore of ${of.about.title}`,
            payload: { restoreId: of.id },
          });
          if (!(await restores.begin(of.id, { projectId: project.id, taskId: task.id }))) {
            await find(request as never);
            throw restoreErrors.create('RESTORE_BEGUN');
          }
        } catch (error) {
          if (task !== undefined) await ctx.get(TasksToken).cancel(scope, task.id);
          await schema.deleteProject(scope);
          throw error;
        }
        return entityOf(await find(request as never), request as never);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:restoreId/cancel`,
      permission: 'projectCreate',
      bodyKind: 'none',
      summary: 'Stop the restore of a backup; the project that it began is deleted',
      async handle(request) {
        const of = await find(request);
        if (of.state === 'running' && of.projectId !== undefined && of.taskId !== undefined) {
          const scope = await access.scopeFor(request.principal, of.projectId, request.id);
          await ctx.get(TasksToken).cancel(scope, of.taskId);
        }
        return entityOf(await find(request), request);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:restoreId`,
      permission: 'projectCreate',
      summary: 'Remove a backup that is not being restored; one that a run kept stays with the run',
      async handle(request) {
        const of = await find(request);
        const removed = await restores.remove(of.id);
        if (removed === undefined) {
          await find(request);
          throw restoreErrors.create('RESTORE_BEGUN');
        }
        await removeFiles([removed.file.ref]);
        return true;
      },
    }),
  ];
}
