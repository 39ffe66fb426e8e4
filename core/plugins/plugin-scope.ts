import { systemClock, type Clock } from '../lifecycle/clock.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { DisposableStore } from '../lifecycle/disposable-store.ts';
import { onUnexpectedError } from '../lifecycle/unexpected-error.ts';
import { createAbortController, type PlatformAbortSignal } from '../lifecycle/platform.ts';

interface StagedEffect {
  readonly effect: () => Disposable;
  /** Set once the effect is done. */
  undo: Disposable | undefined;
  withdrawn: boolean;
}

export type PluginScopePhase = 'staging' | 'active' | 'closing' | 'closed';

/**
 * Everything that one plugin did through its context, and how to undo it.
 *
 * While `setup` runs, effects (taps, registrations, services, routes) are only *staged*. `commit` does them in one turn of the
 * event loop, all or none. `close` undoes everything: first effects, in reverse order, so that no new work arrives; then it waits
 * for work in flight; then `signal` aborts; then owned resources are disposed, which that work may have used.
 */
export class PluginScope {
  readonly pluginId: string;
  readonly #clock: Clock;
  readonly #abort = createAbortController();
  readonly #effects = new Set<StagedEffect>();
  readonly #owned = new DisposableStore();
  /**
   * A number and not a set of promises: the old tables of a growing set refer to each other, so finished work would stay in
   * memory until a full collection.
   */
  #inFlight = 0;
  #whenIdle: (() => void) | undefined;
  readonly #settled = (): void => {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#whenIdle?.();
  };
  #phase: PluginScopePhase = 'staging';
  #closed: Promise<void> | undefined;

  constructor(pluginId: string, clock: Clock = systemClock) {
    this.pluginId = pluginId;
    this.#clock = clock;
  }

  get phase(): PluginScopePhase {
    return this.#phase;
  }

  /** Aborted when the plugin is disabled or could not be enabled. */
  get signal(): PlatformAbortSignal {
    return this.#abort.signal;
  }

  /** The number of unfinished tracked pieces of work. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The number of effects and owned resources. */
  get size(): number {
    return this.#effects.size + this.#owned.size;
  }

  /**
   * Adds an effect that can be undone. It is done at commit while staging, at once when active.
   *
   * @returns a disposable that withdraws the effect, or undoes it if it was done.
   * @throws Error when the plugin is no longer active, and the effect's own error when it runs at once.
   */
  stage(effect: () => Disposable): Disposable {
    this.#assertOpen();
    const staged: StagedEffect = { effect, undo: undefined, withdrawn: false };
    if (this.#phase === 'active') staged.undo = effect();
    this.#effects.add(staged);
    return {
      dispose: () => {
        if (!this.#effects.delete(staged)) return undefined;
        staged.withdrawn = true;
        return staged.undo?.dispose();
      },
    };
  }

  /**
   * Takes ownership of a resource, such as a connection pool or a timer.
   *
   * @returns a disposable for disposing it early.
   * @throws Error when the plugin is no longer active; the resource is disposed first.
   */
  own(resource: Disposable): Disposable {
    if (this.#phase === 'closing' || this.#phase === 'closed') {
      void disposeQuietly(resource);
      this.#assertOpen();
    }
    const owned = this.#owned.add(
      toDisposable(() => {
        this.#owned.release(owned);
        return resource.dispose();
      }),
    );
    return owned;
  }

  /** Counts work as in flight until it settles, so that closing waits for it. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#inFlight += 1;
    // The caller has the promise itself and sees its error there.
    work.then(this.#settled, this.#settled);
    return work;
  }

  /**
   * Does the staged effects in order, within one turn.
   *
   * @throws the error of the first failing effect, after undoing the effects before it in reverse order.
   */
  commit(): void {
    if (this.#phase !== 'staging') {
      throw new Error(
        `Plugin '${this.pluginId}' is ${this.#phase} and cannot be committed; use a new scope.`,
      );
    }
    this.#phase = 'active';
    try {
      for (const staged of this.#effects) {
        // An effect may stage another one, which is then done at once and skipped here.
        if (!staged.withdrawn && staged.undo === undefined) staged.undo = staged.effect();
      }
    } catch (error) {
      this.#phase = 'closing';
      for (const undo of this.#takeUndos()) void disposeQuietly(undo);
      throw error;
    }
  }

  /** Undoes the effects, the last one first, and accepts no new ones. */
  async withdraw(): Promise<void> {
    this.#phase = 'closing';
    await disposeAll(this.#takeUndos());
  }

  /**
   * Undoes everything. Idempotent.
   *
   * @param drainLimit milliseconds to wait for work in flight before it is aborted.
   * @throws AggregateError with all errors, after everything was attempted.
   */
  close(drainLimit: number): Promise<void> {
    this.#closed ??= this.#close(drainLimit);
    return this.#closed;
  }

  async #close(drainLimit: number): Promise<void> {
    const errors: unknown[] = [];
    const attempt = async (step: () => Promise<void>) => {
      try {
        await step();
      } catch (error) {
        errors.push(...(error instanceof AggregateError ? error.errors : [error]));
      }
    };
    await attempt(() => this.withdraw());
    await this.#drain(drainLimit);
    this.#abort.abort(new Error(`Plugin '${this.pluginId}' was disabled.`));
    await attempt(() => this.#owned.dispose());
    this.#phase = 'closed';
    if (errors.length > 0) {
      throw new AggregateError(errors, `Plugin '${this.pluginId}' could not take everything back.`);
    }
  }

  /** Waits until nothing is in flight, but no longer than the limit. */
  async #drain(limit: number): Promise<void> {
    if (this.#inFlight === 0 || limit <= 0) return;
    await new Promise<void>((resolve) => {
      const stop = this.#clock.after(limit, resolve);
      this.#whenIdle = () => {
        stop();
        resolve();
      };
    });
  }

  #takeUndos(): readonly Disposable[] {
    const undos = [...this.#effects].flatMap((staged) => (staged.undo === undefined ? [] : [staged.undo]));
    for (const staged of this.#effects) staged.withdrawn = true;
    this.#effects.clear();
    return undos.reverse();
  }

  #assertOpen(): void {
    if (this.#phase === 'staging' || this.#phase === 'active') return;
    throw new Error(
      `Plugin '${this.pluginId}' is no longer active and can add nothing; stop when 'ctx.signal' aborts.`,
    );
  }
}

async function disposeAll(items: readonly Disposable[]): Promise<void> {
  const store = new DisposableStore();
  for (const item of [...items].reverse()) store.add(item);
  await store.dispose();
}

async function disposeQuietly(item: Disposable): Promise<void> {
  try {
    await item.dispose();
  } catch (error) {
    onUnexpectedError(error);
  }
}
