import type { ApiRequest, ToastMessage } from '@trellis/sdk/web';
import { messageOfError } from '../api/error-from-response.ts';
import { notificationsSlice } from '../store/notifications-slice.ts';
import type { HostStore } from '../store/store.ts';

const toastLife = 2000;

export interface ActivityOptions {
  readonly store: HostStore;
  readonly toast: (message: ToastMessage) => void;
  readonly translate: (text: string, values: Readonly<Record<string, string>>) => string;
  readonly now: () => number;
}

/**
 * Records each labelled request, which shows the loading bar, and announces its outcome. Successful reads are not announced. An
 * unlabelled request that may change something only shows the bar.
 *
 * @returns a function to call at the end of the request, with the error if there was one.
 */
export function trackActivity(
  { store, toast, translate, now }: ActivityOptions,
  { label, method = 'GET', path }: ApiRequest,
): (error?: unknown) => void {
  if (label === undefined) return moveBar(store, method);
  const [verb = label, ...rest] = label.split(' ');
  const key = { type: method === 'GET' ? 'List' : verb, module: rest.join(' '), title: path };
  const { started, settled } = notificationsSlice.actions;
  store.dispatch(started({ ...key, time: now() }));
  return (error) => {
    const failed = error !== undefined;
    store.dispatch(settled({ ...key, status: failed ? 'error' : 'success', time: now() }));
    if (key.type === 'List') return;
    if (failed) {
      const summary = translate('{{what}} failed', { what: label });
      toast({ severity: 'error', summary, detail: messageOfError(error), life: 4000 });
    } else {
      toast({
        severity: 'success',
        summary: translate('{{what}} successful', { what: label }),
        life: toastLife,
      });
    }
  };
}

function moveBar(store: HostStore, method: string): () => void {
  if (method === 'GET') return () => undefined;
  const { barMoved } = notificationsSlice.actions;
  store.dispatch(barMoved(1));
  return () => store.dispatch(barMoved(-1));
}
