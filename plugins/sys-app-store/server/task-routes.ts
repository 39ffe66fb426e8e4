import { defineRoute, TasksToken, type RouteDefinition, type ServerPluginContext } from '@trellis/sdk/server';
import { defineErrors, type TaskEntity } from '@trellis/sdk/shared';
import { stepWords, type StoreTask, type StoreTaskList } from '../shared/index.ts';
import { isStoreTask, shownTasks } from './shown-tasks.ts';

const taskErrors = defineErrors({
  PLUGIN_CHANGE_LATE: {
    status: 409,
    message: 'It is too late to cancel this: plugins are being changed, and it ends by itself soon.',
  },
});

const path = '/api/v1/app-store/tasks';
const harmless: readonly (string | undefined)[] = [undefined, stepWords.columns, stepWords.check];

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
        return { list: shownTasks(await tasks.list(scope)).map(toStoreTask) };
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
        if (!isStoreTask(task) || !canStop(task)) throw taskErrors.create('PLUGIN_CHANGE_LATE');
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
