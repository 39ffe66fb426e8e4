import {
  withTimeLimit,
  systemClock,
  type Clock,
  type Disposable,
  type RegistryEntry,
  type RegistryView,
} from '@trellis/core';
import type { Listener, Logger, StartedListener } from '@trellis/sdk/server';
import { asPlugin } from '../runtime/current-plugin.ts';
import type { OwnedWork } from '../runtime/owned-work.ts';

/** Milliseconds that a listener may take to start, and to stop. */
const limit = 10_000;

interface Running {
  readonly entry: RegistryEntry<Listener>;
  /** Aborts when the listener is to stop, or took too long to start. */
  readonly ends: AbortController;
  readonly started: Promise<StartedListener | undefined>;
}

/** Starts what plugins register as listeners once the server itself listens, and stops it with its plugin or the server. */
export class ListenerRunner {
  readonly #listeners: RegistryView<Listener>;
  readonly #work: () => OwnedWork;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #running = new Map<Listener, Running>();
  /** What is being stopped; the end of the server waits for it. */
  readonly #stopping = new Set<Promise<void>>();
  #changes: Disposable | undefined;

  constructor(deps: {
    readonly listeners: RegistryView<Listener>;
    readonly work: () => OwnedWork;
    readonly logger: Logger;
    readonly clock?: Clock;
  }) {
    this.#listeners = deps.listeners;
    this.#work = deps.work;
    this.#logger = deps.logger;
    this.#clock = deps.clock ?? systemClock;
  }

  start(): void {
    this.#changes = this.#listeners.onDidChange(() => this.#follow());
    this.#follow();
  }

  async stop(): Promise<void> {
    await this.#changes?.dispose();
    for (const running of this.#running.values()) this.#end(running);
    await Promise.all(this.#stopping);
  }

  #follow(): void {
    const registered = this.#listeners.entries();
    const items = new Set(registered.map(({ item }) => item));
    for (const running of this.#running.values()) if (!items.has(running.entry.item)) this.#end(running);
    for (const entry of registered) if (!this.#running.has(entry.item)) this.#begin(entry);
  }

  #begin(entry: RegistryEntry<Listener>): void {
    const { item } = entry;
    const ends = new AbortController();
    let starting: Promise<StartedListener> | undefined;
    const started = this.#guard(entry, 'start', () => {
      // Not tracked as work of the plugin, which would be waited for when the plugin is disabled.
      starting = item.start({ signal: ends.signal, logger: this.#logger });
      return starting.catch((error: unknown) => {
        // A listener that gives up because it was told to has not failed.
        if (!ends.signal.aborted) throw error;
        return undefined;
      });
    });
    this.#running.set(item, { entry, started, ends });
    void started.then((listener) => {
      if (listener !== undefined) {
        this.#logger.info('A listener has started', { listener: item.id, port: listener.port });
        return;
      }
      ends.abort();
      // A listener that was given up may still start, and would then keep the port from the next one.
      starting?.then(
        (late) => this.#stop(entry, Promise.resolve(late)),
        () => undefined,
      );
    });
  }

  #end({ entry, started, ends }: Running): void {
    this.#running.delete(entry.item);
    ends.abort(new Error('The listener is to stop.'));
    this.#stop(entry, started);
  }

  #stop(entry: RegistryEntry<Listener>, started: Promise<StartedListener | undefined>): void {
    const stopped = started.then(async (listener) => {
      if (listener !== undefined) await this.#guard(entry, 'stop', () => listener.stop());
    });
    this.#stopping.add(stopped);
    void stopped.finally(() => this.#stopping.delete(stopped));
  }

  async #guard<T>(
    { item, owner }: RegistryEntry<Listener>,
    what: string,
    run: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await asPlugin(owner, () =>
        withTimeLimit(this.#clock, limit, `To ${what} the listener '${item.id}'`, run),
      );
    } catch (error) {
      this.#work().report(owner, `listener ${item.id}`, error);
      return undefined;
    }
  }
}
