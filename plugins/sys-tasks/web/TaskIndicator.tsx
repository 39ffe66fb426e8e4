import { useShell, useT } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import { TaskCard } from './TaskCard.tsx';
import { isFinished, useTasks } from './use-tasks.ts';

/** How much goes on in the open project, and on a click what it is. */
export default function TaskIndicator() {
  const { context } = useShell();
  return context.project === undefined ? null : (
    <ProjectTasks key={context.project.id} projectId={context.project.id} />
  );
}

function ProjectTasks({ projectId }: { readonly projectId: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const tasks = useTasks(projectId);
  const running = tasks.list.filter((task) => !isFinished(task)).length;
  const label = running === 0 ? t('Tasks') : t('Tasks: {{count}} running', { count: running });
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const outside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && box.current?.contains(target) === false) setOpen(false);
    };
    window.addEventListener('pointerdown', outside, true);
    return () => window.removeEventListener('pointerdown', outside, true);
  }, [isOpen]);

  return (
    <div
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
        event.stopPropagation();
      }}
    >
      <button
        ref={button}
        type="button"
        className="tr-icon-button task-indicator"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <i className={running > 0 ? 'pi pi-spin pi-spinner' : 'pi pi-list-check'} aria-hidden="true" />
        {running > 0 && (
          <span className="task-count" aria-hidden="true">
            {running}
          </span>
        )}
      </button>
      {isOpen && <TaskPanel {...tasks} />}
    </div>
  );
}

/** What goes on and what ended lately. */
function TaskPanel({ list, error, isLoading, refetch }: ReturnType<typeof useTasks>) {
  const t = useT();
  return (
    <section className="task-panel" role="dialog" aria-label={t('Tasks')}>
      <h2>{t('Tasks')}</h2>
      {list.length > 0 ? (
        <ul className="task-list">
          {list.map((task) => (
            <TaskCard key={task.id} task={task} />
          ))}
        </ul>
      ) : error === undefined ? (
        <p className="task-empty">
          {isLoading
            ? t('Loading')
            : t('No task is running. Imports, exports and other long work appear here.')}
        </p>
      ) : (
        <p className="task-empty" role="alert">
          {error.message}{' '}
          <button type="button" className="tr-button" onClick={() => refetch()}>
            {t('Try again')}
          </button>
        </p>
      )}
    </section>
  );
}
