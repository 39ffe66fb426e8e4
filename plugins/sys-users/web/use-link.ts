import { ApiError, messageOfError, useHost } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';

/** The state of a mail's link. `failed` says nothing about the link: the server could not be asked. */
export type LinkState<Answer> =
  | { readonly state: 'reading' }
  | { readonly state: 'found'; readonly answer: Answer }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly message: string };

/** Statuses that mean that the server does not know the link. */
const refusals: readonly (number | undefined)[] = [400, 404];

/**
 * Asks the server about a link's token, and again by `retry`. The answer for one link is never shown for another, because the
 * page's address can change before the answer arrives.
 */
export function useLink<Answer>(
  path: string,
  token?: string,
): LinkState<Answer> & { retry(this: void): void } {
  const { t, api } = useHost();
  const [attempt, setAttempt] = useState(0);
  const asked = JSON.stringify([path, token, attempt]);
  const [told, setTold] = useState<{ readonly asked: string; readonly found: LinkState<Answer> }>();

  useEffect(() => {
    const abort = new AbortController();
    const tell = (found: LinkState<Answer>): void => {
      if (!abort.signal.aborted) setTold({ asked, found });
    };
    const body = token === undefined ? undefined : { token };
    api.request<Answer>({ method: 'POST', path, body, signal: abort.signal }).then(
      (answer) => tell({ state: 'found', answer }),
      (error: unknown) => {
        const message = messageOfError(error, t);
        const isRefused = error instanceof ApiError && refusals.includes(error.status);
        tell(isRefused ? { state: 'refused', reason: message } : { state: 'failed', message });
      },
    );
    return () => abort.abort();
  }, [api, t, path, token, asked]);

  const found: LinkState<Answer> = told?.asked === asked ? told.found : { state: 'reading' };
  return { ...found, retry: () => setAttempt((before) => before + 1) };
}
