import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { ApiError, messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { useState } from 'react';
import type { ColumnFailure } from '../shared/index.ts';
import { toastSubject, useNameOf } from './plugin-words.ts';

/** Removes a plugin: a task of the server changes its columns one by one and then takes the plugin away. */
export function useRemoval(plugin: PluginEntity, onRemoved: () => void) {
  const { api, t, toast, invalidate } = useHost();
  const nameOf = useNameOf();
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}`;
  const { data, error, refetch } = useServerData<PluginRemovalPlan>(
    { path: `${path}/removal` },
    { tags: ['plugins'] },
  );
  const [isBusy, setIsBusy] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [failures, setFailures] = useState<readonly ColumnFailure[]>([]);

  async function remove(
    plan: PluginRemovalPlan,
    options: { keepData: boolean; leaveColumns: boolean },
  ): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    setFailures([]);
    try {
      const releaseColumns = plan.columns.length > 0 && !options.leaveColumns;
      const body = { cascade: plan.dependents, ...options, ...(releaseColumns && { releaseColumns }) };
      await api.request({ method: 'POST', path: `${path}/remove`, body });
      const summary = t('{{name}} is removed', { name: nameOf(plugin) });
      toast({ severity: 'success', summary, subject: toastSubject(plugin.id) });
      onRemoved();
    } catch (failure) {
      const stuck = failuresIn(failure);
      setFailures(stuck);
      setProblem(
        stuck.length === 0
          ? messageOfError(failure, t)
          : t('{{count}} columns could not be changed, so {{name}} stays.', {
              count: stuck.length,
              name: nameOf(plugin),
              one: '{{count}} column could not be changed, so {{name}} stays.',
            }),
      );
    } finally {
      setIsBusy(false);
      invalidate(['plugins']);
    }
  }

  /** Whoever removes the plugin next must know when that was not possible. */
  async function download(): Promise<void> {
    setIsSaving(true);
    setProblem(undefined);
    try {
      await api.download({ path: `${path}/data` }, `${plugin.id}-data.json`);
    } catch (failure) {
      setProblem(t('Its data could not be saved: {{reason}}', { reason: messageOfError(failure, t) }));
    } finally {
      setIsSaving(false);
    }
  }

  return {
    plan: data,
    error,
    refetch,
    isBusy,
    problem,
    failures,
    remove,
    isSaving,
    download,
  };
}

/** The columns that could not be changed, where an error tells of them. */
function failuresIn(error: unknown): readonly ColumnFailure[] {
  const { failures } = error instanceof ApiError ? error.params : {};
  return Array.isArray(failures) ? (failures as readonly ColumnFailure[]) : [];
}
