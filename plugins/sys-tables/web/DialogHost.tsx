import { useShell } from '@trellis/sdk/web';
import { lazy, Suspense, useEffect, useSyncExternalStore, type ComponentType } from 'react';
import type { DialogRequests } from './dialog-requests.ts';

const dialogs = {
  createTable: () => import('./CreateTableDialog.tsx'),
  column: () => import('./ColumnPanel.tsx'),
  trash: () => import('./TrashDialog.tsx'),
  sync: () => import('./SyncDialog.tsx'),
  addColumns: () => import('./AddColumnsDialog.tsx'),
};
const CreateTableDialog = lazy(dialogs.createTable);
const ColumnPanel = lazy(dialogs.column);
const TrashDialog = lazy(dialogs.trash);
const SyncDialog = lazy(dialogs.sync);
const AddColumnsDialog = lazy(dialogs.addColumns);

/** Draws the dialog that is asked for. */
export function createDialogHost(requests: DialogRequests): ComponentType {
  return function DialogHost() {
    const request = useSyncExternalStore(requests.subscribe, () => requests.current);
    const hasProject = useShell().context.project !== undefined;
    useEffect(() => {
      if (!hasProject) return;
      // Before the first one is opened: what somebody types while its code is on the way would go elsewhere.
      for (const load of Object.values(dialogs)) load().catch(() => undefined);
    }, [hasProject]);
    if (request === undefined) return null;
    return (
      <Suspense>
        {request.kind === 'createTable' && (
          <CreateTableDialog project={request.project} onClose={requests.close} />
        )}
        {request.kind === 'sync' && <SyncDialog project={request.project} onClose={requests.close} />}
        {request.kind === 'trash' && <TrashDialog project={request.project} onClose={requests.close} />}
        {request.kind === 'addColumns' && <AddColumnsDialog {...request} />}
        {request.kind === 'column' && (
          <ColumnPanel key={request.column?.id ?? 'new'} {...request} onClose={requests.close} />
        )}
      </Suspense>
    );
  };
}
