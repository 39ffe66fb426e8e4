import type { ProjectEntity } from '@trellis/sdk/shared';
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AutomationEntity } from '../shared/index.ts';
import { logParam, placeInLog } from '../shared/notices.ts';
import { useAutomations } from './automation-requests.ts';

/** A log that an address opens, and its open run. */
export interface NamedLog {
  readonly automation: AutomationEntity;
  readonly runId: string | undefined;
}

/**
 * Opens the log that the address names. The parameters are then removed, because the log may be left.
 *
 * @param isBusy whether something is being edited that would be lost: the log is opened afterwards
 */
export function useRunInAddress(
  project: ProjectEntity,
  isBusy: boolean,
  open: (named: NamedLog) => void,
): void {
  const [params, setParams] = useSearchParams();
  const list = useAutomations(project).data?.list;
  const named = params.get(logParam);
  const show = useEffectEvent(open);
  useEffect(() => {
    if (named === null || list === undefined || isBusy) return;
    const { automationId, runId } = placeInLog(named);
    const automation = list.find(({ id }) => id === automationId);
    if (automation !== undefined) show({ automation, runId });
    setParams(
      (before) => {
        before.delete(logParam);
        return before;
      },
      { replace: true },
    );
  }, [named, list, isBusy, setParams]);
}
