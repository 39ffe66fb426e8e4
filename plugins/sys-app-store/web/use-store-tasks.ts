import { useHost, useServerData } from '@trellis/sdk/web';
import { useEffect } from 'react';
import type { StoreTask, StoreTaskList } from '../shared/index.ts';

const tags = ['store-tasks'];
const none: readonly StoreTask[] = [];

/** What is being installed, changed and removed, by whomever. */
export function useStoreTasks(): readonly StoreTask[] {
  const { live, invalidate } = useHost();
  const { data } = useServerData<StoreTaskList>({ path: '/api/v1/app-store/tasks' }, { tags });

  useEffect(() => {
    const subscription = live.onEvent((event) => {
      // Tasks outside of projects; what may still be cancelled is the server's to say.
      if (event.kind === 'task' && event.projectId === '') invalidate(tags);
    });
    return () => subscription.dispose();
  }, [live, invalidate]);

  return data?.list ?? none;
}

export function isUnderWay({ state }: StoreTask): boolean {
  return state === 'waiting' || state === 'running';
}
