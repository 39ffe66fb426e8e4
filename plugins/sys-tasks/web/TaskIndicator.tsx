import { useShell, useT } from '@trellis/sdk/web';
import { ErrorNotice, PopoverButton, Skeleton } from '@trellis/sdk/web/ui';
import { TaskCard } from './TaskCard.tsx';
import { isFinished, useTasks } from './use-tasks.ts';

/** The number of running tasks in the open project; a click lists them. */
export default function TaskIndicator() {
  const { context } = useShell();
  return context.project === undefined ? null : (
    <ProjectTasks key={context.project.id} projectId={context.project.id} />
  );
}

function ProjectTasks({ projectId }: { readonly projectId: string }) {
  const t = useT();
  const tasks = useTasks(projectId);
  const running = tasks.list.filter((task) => !isFinished(task)).length;
  return (
    <PopoverButton
      icon={running > 0 ? 'spin pi-spinner' : 'list-check'}
      label={t('Background tasks')}
      description={
        running === 0
          ? undefined
          : t('Tasks: {{count}} running', { count: running, one: 'Tasks: {{count}} running' })
      }
      count={running}
      compact
    >
      {() => <TaskPanel {...tasks} />}
    </PopoverButton>
  );
}

/** The running and recently ended tasks. */
function TaskPanel({ list, error, isLoading, refetch }: ReturnType<typeof useTasks>) {
  const t = useT();
  if (list.length > 0) {
    return (
      <ul className="task-list">
        {list.map((task) => (
          <TaskCard key={task.id} task={task} />
        ))}
      </ul>
    );
  }
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (isLoading) return <Skeleton height={48} />;
  return (
    <p className="tr-note">{t('No task is running. Imports, exports and other long work appear here.')}</p>
  );
}
