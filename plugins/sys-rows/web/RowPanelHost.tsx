import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import type { PanelRequests } from './panel-requests.ts';

const RowPanel = lazy(() => import('./RowPanel.tsx'));

/** Draws the row that is asked for. */
export function createRowPanelHost(requests: PanelRequests): ComponentType {
  return function RowPanelHost() {
    const request = useSyncExternalStore(requests.subscribe, () => requests.current);
    if (request === undefined) return null;
    return (
      <Suspense>
        <RowPanel
          key={`${request.table.id} ${request.rowKey}`}
          request={request}
          onMove={(rowKey) => requests.open({ ...request, rowKey })}
          onClose={requests.close}
        />
      </Suspense>
    );
  };
}
