import { messageOfError, useHost, type Translate } from '@trellis/sdk/web';
import { Notice, Progress } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { changeKinds, changeTitle, readChangeTitle, type StoreTask } from '../shared/index.ts';
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
            <strong>{titleOf(task, t)}</strong> – {task.error}
          </p>
        </Notice>
      ))}
    </>
  );
}

function RunningTask({ task }: { readonly task: StoreTask }) {
  const { t } = useHost();
  return (
    <li className="store-task">
      <div>
        <strong>{titleOf(task, t)}</strong>
        {task.created_by !== '' && <span className="tr-note">{task.created_by}</span>}
      </div>
      <TaskSteps task={task} />
    </li>
  );
}

/** What a task is called in the language of the page. */
function titleOf({ kind, title }: StoreTask, t: Translate): string {
  const read = readChangeTitle(kind, title);
  return read === undefined ? title : t(read.words, { plugin: read.plugin });
}

/** The change of this plugin that the dialog around has asked for, once the server has begun it. */
export function OwnTask(props: {
  readonly kind: keyof typeof changeKinds;
  /** The plugin as its manifest calls it, with the version that is brought. */
  readonly plugin: string;
}) {
  const { kind, plugin } = props;
  const title = changeTitle(kind, plugin);
  const task = useStoreTasks().find(
    (of) => isUnderWay(of) && of.kind === changeKinds[kind] && of.title === title,
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
      <Progress label={titleOf(task, t)} value={share} text={text} />
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
      aria-label={t('Cancel {{title}}', { title: titleOf(task, t) })}
      onClick={() => isAsking || void cancel()}
    >
      {t('Cancel')}
    </button>
  );
}
