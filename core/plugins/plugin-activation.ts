import { recordErrorOrigin } from '../errors/error-origin.ts';
import { messageOf, readableError } from '../errors/readable-error.ts';
import { isExpected, type TrellisError } from '../errors/trellis-error.ts';
import { withTimeLimit, type Clock } from '../lifecycle/clock.ts';
import { createAbortController, type PlatformAbortSignal } from '../lifecycle/platform.ts';
import { pluginErrors } from './plugin-errors.ts';
import type {
  PersistedPluginState,
  PluginHost,
  PluginLimits,
  PluginModule,
  PluginStep,
} from './plugin-host.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import { PluginScope } from './plugin-scope.ts';

export interface RunningPlugin<Context> {
  readonly module: PluginModule<Context>;
  readonly context: Context;
  readonly scope: PluginScope;
}

/** Runs steps, each with a limit in milliseconds, and knows which one is running. */
interface Steps {
  current: PluginStep;
  run<T>(step: PluginStep, limit: number, work: () => T | Promise<T>): Promise<T>;
}

/** Switches one plugin on or off. It does not consider other plugins; the manager decides the order. */
export class PluginActivation<Context> {
  readonly #host: PluginHost<Context>;
  readonly #limits: PluginLimits;
  readonly #clock: Clock;
  readonly #interruption = createAbortController();

  constructor(host: PluginHost<Context>, limits: PluginLimits, clock: Clock) {
    this.#host = host;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Aborts all loading and setting up, now or later: the host is shutting down and does not wait for it. */
  interrupt(): void {
    this.#interruption.abort(new Error('The host stopped before it was done.'));
  }

  /**
   * Runs all steps of enabling, in order. When one fails, everything is undone except migrations.
   *
   * @param afterFailure the state to persist when it fails.
   * @param loaded code that is loaded already; by default the host loads the present code.
   * @throws TrellisError `PLUGIN_FAILED` or `PLUGIN_HELD_UP` naming the step, with the cause.
   */
  async activate(
    manifest: PluginManifest,
    afterFailure: PersistedPluginState,
    loaded?: PluginModule<Context>,
  ): Promise<RunningPlugin<Context>> {
    const { id } = manifest;
    const scope = new PluginScope(id, this.#clock);
    const steps = this.#stepsOf(id);
    const { signal } = this.#interruption;
    try {
      await steps.run('persist', this.#limits.hook, () => this.#host.persist?.(id, 'starting'));
      await steps.run('willEnable', this.#limits.hook, () => this.#host.willEnable?.(manifest));
      const module = loaded ?? (await this.#loadAndMigrate(manifest, steps));
      steps.current = 'setup';
      const context = this.#host.createContext(manifest, scope);
      await steps.run('setup', this.#limits.setup, () => orAborted(signal, () => module.setup(context)));
      steps.current = 'commit';
      scope.commit();
      steps.current = 'publish';
      this.#host.publish?.(manifest);
      await steps.run('persist', this.#limits.hook, () => this.#host.persist?.(id, 'enabled'));
      await this.#contain(id, 'didEnable', () => this.#host.didEnable?.(manifest));
      return { module, context, scope };
    } catch (error) {
      await this.#takeBack(manifest, scope, 0);
      const failure = this.#failureOf(manifest, steps.current, error);
      await this.#contain(id, 'persist', () => this.#host.persist?.(id, afterFailure, failure.message));
      throw failure;
    }
  }

  /**
   * Loads another version of a plugin and runs its migrations while the former version still runs. This is safe because
   * migrations only add.
   *
   * @throws TrellisError `PLUGIN_FAILED` or `PLUGIN_HELD_UP` naming the step, with the cause.
   */
  async prepare(manifest: PluginManifest): Promise<void> {
    const steps = this.#stepsOf(manifest.id);
    try {
      await this.#loadAndMigrate(manifest, steps);
    } catch (error) {
      throw this.#failureOf(manifest, steps.current, error);
    }
  }

  async #loadAndMigrate(manifest: PluginManifest, steps: Steps): Promise<PluginModule<Context>> {
    const module = await steps.run('load', this.#limits.load, () =>
      orAborted(this.#interruption.signal, () => this.#host.load(manifest)),
    );
    await steps.run('migrate', this.#limits.migrate, () => this.#host.migrate?.(manifest, module));
    return module;
  }

  /**
   * `PLUGIN_FAILED`, or `PLUGIN_HELD_UP` when the host's own foundations caused it. The error names the plugin, and the author's
   * line if known.
   */
  #failureOf(manifest: PluginManifest, step: PluginStep, thrown: unknown): TrellisError {
    const error = readableError(thrown);
    const { id } = manifest;
    const message = messageOf(error);
    const place = this.#host.placeOf?.(error, manifest);
    const reason = place === undefined ? message : `${message} (${place})`;
    const code = this.#host.isOutage?.(error) === true ? 'PLUGIN_HELD_UP' : 'PLUGIN_FAILED';
    const failure = pluginErrors.create(code, { plugin: id, step, reason }, error);
    recordErrorOrigin(failure, { owner: id, where: step });
    return failure;
  }

  #stepsOf(id: string): Steps {
    const steps: Steps = {
      current: 'persist',
      run: (step, limit, work) => {
        steps.current = step;
        return withTimeLimit(this.#clock, limit, `Step '${step}' of plugin '${id}'`, work);
      },
    };
    return steps;
  }

  /**
   * Asks whether a plugin may be disabled.
   *
   * @throws the expected error of a handler that refuses. Other errors are reported: a broken plugin must not stay on.
   */
  async mayDeactivate(manifest: PluginManifest): Promise<void> {
    try {
      await withTimeLimit(
        this.#clock,
        this.#limits.hook,
        `Step 'willDisable' of plugin '${manifest.id}'`,
        () => this.#host.willDisable?.(manifest),
      );
    } catch (error) {
      if (isExpected(error)) throw error;
      this.#host.onError(error, manifest.id, 'willDisable');
    }
  }

  /** Undoes everything that the plugin did. Never throws; errors are reported. */
  async deactivate(manifest: PluginManifest, running: RunningPlugin<Context>): Promise<void> {
    await this.#takeBack(manifest, running.scope, this.#limits.drain);
    await this.#contain(manifest.id, 'didDisable', () => this.#host.didDisable?.(manifest));
  }

  async #takeBack(manifest: PluginManifest, scope: PluginScope, drainLimit: number): Promise<void> {
    const { id } = manifest;
    const wasCommitted = scope.phase !== 'staging';
    await this.#contain(id, 'dispose', () => scope.withdraw());
    if (wasCommitted) await this.#contain(id, 'publish', () => this.#host.publish?.(manifest));
    await this.#contain(id, 'dispose', () => scope.close(drainLimit), drainLimit);
  }

  /** Reports errors instead of throwing them, and gives up work that hangs, since the next operation is waiting. */
  async #contain(id: string, step: PluginStep, work: () => void | Promise<void>, extra = 0): Promise<void> {
    try {
      await withTimeLimit(this.#clock, this.#limits.hook + extra, `Step '${step}' of plugin '${id}'`, work);
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const one of errors) this.#host.onError(one, id, step);
    }
  }
}

/** The outcome of the work, or a rejection with the signal's reason as soon as it aborts; the work then goes on by itself. */
async function orAborted<T>(signal: PlatformAbortSignal, work: () => T | Promise<T>): Promise<T> {
  if (signal.aborted) throw signal.reason;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
