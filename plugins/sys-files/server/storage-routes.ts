import {
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  TasksToken,
  type AccessScope,
  type AuditText,
  type PluginKeyValue,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError, type JsonSchema, type TaskEntity } from '@trellis/sdk/shared';
import { moveKind, storageObjectKind, type MoveInput, type StorageAnswer } from '../shared/index.ts';
import { storageErrors, type Storages } from './storages.ts';

const path = '/api/v1/storage';
const place: JsonSchema = { type: 'string', minLength: 1, maxLength: 100 };
const moveKey = 'move';

/** List the storages, choose the one for new files, and move files between them. */
export function storageRoutes(ctx: ServerPluginContext, storages: Storages): readonly RouteDefinition[] {
  const tasks = ctx.get(TasksToken);
  const audit = ctx.get(AuditLogToken);
  const bus = ctx.get(BusToken);
  const { kv } = ctx;

  /** Records an action in the audit log, and informs open pages. */
  async function note({ principal, ip, id: requestId }: RouteRequest, description: AuditText): Promise<void> {
    await audit.record({ type: 'META', subType: 'UPDATED', principal, ip, description });
    bus.publish('objects.changed', { projectId: '', objectKind: storageObjectKind, requestId });
  }

  async function lastMove(scope: AccessScope): Promise<TaskEntity | null> {
    const id = await moveOf(kv);
    if (id === undefined) return null;
    try {
      return await tasks.get(scope, id);
    } catch (error) {
      // Tasks that ended long ago are deleted.
      if (error instanceof TrellisError && error.code === 'TASK_NOT_FOUND') return null;
      throw error;
    }
  }

  async function answer(scope: AccessScope): Promise<StorageAnswer> {
    return { list: await storages.list(), move: await lastMove(scope) };
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'storageRead',
      summary: 'List the storages with what they keep, and the move that is under way or ended last',
      handle: ({ scope }) => answer(scope),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly place: string }>({
      method: 'PUT',
      path: `${path}/default`,
      permission: 'storageUpdate',
      summary: 'Have new files kept in a storage; those that are there stay where they are',
      unknownKeys: 'refuse',
      schemas: { body: { type: 'object', required: ['place'], properties: { place } } },
      async handle(request) {
        await storages.choose(request.body.place);
        const of = { person: request.principal.email, place: request.body.place };
        await note(request, auditText('{{person}} has new files kept in {{place}}', of));
        return answer(request.scope);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MoveInput>({
      method: 'POST',
      path: `${path}/moves`,
      permission: 'storageUpdate',
      summary: 'Have new files kept in a storage, and those of another one moved there',
      unknownKeys: 'refuse',
      schemas: { body: { type: 'object', required: ['from', 'to'], properties: { from: place, to: place } } },
      async handle(request) {
        const { scope, body } = request;
        if (body.from === body.to) throw storageErrors.create('STORAGE_SAME');
        const [from, to] = [storages.ready(body.from), storages.ready(body.to)];
        // If two begin at the same time, each file is still moved only once.
        const last = await lastMove(scope);
        if (last?.finished_at === null) throw storageErrors.create('STORAGE_MOVING');
        await storages.choose(to.id);
        const title = `Files: ${from.label} → ${to.label}`;
        const task = await tasks.start(scope, {
          kind: moveKind,
          title,
          payload: { from: from.id, to: to.id },
        });
        await kv.set(moveKey, task.id);
        const of = { person: request.principal.email, from: from.label, to: to.label };
        await note(request, auditText('{{person}} moves the files of {{from}} to {{to}}', of));
        return task;
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/moves/cancel`,
      permission: 'storageUpdate',
      bodyKind: 'none',
      summary: 'End the move that is under way; files that were moved stay where they are then',
      async handle({ scope }) {
        const id = await moveOf(kv);
        if (id !== undefined) await tasks.cancel(scope, id);
        return answer(scope);
      },
    }),
  ];
}

function moveOf(kv: PluginKeyValue): Promise<string | undefined> {
  return kv.get<string>(moveKey);
}
