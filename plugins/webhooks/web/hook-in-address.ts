import type { TableEntity } from '@trellis/sdk/shared';
import { useShell, type OpenRequests } from '@trellis/sdk/web';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { hookParam } from '../shared/notices.ts';

/** A webhook that an address names. */
export interface NamedHook {
  readonly table: TableEntity;
  readonly hookId: string;
}

/**
 * Opens the webhook that the address names when its table is open. The parameter is then removed, because the dialog may be closed.
 */
export function useHookInAddress(requests: OpenRequests<NamedHook>): void {
  const { table } = useShell().context;
  const [params, setParams] = useSearchParams();
  const hookId = params.get(hookParam);
  const isThere = table !== undefined && table.id === params.get('dbalias');
  useEffect(() => {
    if (hookId === null || table === undefined || !isThere) return;
    requests.open({ table, hookId });
    setParams(
      (before) => {
        before.delete(hookParam);
        return before;
      },
      { replace: true },
    );
  }, [requests, hookId, table, isThere, setParams]);
}
