import { useOpenRequest, useShell } from '@trellis/sdk/web';
import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import type { DialogRequests } from './dialog-requests.ts';

/** All dialogs are in one file: each is small, and they are loaded together. */
const load = () => import('./dialogs.ts');
type Dialogs = Awaited<ReturnType<typeof load>>;

/** Creates a lazy component for one of the dialogs. */
const part = <Name extends keyof Dialogs>(name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const CreateTableDialog = part('CreateTableDialog');
const ColumnPanel = part('ColumnPanel');
const TrashDialog = part('TrashDialog');
const SyncDialog = part('SyncDialog');
const AddColumnsDialog = part('AddColumnsDialog');

/** Draws the requested dialog. */
export function createDialogHost(requests: DialogRequests): ComponentType {
  return function DialogHost() {
    const request = useOpenRequest(requests);
    const hasProject = useShell().context.project !== undefined;
    useEffect(() => {
      if (!hasProject) return;
      // Loaded in advance: otherwise text typed during the load would go elsewhere.
      load().catch(() => undefined);
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
