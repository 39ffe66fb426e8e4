import { ApiError, messageOfError, useHost } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';

/** What a link of a mail leads to. `failed` says nothing of the link: the server could not be asked. */
export type LinkState<Answer> =
  | { readonly state: 'reading' }
  | { readonly state: 'found'; readonly answer: Answer }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'failed'; readonly message: string };

/** Statuses by which the server says that it knows no such link. */
const refusals: readonly (number | undefined)[] = [400, 404];

/** Asks the server about the token of a link, and again by `retry`. */
export function useLink<Answer>(
  path: string,
  token?: string,
): LinkState<Answer> & { retry(this: void): void } {
  const { t, api } = useHost();
  const [found, setFound] = useState<LinkState<Answer>>({ state: 'reading' });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const abort = new AbortController();
    const body = token === undefined ? undefined : { token };
    api.request<Answer>({ method: 'POST', path, body, signal: abort.signal }).then(
      (answer) => setFound({ state: 'found', answer }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const message = messageOfError(error, t);
        const isRefused = error instanceof ApiError && refusals.includes(error.status);
        setFound(isRefused ? { state: 'refused', reason: message } : { state: 'failed', message });
      },
    );
    return () => abort.abort();
  }, [api, t, path, token, attempt]);

  return {
    ...found,
    retry() {
      setFound({ state: 'reading' });
      setAttempt((before) => before + 1);
    },
  };
}
