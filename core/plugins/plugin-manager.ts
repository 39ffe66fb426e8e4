import { ErrorBudget } from '../errors/error-budget.ts';
import { systemClock, withTimeLimit, type Clock } from '../lifecycle/clock.ts';
import type { Disposable } from '../lifecycle/disposable.ts';
import type { Event } from '../lifecycle/emitter.ts';
import { PluginActivation } from './plugin-activation.ts';
import { pluginErrors } from './plugin-errors.ts';
import type { PluginGraph } from './plugin-graph.ts';
import {
  defaultLimits,
  type KnownPlugin,
  type PersistedPluginState,
  type PluginChange,
} from './plugin-host.ts';
import type { PluginHost, PluginLimits, PluginState, PluginStatus, PluginUsage } from './plugin-host.ts';
import { PluginPlanner, type DisablePlan, type EnablePlan } from './plugin-planner.ts';
import { hasCrashed, isSystem, PluginTable, type PluginEntry } from './plugin-table.ts';
import { SerialQueue } from './serial-queue.ts';

export interface PluginManagerOptions {
  /** The budget that the hooks and registries of this host charge; exhausting it degrades the plugin. */
  readonly budget?: ErrorBudget;
  readonly limits?: Partial<PluginLimits>;
}

export interface StartOptions {
  /** Starts system plugins only and changes no decision. */
  readonly safeMode?: boolean;
  /** Told once the system plugins run; the others, which may be slow, are then still to come. */
  readonly onSystemReady?: () => void;
}

export interface CascadeOptions {
  /** Carries along what must go with it; else it is refused with the list. */
  readonly cascade?: boolean;
}

/**
 * Switches plugins on and off while the host runs, one operation at a time. The same class serves server and browser.
 *
 * A plugin's own `setup` and hooks must not wait for an operation of the manager: it would wait for them in turn.
 */
export class PluginManager<Context> {
  readonly #host: PluginHost<Context>;
  readonly #limits: PluginLimits;
  readonly #clock: Clock;
  readonly #budget: ErrorBudget;
  readonly #table: PluginTable<Context>;
  readonly #plan: PluginPlanner<Context>;
  readonly #activation: PluginActivation<Context>;
  readonly #queue = new SerialQueue();
  readonly #budgetListener: Disposable;
  /** Plugins that are being set up anew, and when each was last. */
  readonly #recovering = new Set<string>();
  readonly #recovered = new Map<string, number>();
  #isStopping = false;
  #isSafeMode = false;

  /** Fired after every change of a plugin's status. */
  readonly onDidChange: Event<PluginChange>;

  constructor(host: PluginHost<Context>, options: PluginManagerOptions = {}) {
    this.#host = host;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = host.clock ?? systemClock;
    this.#budget = options.budget ?? new ErrorBudget({ clock: this.#clock });
    this.#table = new PluginTable(host.version);
    this.#plan = new PluginPlanner(this.#table);
    this.#activation = new PluginActivation(host, this.#limits, this.#clock);
    this.onDidChange = this.#table.onDidChange;
    this.#budgetListener = this.#budget.onDidExhaust(({ owner }) => this.#degrade(owner));
  }

  get graph(): PluginGraph {
    return this.#table.graph;
  }

  /** All plugins by id; the same array until something changes. */
  list(): readonly PluginStatus[] {
    return this.#table.list();
  }

  status(id: string): PluginStatus | undefined {
    return this.#table.status(id);
  }

  state(id: string): PluginState | undefined {
    return this.#table.status(id)?.state;
  }

