import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';

/** How far the columns are changed into what they fall back to. */
export interface ReleaseProgress {
  readonly done: number;
  readonly total: number;
}

/** Removes a plugin: its columns one by one, so that it can be stopped between two of them, and then the plugin. */
export function useRemoval(plugin: PluginEntity, onRemoved: () => void) {
  const { api, t, toast, invalidate } = useHost();
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}`;
  const { data, error, refetch } = useServerData<PluginRemovalPlan>(
    { path: `${path}/removal` },
    { tags: ['plugins'] },
  );
  const [progress, setProgress] = useState<ReleaseProgress>();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const wantsOn = useRef(true);
  useEffect(() => {
    wantsOn.current = true;
    return () => {
      wantsOn.current = false;
    };
  }, []);

  /** @returns whether it came to the end. */
  async function release(total: number): Promise<boolean> {
    for (let left = total; left > 0;) {
      if (!wantsOn.current) return false;
      setProgress({ done: total - left, total });
      ({ left } = await api.request<{ left: number }>({ method: 'POST', path: `${path}/release-column` }));
    }
    return true;
  }

  async function remove(
    plan: PluginRemovalPlan,
    options: { keepData: boolean; leaveColumns: boolean },
  ): Promise<void> {
    wantsOn.current = true;
    setIsBusy(true);
    setProblem(undefined);
    try {
      if (!options.leaveColumns && !(await release(plan.columns.length))) return;
      const body = { cascade: plan.dependents, ...options };
      await api.request({ method: 'POST', path: `${path}/remove`, body });
      toast({ severity: 'success', summary: t('{{name}} is removed', { name: plugin.name }) });
      onRemoved();
    } catch (failure) {
      setProblem(messageOfError(failure, t));
    } finally {
      setProgress(undefined);
      setIsBusy(false);
      invalidate(['plugins']);
    }
  }

  return {
    plan: data,
    error,
    refetch,
    progress,
    isBusy,
    problem,
    remove,
    /** What was changed so far stays changed, and the plugin stays. */
    stop: () => {
      wantsOn.current = false;
    },
    download: () => api.download({ path: `${path}/data` }, `${plugin.id}-data.json`),
  };
}
