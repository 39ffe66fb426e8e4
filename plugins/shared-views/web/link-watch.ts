import { ApiError, type VisitLook } from '@trellis/sdk/web';

/** What the page of a link tells whoever draws rows of its view: when to read them again, and when to send again what was refused. */
export class LinkWatch {
  readonly #listeners = new Set<(look: VisitLook) => void>();
  /** Calls that wait for a password. */
  #waiting: (() => void)[] = [];
  #isBarred = false;

  /** @param onBarred told when the link asks for another password than the one that it was opened with */
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

  /** The link asks for another password. */
  bar(): void {
    if (this.#isBarred) return;
    this.#isBarred = true;
    this.onBarred();
  }

  /** The page has the password by now. */
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
