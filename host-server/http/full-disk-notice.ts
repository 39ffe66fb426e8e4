import type { Logger } from '@trellis/sdk/server';

/** Milliseconds until a full disk is logged again: every call that stores something meets it. */
const pause = 60_000;

/** Tells the operator that a disk is full: people are told to tell an administrator. */
export class FullDiskNotice {
  readonly #logger: Logger;
  #told = Number.NEGATIVE_INFINITY;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  tell(
    error: unknown,
    call: { readonly requestId: string; readonly method: string; readonly path: string },
  ): void {
    const now = performance.now();
    if (now - this.#told < pause) return;
    this.#told = now;
    this.#logger.error('A disk is full: what people want stored is refused', { ...call, error });
  }
}
