import type { Disposable } from '@trellis/core';

/** What tabs of one browser tell each other: whose session it is now. */
interface Message {
  readonly userId?: string;
}

/** Keeps the tabs of a browser at one session: signing in or out in one of them is told to the others. */
export class SessionTabs implements Disposable {
  /** Absent in old browsers; then the other tabs find out at their next call. */
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
