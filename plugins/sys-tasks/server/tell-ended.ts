import { AccountStoreToken, BusToken, tellPerson, type ServerPluginContext } from '@trellis/sdk/server';
import type { TaskEntity } from '@trellis/sdk/shared';

/** Milliseconds for which a person waits in front of the page: longer tasks are announced when they end. */
const longWait = 60_000;

/** Tells people that their tasks failed, or ended after a long time; each server learns of it, but a person is told once. */
export function tellOfEnds(ctx: ServerPluginContext): void {
  const accounts = ctx.get(AccountStoreToken);

  async function tell(
    task: TaskEntity,
    accountId: string,
    kind: 'task-ended' | 'task-failed',
  ): Promise<void> {
    const account = await accounts.byId(accountId);
    if (account === undefined) return;
    const { title, error } = task;
    const subject = kind === 'task-failed' ? `The task ${title} failed` : `The task ${title} is done`;
    await tellPerson(ctx, {
      accountId: account.id,
      kind,
      projectId: task.project_id,
      title,
      ...(error !== null && { reason: { msg: error } }),
      about: task.id,
      actor: '',
      requestId: `task:${task.id}`,
      letter: { subject, paragraphs: [`${subject}.`, ...(error === null ? [] : [error])] },
    });
  }

  ctx.own(
    ctx.get(BusToken).subscribe('task.changed', {
      message: ({ task, accountId }) => {
        const kind = noticeOf(task);
        if (kind === undefined || accountId === '') return;
        tell(task, accountId, kind).catch((error: unknown) =>
          ctx.logger.warn('Nobody was told of the end of a task', { error, task: task.id }),
        );
      },
      // A person who missed it sees the task in the list.
      gap: () => undefined,
    }),
  );
}

/** The notice for a task; none for tasks of the server, which no page lists, and for those whose plugins send their own. */
function noticeOf({ state, project_id, is_quiet, created_at, finished_at }: TaskEntity) {
  if (project_id === '' || is_quiet === true) return undefined;
  if (state === 'failed') return 'task-failed';
  const took = Date.parse(finished_at ?? '') - Date.parse(created_at);
  return state === 'done' && took >= longWait ? 'task-ended' : undefined;
}
