import { defineRoute, TasksToken, type RouteDefinition, type ServerPluginContext } from '@trellis/sdk/server';
import { defineErrors, type TaskEntity } from '@trellis/sdk/shared';
import { changeKinds, stepWords, type StoreTask, type StoreTaskList } from '../shared/index.ts';

const taskErrors = defineErrors({
  PLUGIN_CHANGE_LATE: {
    status: 409,
    message: 'It is too late to cancel this: plugins are being changed, and it ends by itself soon.',
  },
});

const path = '/api/v1/app-store/tasks';
const kinds: readonly string[] = Object.values(changeKinds);
const harmless: readonly (string | undefined)[] = [undefined, stepWords.columns, stepWords.check];
/** Milliseconds for which a failure is listed. */
const rememberedMs = 60 * 60 * 1000;

/** Show what is being installed, changed and removed, and cancel it where everything can be as before. */
export function taskRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const tasks = ctx.get(TasksToken);

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'pluginInstall',
      summary:
        'List the installations, updates and removals that are under way, and those that failed lately',
      handle: async ({ scope }): Promise<StoreTaskList> => {
        const list = await tasks.list(scope);
        return { list: list.filter(isShown).map(toStoreTask) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:task/cancel`,
      permission: 'pluginInstall',
      bodyKind: 'none',
      summary: 'Cancel an installation, update or removal, as long as everything can be as before',
      handle: async ({ scope, params }): Promise<StoreTask> => {
        const task = await tasks.get(scope, params['task'] ?? '');
        if (!kinds.includes(task.kind) || !canStop(task)) throw taskErrors.create('PLUGIN_CHANGE_LATE');
        return toStoreTask(await tasks.cancel(scope, task.id));
      },
    }),
  ];
}

function canStop({ is_cancellable, is_cancelling, progress }: TaskEntity): boolean {
  return is_cancellable && !is_cancelling && harmless.includes(progress.note);
}

function toStoreTask(task: TaskEntity): StoreTask {
  return { ...task, can_stop: canStop(task) };
}

function isShown({ kind, state, finished_at }: TaskEntity): boolean {
  if (!kinds.includes(kind)) return false;
  if (state === 'waiting' || state === 'running') return true;
  const at = Date.parse(`${(finished_at ?? '').replace(' ', 'T')}Z`);
  return state === 'failed' && Date.now() - at < rememberedMs;
}
