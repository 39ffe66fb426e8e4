import type { Disposable } from '@trellis/core';

/** The message between tabs: the user whose session the browser has now. */
interface Message {
  readonly userId?: string;
}

/** Keeps a browser's tabs at the same session: a tab tells the others when somebody signs in or out. */
export class SessionTabs implements Disposable {
  /** Absent in old browsers; there the other tabs notice at their next call. */
  readonly #channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('trellis-session');

  /** @param onTold called with the user whose session another tab has now; undefined after signing out. */
  constructor(onTold: (userId: string | undefined) => void) {
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onTold(data.userId));
  }

  tell(userId: string | undefined): void {
    this.#channel?.postMessage({ userId } satisfies Message);
  }

  dispose(): void {
    this.#channel?.close();
  }
}
