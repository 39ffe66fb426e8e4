import {
  defineErrors,
  isExpected,
  recordErrorOrigin,
  systemClock,
  TimeLimitError,
  withTimeLimit,
  type Clock,
  type RegistryEntry,
} from '@trellis/core';
import type { OwnedWork } from '../runtime/owned-work.ts';

export const adapterErrors = defineErrors({
  ADAPTER_FAILED: {
    status: 502,
    message:
      "The plugin '{plugin}' failed to {what}. Please tell an administrator: its card in the app store says why.",
  },
  ADAPTER_TIMEOUT: {
    status: 504,
    message: "The plugin '{plugin}' did not {what} within {seconds} seconds.",
  },
});

/** One call of something that a plugin registered. */
export interface AdapterWork<T> {
  /** The plugin's id. */
  readonly owner: string;
  /** The work that is asked for, to be read after "failed to": "send mail". */
  readonly what: string;
  /** Milliseconds that the work may take; for work that reports its progress, since its last call of `moved`. */
  readonly limit: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  readonly run: (signal: AbortSignal, moved: () => void) => Promise<T>;
}

/**
 * Calls adapters in their plugins' names: disabling a plugin waits for the call, what hangs is given up, and what breaks is shown
 * with the plugin. Failures never suspend an adapter: the other side may be down.
 */
export class AdapterCalls {
  readonly #work: () => Pick<OwnedWork, 'run' | 'report'>;
  readonly #nameOf: (pluginId: string) => string;
  readonly #clock: Clock;
  /** Adapters that threw when they were last asked whether they are set up: each is told of once, until it answers. */
  readonly #unsure = new WeakSet<object>();

  constructor(deps: {
    readonly work: () => Pick<OwnedWork, 'run' | 'report'>;
    readonly nameOf: (pluginId: string) => string;
    readonly clock?: Clock;
  }) {
    this.#work = deps.work;
    this.#nameOf = deps.nameOf;
    this.#clock = deps.clock ?? systemClock;
  }

  /** Whether an adapter is set up. One that throws is passed over, and its plugin is told of. */
  isReady({ item, owner }: RegistryEntry<{ isConfigured(): boolean }>): boolean {
    try {
      const answer = item.isConfigured();
      this.#unsure.delete(item);
      return answer;
    } catch (error) {
      if (!this.#unsure.has(item)) this.#work().report(owner, 'isConfigured', error);
      this.#unsure.add(item);
      return false;
    }
  }

  /** @throws TrellisError what the adapter throws of that kind, `ADAPTER_FAILED` or `ADAPTER_TIMEOUT`. */
  async call<T>({ owner, what, limit, signal, run }: AdapterWork<T>): Promise<T> {
    const given = new AbortController();
    const ends = signal === undefined ? given.signal : AbortSignal.any([given.signal, signal]);
    try {
      return await this.#work().run(owner, ends, (context) =>
        withTimeLimit(this.#clock, limit, `The call to ${what}`, (moved) => run(context.signal, moved)),
      );
    } catch (error) {
      // Not aborted after a success: a file that was handed out may still be read.
      given.abort();
      signal?.throwIfAborted();
      if (isExpected(error)) throw error;
      this.#work().report(owner, what, error);
      const plugin = this.#nameOf(owner);
      // Reported here, under the adapter's plugin: the caller is not to blame.
      recordErrorOrigin(error, { owner, where: what });
      throw error instanceof TimeLimitError
        ? adapterErrors.create('ADAPTER_TIMEOUT', { plugin, what, seconds: limit / 1000 }, error)
        : adapterErrors.create('ADAPTER_FAILED', { plugin, what }, error);
    }
  }
}
