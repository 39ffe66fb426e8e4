import { useState } from 'react';
import type { ApiRequest } from './api.ts';
import { messageOfError } from './attempt.ts';
import { useHost } from './host.tsx';

/** Calls of the server that a person starts with a press, several at once if needed. @public */
export interface RequestAction {
  /** True while one is running. */
  readonly isBusy: boolean;
  /**
   * Sends it, and reloads its tags whether it succeeded or not. Resolves to undefined if it was refused, which is shown under
   * `failure`.
   */
  send<T>(this: void, request: ApiRequest, failure: string): Promise<T | undefined>;
}

/**
 * Sends the requests of a list's menus and buttons.
 *
 * @param tags what is reloaded
 * @public
 */
export function useRequestAction(tags: readonly string[]): RequestAction {
  const { api, sharedT: t, toast, invalidate } = useHost();
  const [underWay, setUnderWay] = useState(0);

  async function send<T>(request: ApiRequest, failure: string): Promise<T | undefined> {
    setUnderWay((now) => now + 1);
    try {
      return await api.request<T>(request);
    } catch (error) {
      toast({ severity: 'error', summary: failure, detail: messageOfError(error, t) });
      return undefined;
    } finally {
      setUnderWay((now) => now - 1);
      invalidate(tags);
    }
  }
  return { isBusy: underWay > 0, send };
}