  /**
   * Makes plugins known, or replaces what is known of them; nothing is started.
   *
   * @throws TrellisError `PLUGIN_IS_RUNNING`.
   */
  discover(plugins: readonly KnownPlugin[]): Promise<void> {
    return this.#queue.run(() => {
      for (const { id } of plugins) this.#plan.assertIdle(id);
      this.#table.put(plugins);
    });
  }

  /**
   * Puts what was found anew in the place of a plugin that may be running: another version, another build, or none when its folder is
   * gone. No decision changes: a running plugin and those that need it go off and on again, and one that is off stays off. What
   * comes is checked, loaded and migrated before the old one stops.
   *
   * @throws TrellisError `PLUGIN_INCOMPATIBLE`, `PLUGIN_FAILED`, `PLUGIN_CONFLICT`, `PLUGIN_NEEDS_OTHERS`; then what ran before runs
   *   again, migrations apart.
   */
  replace(next: KnownPlugin): Promise<void> {
    return this.#queue.run(async () => {
      const { known: before, running } = this.#plan.entry(next.id);
      if (running !== undefined) {
        this.#plan.assertReplaceable(next);
        if (next.manifest !== undefined) await this.#activation.prepare(next.manifest);
        for (const at of [...this.#plan.runningDependents(next.id), next.id]) await this.#withdraw(at);
      }
      this.#table.put([next]);
      try {
        const isWanted = running !== undefined || this.#isWanted(next.id);
        if (next.manifest !== undefined && isWanted) await this.#enableAlone(next.id);
      } catch (error) {
        this.#table.put([before]);
        if (running !== undefined) await this.#startOne(this.#plan.entry(next.id));
        else this.#table.update(next.id, { failed: true, reason: messageOf(error) });
        throw error;
      } finally {
        const dependents = new Set(this.graph.dependentsOf(next.id, { transitive: true }));
        for (const at of this.graph.order)
          if (dependents.has(at) && this.#isWanted(at)) await this.#startOne(this.#plan.entry(at));
      }
    });
  }

  /** Why a plugin that is not there yet could not run here, or why others could not run with it; empty when all can. */
  problemsOf(next: KnownPlugin): readonly string[] {
    const dependents = this.#table.get(next.id) === undefined ? [] : this.#plan.runningDependents(next.id);
    return [next.id, ...dependents].flatMap((id) => this.#table.incompatibilitiesAfter(next, id));
  }

  /**
   * Forgets a plugin that was uninstalled.
   *
   * @throws TrellisError `PLUGIN_IS_RUNNING`.
   */
  remove(id: string): Promise<void> {
    return this.#queue.run(() => {
      this.#plan.assertIdle(id);
      this.#table.delete(id);
    });
  }

  /**
   * Enables what should run: system plugins, then built-in ones, then those from elsewhere, each after what it needs. A plugin
   * that fails is marked and the rest goes on. Those whose turn has not come are `starting`.
   *
   * @throws TrellisError of the first *system* plugin that could not be enabled; what runs keeps running until `stop`.
   */
  start(options: StartOptions = {}): Promise<void> {
    this.#isSafeMode = options.safeMode === true;
    return this.#queue.run(async () => {
      for (const { id, system } of this.list()) {
        if (system) this.#plan.assertRunnable(id);
        const { known } = this.#plan.entry(id);
        if (known.persisted === 'starting' && hasCrashed(known))
          await this.#persist(id, 'crashed', this.#plan.entry(id).reason);
      }
      const { system, others } = this.#plan.startOrder();
      const pending = others.filter((id) => this.#willStart(id, options));
      for (const id of pending) this.#table.update(id, { starting: true });
      for (const id of system.filter((at) => this.#willStart(at, options))) {
        await this.#startOne(this.#plan.entry(id));
      }
      options.onSystemReady?.();
      for (const id of pending) {
        if (this.#isStopping) return;
        await this.#startOne(this.#plan.entry(id));
      }
    });
  }

  /** What enabling would carry along or meet. */
  planEnable(id: string): EnablePlan {
    this.#plan.entry(id);
    const needs = this.#plan.needs(id);
    const conflicts = new Set([...needs, id].flatMap((at) => this.#plan.conflicts(at, [])));
    return { needs, conflicts: [...conflicts], problems: this.#table.incompatibilities(id) };
  }

  /**
   * Enables a plugin without a restart. Enabling one that is degraded puts its suspended parts back into service.
   *
   * @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_MISSING`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_NEEDS_OTHERS`,
   * `PLUGIN_CONFLICT`, `PLUGIN_FAILED`; then everything is as before, migrations apart.
   */
  enable(id: string, options: CascadeOptions = {}): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#plan.entry(id).running !== undefined) return this.#resume(id);
      this.#plan.assertRunnable(id);
      const needs = this.#plan.needs(id);
      if (needs.length > 0 && options.cascade !== true) {
        throw pluginErrors.create('PLUGIN_NEEDS_OTHERS', { plugin: id, needs });
      }
      const all = [...needs, id];
      for (const at of all) this.#plan.assertNoConflict(at, all);
      const enabled: string[] = [];
      try {
        for (const at of all) {
          await this.#activate(this.#plan.entry(at), 'disabled');
          enabled.unshift(at);
        }
      } catch (error) {
        for (const at of enabled) await this.#takeBack(at);
        throw error;
      }
    });
  }

  /** What disabling would carry along, and who relies on it. */
  async planDisable(id: string): Promise<DisablePlan> {
    this.#plan.entry(id);
    const dependents = this.#plan.runningDependents(id);
    const usage: Record<string, readonly PluginUsage[]> = {};
    for (const at of [...dependents, id]) usage[at] = await this.#usage(at);
    return { dependents, usage };
  }

  /**
   * Disables a plugin without a restart. Data and migrations stay.
   *
   * @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_IS_SYSTEM`, `PLUGIN_HAS_DEPENDENTS`, or the veto of whoever
   * refuses; then nothing has changed.
   */
  disable(id: string, options: CascadeOptions = {}): Promise<void> {
    return this.#queue.run(async () => {
      this.#plan.assertNotSystem(id);
      const dependents = this.#plan.runningDependents(id);
      if (dependents.length > 0 && options.cascade !== true) {
        throw pluginErrors.create('PLUGIN_HAS_DEPENDENTS', { plugin: id, dependents });
      }
      for (const at of dependents) this.#plan.assertNotSystem(at);
      const all = [...dependents, id];
      for (const at of all) {
        const { running, known } = this.#plan.entry(at);
        if (running !== undefined && known.manifest) await this.#activation.mayDeactivate(known.manifest);
      }
      for (const at of all) await this.#persist(at, 'disabled');
      for (const at of all) await this.#deactivate(at);
    });
  }

  /**
   * Takes a plugin out of service whose code threw where nobody could catch it (a timer, a late callback), and sets it up anew,
   * with those that need it. When that happens again within a minute it stays off until somebody enables it.
   *
   * @returns whether the host may go on: not for a system plugin, nor for one that is not there.
   */
  recover(id: string, error: unknown): boolean {
    const known = this.#table.get(id)?.known;
    if (known === undefined || isSystem(known)) return false;
    this.#host.onError(error, id, 'late error');
    // What it threw meanwhile came from the same setup.
    if (!this.#recovering.has(id)) {
      this.#recovering.add(id);
      const recovery = this.#queue.run(() => this.#setUpAnew(id, messageOf(error)));
      recovery
        .catch((failure: unknown) => this.#host.onError(failure, id, 'late error'))
        .finally(() => this.#recovering.delete(id));
    }
    return true;
  }

  async #setUpAnew(id: string, message: string): Promise<void> {
    if (this.#isStopping || this.#plan.entry(id).running === undefined) return;
    const dependents = this.#plan.runningDependents(id);
    for (const at of [...dependents, id]) await this.#withdraw(at);
    const now = this.#clock.now();
    const isRepeated = now - (this.#recovered.get(id) ?? -Infinity) < this.#limits.recovery;
    this.#recovered.set(id, now);
    if (isRepeated) {
      const reason = `It was left off because its code threw where nobody could catch it: ${message}; enable it to try again.`;
      this.#table.update(id, { wish: 'disabled', reason });
      await this.#persist(id, 'crashed', reason);
    } else await this.#startOne(this.#plan.entry(id));
    for (const at of [...dependents].reverse()) await this.#startOne(this.#plan.entry(at));
  }

  /** Whether it runs and has a test of its settings. */
  hasTest(id: string): boolean {
    return this.#table.get(id)?.running?.module.test !== undefined;
  }

  /**
   * Runs a plugin's own test of settings, stored or not.
   *
   * @throws TrellisError `PLUGIN_NOT_RUNNING`, `PLUGIN_TEST_MISSING`, and what the test throws.
   */
  async test(id: string, settings: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { running } = this.#plan.entry(id);
    if (running === undefined) throw pluginErrors.create('PLUGIN_NOT_RUNNING', { plugin: id });
    const { module, context, scope } = running;
    if (module.test === undefined) throw pluginErrors.create('PLUGIN_TEST_MISSING');
    const test = module.test.bind(module, context, settings);
    return scope.track(withTimeLimit(this.#clock, this.#limits.test, `The test of plugin '${id}'`, test));
  }

  /** Takes everything back, dependents first, and changes no decision: the host is shutting down. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#activation.interrupt();
    return this.#queue.run(async () => {
      for (const id of [...this.graph.order].reverse()) {
        if (this.#plan.entry(id).running !== undefined) await this.#withdraw(id);
      }
      await this.#budgetListener.dispose();
    });
  }

  /** Whether somebody decided that it runs, and it does not. */
  #isWanted(id: string): boolean {
    const { running, wish } = this.#plan.entry(id);
    return running === undefined && wish === 'enabled' && !this.#isSafeMode;
  }

  #willStart(id: string, { safeMode }: StartOptions): boolean {
    const entry = this.#plan.entry(id);
    if (entry.running !== undefined || !this.#plan.shouldRun(entry)) return false;
    if (safeMode !== true || isSystem(entry.known)) return true;
    this.#table.update(id, { reason: 'The host was started in safe mode, with system plugins only.' });
    return false;
  }

  async #startOne(entry: PluginEntry<Context>): Promise<void> {
    const { id } = entry.known;
    try {
      await this.#enableAlone(id);
    } catch (error) {
      if (isSystem(entry.known)) throw error;
      if (!this.#isStopping) this.#host.onError(error, id, 'start');
      this.#table.update(id, { failed: true, starting: false, reason: messageOf(error) });
    }
  }

  /** @throws TrellisError when it cannot run here as things are: nothing is carried along. */
  async #enableAlone(id: string): Promise<void> {
    this.#plan.assertRunnable(id);
    const needs = this.#plan.needs(id);
    if (needs.length > 0) throw pluginErrors.create('PLUGIN_NEEDS_OTHERS', { plugin: id, needs });
    this.#plan.assertNoConflict(id, []);
    await this.#activate(this.#plan.entry(id), 'enabled');
  }

  async #activate(entry: PluginEntry<Context>, afterFailure: 'enabled' | 'disabled'): Promise<void> {
    const { id, manifest } = entry.known;
    if (manifest === undefined) throw pluginErrors.create('PLUGIN_MISSING', { plugin: id });
    try {
      const running = await this.#activation.activate(
        manifest,
        isSystem(entry.known) ? 'enabled' : afterFailure,
      );
      this.#table.update(id, {
        running,
        wish: 'enabled',
        failed: false,
        starting: false,
        reason: undefined,
        suspended: [],
      });
    } catch (error) {
      this.#budget.forget(id);
      const reason = messageOf(error);
      this.#table.update(id, { wish: afterFailure, failed: true, starting: false, reason });
      throw error;
    }
  }

  async #deactivate(id: string): Promise<void> {
    await this.#withdraw(id);
    this.#table.update(id, { wish: 'disabled', failed: false, reason: undefined });
  }

  /** Takes back what it did and changes no decision. */
  async #withdraw(id: string): Promise<void> {
    const { running, known } = this.#plan.entry(id);
    if (running !== undefined && known.manifest !== undefined) {
      await this.#activation.deactivate(known.manifest, running);
      this.#budget.forget(id);
    }
    this.#table.update(id, { running: undefined, suspended: [] });
  }

  /** Undoes an enabling that was only carried along. Never throws, since the error that led here matters more. */
  async #takeBack(id: string): Promise<void> {
    try {
      await this.#persist(id, 'disabled');
    } catch (error) {
      this.#host.onError(error, id, 'persist');
    }
    await this.#deactivate(id);
  }

  #degrade(id: string): void {
    if (this.#table.get(id)?.running === undefined) return;
    const suspended = this.#budget.suspendedOf(id);
    const reason = `Parts of it failed too often and are out of service: ${suspended.join(', ')}. Enabling it again puts them back.`;
    this.#table.update(id, { suspended, reason });
  }

  async #resume(id: string): Promise<void> {
    await this.#budget.resume(id);
    this.#table.update(id, { suspended: [], reason: undefined });
  }

  async #persist(id: string, state: PersistedPluginState, reason?: string): Promise<void> {
    const what = `Storing the state of plugin '${id}'`;
    await withTimeLimit(this.#clock, this.#limits.hook, what, () => this.#host.persist?.(id, state, reason));
  }

  /** What the host knows, then what the plugin says of itself; either may fail without hiding the other. */
  async #usage(id: string): Promise<readonly PluginUsage[]> {
    const { known, running } = this.#plan.entry(id);
    const { manifest } = known;
    if (manifest === undefined) return [];
    const ofHost = await this.#ask(id, () => this.#host.usage?.(manifest));
    const ofPlugin = await this.#ask(id, () => running?.module.usage?.(running.context));
    return [...ofHost, ...ofPlugin.map((message) => ({ message }))];
  }

  async #ask<T>(id: string, report: () => Promise<readonly T[]> | undefined): Promise<readonly T[]> {
    try {
      const what = `The usage report of plugin '${id}'`;
      return (await withTimeLimit(this.#clock, this.#limits.hook, what, report)) ?? [];
    } catch (error) {
      this.#host.onError(error, id, 'usage');
      return [];
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
