import { messageOfError, useHost } from '@trellis/sdk/web';
import { Notice, Progress } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { changeKinds, type StoreTask } from '../shared/index.ts';
import { isUnderWay, useStoreTasks } from './use-store-tasks.ts';

/** What is being installed, changed and removed, whoever asked for it, and what of it failed lately. */
export function StoreTasks() {
  const tasks = useStoreTasks();
  const { t } = useHost();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const running = tasks.filter(isUnderWay);
  const failed = tasks.filter((task) => !isUnderWay(task) && !seen.has(task.id));
  return (
    <>
      {running.length > 0 && (
        <ul className="store-tasks" aria-label={t('What is under way')}>
          {running.map((task) => (
            <RunningTask key={task.id} task={task} />
          ))}
        </ul>
      )}
      {failed.map((task) => (
        <Notice
          key={task.id}
          severity="error"
          role="status"
          onClose={() => setSeen((before) => new Set(before).add(task.id))}
        >
          <p>
            <strong>{task.title}</strong> – {task.error}
          </p>
        </Notice>
      ))}
    </>
  );
}

function RunningTask({ task }: { readonly task: StoreTask }) {
  return (
    <li className="store-task">
      <div>
        <strong>{task.title}</strong>
        {task.created_by !== '' && <span className="tr-note">{task.created_by}</span>}
      </div>
      <TaskSteps task={task} />
    </li>
  );
}

/** The change of this plugin that the dialog around has asked for, once the server has begun it. */
export function OwnTask(props: { readonly kind: keyof typeof changeKinds; readonly name: string }) {
  const task = useStoreTasks().find(
    (of) => isUnderWay(of) && of.kind === changeKinds[props.kind] && of.title.includes(props.name),
  );
  return task === undefined ? undefined : <TaskSteps task={task} />;
}

/** How far a task is, and a way to cancel it as long as there is one. */
function TaskSteps({ task }: { readonly task: StoreTask }) {
  const { t } = useHost();
  const { done, total, note } = task.progress;
  const text = task.is_cancelling ? t('Cancelling') : t(note ?? 'Waiting for its turn');
  const share = total === undefined ? undefined : Math.round((done / total) * 100);
  return (
    <div className="store-steps">
      <p role="status">{text}…</p>
      <Progress label={task.title} value={share} text={text} />
      {task.can_stop && <CancelButton task={task} />}
    </div>
  );
}

function CancelButton({ task }: { readonly task: StoreTask }) {
  const { api, t, toast, invalidate } = useHost();
  const [isAsking, setIsAsking] = useState(false);

  async function cancel(): Promise<void> {
    setIsAsking(true);
    try {
      const path = `/api/v1/app-store/tasks/${encodeURIComponent(task.id)}/cancel`;
      await api.request({ method: 'POST', path });
    } catch (error) {
      toast({
        severity: 'error',
        summary: t('It could not be cancelled'),
        detail: messageOfError(error, t),
      });
    } finally {
      setIsAsking(false);
      invalidate(['store-tasks']);
    }
  }

  return (
    <button
      type="button"
      className="tr-button"
      aria-disabled={isAsking}
      aria-label={t('Cancel {{title}}', { title: task.title })}
      onClick={() => isAsking || void cancel()}
    >
      {t('Cancel')}
    </button>
  );
}
