import { useState } from 'react';
import type { ApiRequest } from './api.ts';
import { messageOfError } from './attempt.ts';
import { useHost } from './host.tsx';

/** Calls of the server that a person begins with a press, each at once. @public */
export interface RequestAction {
  /** True while one is on its way. */
  readonly isBusy: boolean;
  /**
   * Sends it, and has what its tags name read again, whatever came of it. Resolves to undefined where it was refused, which is told
   * under `failure`.
   */
  send<T>(this: void, request: ApiRequest, failure: string): Promise<T | undefined>;
}

/**
 * Sends what the menus and buttons of a list ask for.
 *
 * @param tags what is read again
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
