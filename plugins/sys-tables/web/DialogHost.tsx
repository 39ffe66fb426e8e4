import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react';
import type { DialogRequests } from './dialog-requests.ts';

const CreateTableDialog = lazy(() => import('./CreateTableDialog.tsx'));
const ColumnPanel = lazy(() => import('./ColumnPanel.tsx'));

/** Draws the dialog that is asked for. */
export function createDialogHost(requests: DialogRequests): ComponentType {
  return function DialogHost() {
    const request = useSyncExternalStore(requests.subscribe, () => requests.current);
    if (request === undefined) return null;
    return (
      <Suspense>
        {request.kind === 'createTable' ? (
          <CreateTableDialog project={request.project} onClose={requests.close} />
        ) : (
          <ColumnPanel key={request.column?.id ?? 'new'} {...request} onClose={requests.close} />
        )}
      </Suspense>
    );
  };
}
