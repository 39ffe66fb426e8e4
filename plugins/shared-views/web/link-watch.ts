import { ApiError, type VisitLook } from '@trellis/sdk/web';

/** Tells components that draw a shared view's rows when to read them again, and when to repeat refused calls. */
export class LinkWatch {
  readonly #listeners = new Set<(look: VisitLook) => void>();
  /** Calls that wait for a password. */
  #waiting: (() => void)[] = [];
  #isBarred = false;

  /** @param onBarred called when the link needs another password than the one that opened it */
  constructor(readonly onBarred: () => void) {}

  readonly onLook = (listener: (look: VisitLook) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly onRefused = (error: unknown): Promise<boolean> => {
    if (!asksForPassword(error)) return Promise.resolve(false);
    this.bar();
    return new Promise((resolve) => this.#waiting.push(() => resolve(true)));
  };

  announce(look: VisitLook): void {
    for (const listener of this.#listeners) listener(look);
  }

  /** The link needs another password. */
  bar(): void {
    if (this.#isBarred) return;
    this.#isBarred = true;
    this.onBarred();
  }

  /** The page has the password now. */
  open(): void {
    if (!this.#isBarred) return;
    this.#isBarred = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
    this.announce('return');
  }
}

export function asksForPassword(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVALID_SHARED_VIEW_PASSWORD';
}
