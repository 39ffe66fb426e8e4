import type { TaskEntity } from '@trellis/sdk/shared';
import { messageOfError, useApi, useHost, useT } from '@trellis/sdk/web';
import { pageLanguage, Progress } from '@trellis/sdk/web/ui';
import { useState } from 'react';

const words = {
  waiting: 'Waiting for its turn',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const;

const icons = {
  waiting: 'pi-clock',
  running: 'pi-spin pi-spinner',
  done: 'pi-check-circle',
  failed: 'pi-exclamation-circle',
  cancelled: 'pi-ban',
} as const;

/** One task: its kind, its progress, and a button to stop it. */
export function TaskCard({ task }: { readonly task: TaskEntity }) {
  const t = useT();
  const state = task.is_cancelling ? t('Cancelling') : t(words[task.state]);
  const { note } = task.progress;
  return (
    <li className="task" data-state={task.state}>
      <i className={`pi ${icons[task.state]} task-icon`} aria-hidden="true" />
      <div className="task-body">
        <strong className="task-title" title={task.title}>
          {task.title}
        </strong>
        {task.state === 'running' && <TaskProgressBar task={task} />}
        {task.error === null ? (
          <span className="task-note">{[state, note].filter(Boolean).join(' · ')}</span>
        ) : (
          <span className="task-error" role="alert">
            {task.error}
          </span>
        )}
        <span className="task-note">
          {task.created_by !== '' && <span className="task-author">{task.created_by}</span>}
          <time dateTime={isoTime(task.finished_at ?? task.created_at)}>
            {localTime(task.finished_at ?? task.created_at)}
          </time>
        </span>
      </div>
      {task.is_cancellable && <CancelButton task={task} />}
    </li>
  );
}

function TaskProgressBar({ task }: { readonly task: TaskEntity }) {
  const t = useT();
  const { done, total } = task.progress;
  const isKnown = total !== undefined && total > 0;
  const share = isKnown ? Math.min(100, Math.round((done / total) * 100)) : undefined;
  const text = isKnown
    ? t('{{done}} of {{total}}', { done: asNumber(done), total: asNumber(total) })
    : done > 0
      ? asNumber(done)
      : '';
  return (
    <div className="task-progress">
      <Progress label={task.title} value={share} text={text === '' ? undefined : text} />
      {text !== '' && <span className="task-note">{text}</span>}
    </div>
  );
}

function CancelButton({ task }: { readonly task: TaskEntity }) {
  const t = useT();
  const api = useApi();
  const { toast } = useHost();
  const [isAsking, setAsking] = useState(false);

  async function cancel() {
    setAsking(true);
    try {
      await api.request({ method: 'POST', path: `/api/v1/tasks/${encodeURIComponent(task.id)}/cancel` });
    } catch (error) {
      toast({
        severity: 'error',
        summary: t('The task could not be cancelled'),
        detail: messageOfError(error, t),
      });
    } finally {
      setAsking(false);
    }
  }

  return (
    <button
      type="button"
      className="tr-button"
      disabled={isAsking || task.is_cancelling}
      aria-label={t('Cancel {{title}}', { title: task.title })}
      onClick={() => void cancel()}
    >
      {t('Cancel')}
    </button>
  );
}

const asNumber = (count: number) => count.toLocaleString(pageLanguage());

/** Converts the server's `YYYY-MM-DD HH:mm:ss` in UTC to ISO 8601. */
function isoTime(time: string): string {
  return `${time.replace(' ', 'T')}Z`;
}

function localTime(time: string): string {
  return new Date(isoTime(time)).toLocaleString(pageLanguage(), {
    dateStyle: 'short',
    timeStyle: 'short',
  });
}
