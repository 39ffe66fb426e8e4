import { useSession, useShell, useTable } from '@trellis/sdk/web';
import { lazy, Suspense, useEffect, useSyncExternalStore, type ComponentType } from 'react';
import { nameOfRow, type PanelRequests, type RowRequest } from './panel-requests.ts';
import { useRowInAddress } from './row-link.ts';

const RowPanel = lazy(() => import('./RowPanel.tsx'));

/** Draws the requested row. */
export function createRowPanelHost(requests: PanelRequests): ComponentType {
  return function RowPanelHost() {
    const request = useSyncExternalStore(requests.subscribe, () => requests.current);
    useRowInAddress(requests);
    const session = useSession();
    const userId = session.user?.id;
    // Another person must not see what was opened before.
    useEffect(() => requests.drop, [userId]);
    return request === undefined ? null : <OpenPanel request={request} requests={requests} />;
  };
}

function OpenPanel({
  request,
  requests,
}: {
  readonly request: RowRequest;
  readonly requests: PanelRequests;
}) {
  const { context, activeTab } = useShell();
  const { id } = request.table;
  // Reads the current table, because its columns may have changed since the row was opened.
  const { data } = useTable(id);
  // On another project, table or page, the panel is hidden with its edits, and shown again on return. A row of a linked table
  // belongs to the page on which it was opened.
  const home = requests.first?.openedFrom ?? requests.first?.table.id ?? id;
  const isAway =
    context.project?.id !== request.project.id ||
    (context.table !== undefined && context.table.id !== home) ||
    (activeTab !== undefined && activeTab.type !== 'table');
  return (
    <Suspense>
      <RowPanel
        key={nameOfRow(request)}
        request={{ ...request, table: data?.id === id ? data : request.table }}
        isHidden={isAway}
        guard={requests.guard}
        onMove={(rowKey) => requests.move({ ...request, rowKey, isLinked: false })}
        onPane={requests.showPane}
        onBack={requests.isDeep ? requests.back : undefined}
        onClose={requests.close}
      />
    </Suspense>
  );
}
