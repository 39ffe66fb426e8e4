import type { PluginColumnUse, PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';

/** How far the columns are changed into what they fall back to. */
export interface ReleaseProgress {
  readonly done: number;
  readonly total: number;
}

/** A column that could not be changed, and why. */
export interface ColumnFailure {
  readonly column: PluginColumnUse;
  readonly reason: string;
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
  const [failures, setFailures] = useState<readonly ColumnFailure[]>([]);
  const wantsOn = useRef(true);
  useEffect(() => {
    wantsOn.current = true;
    return () => {
      wantsOn.current = false;
    };
  }, []);

  /** One that cannot be changed does not hold the others up. @returns whether all are changed. */
  async function release(columns: readonly PluginColumnUse[]): Promise<boolean> {
    const failed: ColumnFailure[] = [];
    for (const [done, column] of columns.entries()) {
      if (!wantsOn.current) return false;
      setProgress({ done, total: columns.length });
      try {
        const body = { column: column.id };
        await api.request({ method: 'POST', path: `${path}/release-column`, body });
      } catch (failure) {
        failed.push({ column, reason: messageOfError(failure, t) });
        setFailures([...failed]);
      }
    }
    if (failed.length > 0)
      setProblem(
        t('{{count}} columns could not be changed, so {{name}} stays.', {
          count: failed.length,
          name: plugin.name,
          one: '{{count}} column could not be changed, so {{name}} stays.',
        }),
      );
    return failed.length === 0;
  }

  async function remove(
    plan: PluginRemovalPlan,
    options: { keepData: boolean; leaveColumns: boolean },
  ): Promise<void> {
    wantsOn.current = true;
    setIsBusy(true);
    setProblem(undefined);
    setFailures([]);
    try {
      if (!options.leaveColumns && !(await release(plan.columns))) return;
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
    failures,
    remove,
    /** What was changed so far stays changed, and the plugin stays. */
    stop: () => {
      wantsOn.current = false;
    },
    download: () => api.download({ path: `${path}/data` }, `${plugin.id}-data.json`),
  };
}
