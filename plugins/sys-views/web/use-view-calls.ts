import type { ViewEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, type ApiRequest, type WebViewType } from '@trellis/sdk/web';
import { useShownUntilRead } from '@trellis/sdk/web/views';
import { useRef } from 'react';

const meta = '/api/v1/db/meta';

export function viewPath(view: ViewEntity, call = ''): string {
  return `${meta}/views/${encodeURIComponent(view.id)}${call}`;
}

export function itemPath(kind: 'grid-columns', id: string): string {
  return `${meta}/${kind}/${encodeURIComponent(id)}`;
}

/** What setting the options of views of a type takes. */
export function optionsPermission(type: WebViewType | undefined): string {
  return type?.optionsPermission ?? 'viewArrange';
}

/** Tells why something could not be done with a view; it was to be changed unless the caller says otherwise. */
export function useTellRefusal() {
  const { t, toast } = useHost();
  return (error: unknown, summary = t('The view could not be changed')) =>
    toast({
      severity: 'error',
      summary,
      detail: messageOfError(error, t),
      life: 5000,
    });
}

type Options = Readonly<Record<string, unknown>>;

/**
 * Saves options as panels of view types give them, one after another; the person is told of a refusal.
 *
 * @param over what they were read from: what was chosen is shown until it was taken and there is a newer one.
 */
export function useToldSave(over: object, send: (options: Options) => Promise<void>) {
  const tell = useTellRefusal();
  const { shown, save } = useShownUntilRead(over, send);
  return {
    shown,
    save: (options: Options): Promise<void> => save(options).catch((error: unknown) => tell(error)),
  };
}

/** Sends changes of a view one after another; what is shown is read again after each, also after a failed one. */
export function useViewCalls(view: ViewEntity) {
  const host = useHost();
  const tell = useTellRefusal();
  const last = useRef<Promise<unknown>>(Promise.resolve());

  /** Resolves to undefined when the server refused; the person has been told then, and `onRefused` puts back what was shown early. */
  function send<T>(request: ApiRequest, onRefused?: () => void): Promise<T | undefined> {
    const sent = last.current.then(async () => {
      try {
        return await host.api.request<T>(request);
      } catch (error) {
        onRefused?.();
        tell(error);
        return undefined;
      } finally {
        host.invalidate([`view:${view.id}`]);
      }
    });
    last.current = sent;
    return sent;
  }

  return { send };
}
