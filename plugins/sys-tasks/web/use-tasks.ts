import type { TaskEntity } from '@trellis/sdk/shared';
import { useHost, useServerData } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';

interface TaskList {
  readonly list: readonly TaskEntity[];
}

const tag = 'tasks';

export function isFinished({ state }: TaskEntity): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Successful schema changes are visible in the table, and plugins report quiet tasks themselves. */
function isShown(task: TaskEntity): boolean {
  if (task.is_quiet === true && (task.state === 'done' || task.state === 'cancelled')) return false;
  return !(task.kind.startsWith('schema.') && task.state === 'done');
}

/** Merges the server's list with later events: the newer state of each task, unfinished ones first. */
function merged(listed: readonly TaskEntity[], told: ReadonlyMap<string, TaskEntity>): readonly TaskEntity[] {
  const newest = new Map(listed.map((task) => [task.id, task]));
  for (const task of told.values()) {
    const known = newest.get(task.id);
    if (known === undefined || (!isFinished(known) && task.updated_at >= known.updated_at))
      newest.set(task.id, task);
  }
  return [...newest.values()]
    .filter(isShown)
    .toSorted(
      (a, b) => Number(isFinished(a)) - Number(isFinished(b)) || b.updated_at.localeCompare(a.updated_at),
    );
}

/** A project's current tasks; another project needs another component instance. */
export function useTasks(projectId: string) {
  const { live, invalidate } = useHost();
  const { data, error, isLoading, refetch } = useServerData<TaskList>(
    { path: '/api/v1/tasks', query: { project: projectId } },
    { tags: [tag] },
  );
  const [told, setTold] = useState<ReadonlyMap<string, TaskEntity>>(new Map());

  useEffect(() => {
    const subscription = live.onEvent((event) => {
      if (event.kind !== 'task' || event.projectId !== projectId) return;
      setTold((former) => new Map(former).set(event.task.id, event.task));
      // The list contains more about an ended task, so it is read again.
      if (isFinished(event.task)) invalidate([tag]);
    });
    return () => subscription.dispose();
  }, [live, invalidate, projectId]);

  return { list: merged(data?.list ?? [], told), error, isLoading, refetch };
}
