import { ErrorBudget } from '../errors/error-budget.ts';
import { messageOf } from '../errors/readable-error.ts';
import { systemClock } from '../lifecycle/clock.ts';
import type { Disposable } from '../lifecycle/disposable.ts';
import type { Event } from '../lifecycle/emitter.ts';
import { PluginActivation } from './plugin-activation.ts';
import { pluginErrors } from './plugin-errors.ts';
import type { PluginGraph } from './plugin-graph.ts';
import { defaultLimits, type KnownPlugin, type PluginChange } from './plugin-host.ts';
import type { PluginHost, PluginLimits, PluginState, PluginStatus, PluginUsage } from './plugin-host.ts';
import { PluginPlanner, type DisablePlan, type EnablePlan } from './plugin-planner.ts';
import { PluginQuestions } from './plugin-questions.ts';
import { PluginRecovery } from './plugin-recovery.ts';
import { PluginSwitch } from './plugin-switch.ts';
import { hasCrashed, isSystem, PluginTable } from './plugin-table.ts';
import { SerialQueue } from './serial-queue.ts';

export interface PluginManagerOptions {
  /** The budget charged by the hooks and registries of this host; exhausting it degrades the plugin. */
  readonly budget?: ErrorBudget;
  readonly limits?: Partial<PluginLimits>;
}

export interface StartOptions {
  /** Starts only system plugins and stores no decisions. */
  readonly safeMode?: boolean;
  /** Called when the system plugins run and the others, which may be slow, are yet to start. */
  readonly onSystemReady?: () => void;
}

export interface CascadeOptions {
  /** Switches dependent plugins as well; without it the operation is refused with their list. */
  readonly cascade?: boolean;
}

export interface EnableOptions extends CascadeOptions {
  /** Whether another server with the same data already decided that it runs: a failure here does not change that decision. */
  readonly isDecided?: boolean;
}

/**
 * Switches plugins on and off while the host runs, one operation at a time. The same class serves server and browser.
 *
 * A plugin's own `setup` and hooks must not wait for an operation of the manager, which would wait for them in turn.
 */
export class PluginManager<Context> {
  readonly #table: PluginTable<Context>;
  readonly #plan: PluginPlanner<Context>;
  readonly #activation: PluginActivation<Context>;
  readonly #switch: PluginSwitch<Context>;
  readonly #recovery: PluginRecovery<Context>;
  readonly #questions: PluginQuestions<Context>;
  readonly #queue = new SerialQueue();
  readonly #budgetListener: Disposable;
  #isSafeMode = false;

  /** Fired after every change of a plugin's status. */
  readonly onDidChange: Event<PluginChange>;

  constructor(host: PluginHost<Context>, options: PluginManagerOptions = {}) {
    const limits = { ...defaultLimits, ...options.limits };
    const clock = host.clock ?? systemClock;
    const budget = options.budget ?? new ErrorBudget({ clock });
    this.#table = new PluginTable(host.version);
    this.#plan = new PluginPlanner(this.#table);
    this.#activation = new PluginActivation(host, limits, clock);
    const parts = { host, limits, clock, budget, table: this.#table, plan: this.#plan };
    this.#switch = new PluginSwitch({ ...parts, activation: this.#activation });
    this.#recovery = new PluginRecovery({ ...parts, switch: this.#switch, queue: this.#queue });
    this.#questions = new PluginQuestions(parts);
    this.onDidChange = this.#table.onDidChange;
    this.#budgetListener = budget.onDidExhaust(({ owner }) => this.#switch.degrade(owner));
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
   * Adds plugins, or replaces the facts about them; nothing is started.
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
   * Replaces a plugin, which may be running, by another version or build, or removes it if its folder is gone. No decision
   * changes: a running plugin and its dependents are switched off and on again, and one that is off stays off. The new version is
   * checked, loaded and migrated before the old one stops.
   *
   * @throws TrellisError `PLUGIN_INCOMPATIBLE`, `PLUGIN_FAILED`, `PLUGIN_HELD_UP`, `PLUGIN_CONFLICT`, `PLUGIN_NEEDS_OTHERS`; then
   * the plugins that ran before run again, and only migrations remain.
   */
  replace(next: KnownPlugin): Promise<void> {
    return this.#queue.run(async () => {
      const { known: before, running } = this.#plan.entry(next.id);
      if (running !== undefined) {
        this.#plan.assertReplaceable(next);
        if (next.manifest !== undefined) await this.#activation.prepare(next.manifest);
        for (const at of [...this.#plan.runningDependents(next.id), next.id]) await this.#switch.withdraw(at);
      }
      this.#table.put([next]);
      try {
        const isWanted = running !== undefined || this.#isWanted(next.id);
        if (next.manifest !== undefined && isWanted) await this.#switch.enableAlone(next.id);
      } catch (error) {
        this.#table.put([before]);
        if (running !== undefined) await this.#switch.startAgain(this.#plan.entry(next.id), running);
        else this.#table.update(next.id, { failed: true, reason: messageOf(error) });
        throw error;
      } finally {
        const dependents = new Set(this.graph.dependentsOf(next.id, { transitive: true }));
        for (const at of this.graph.order)
          if (dependents.has(at) && this.#isWanted(at)) await this.#switch.startOne(this.#plan.entry(at));
      }
    });
  }

  /**
   * Runs work while a plugin and its dependents are off; one that is off stays off. No decision changes: if the process ends
   * during the work, the next start switches them on again. A plugin that cannot be set up again afterwards is marked as failed,
   * as at a start.
   *
   * @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_IS_SYSTEM`, and the errors of the work
   */
  whileOff<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      this.#plan.assertNotSystem(id);
      const isOn = this.#plan.entry(id).running !== undefined;
      const all = isOn ? [...this.#plan.runningDependents(id), id] : [];
      for (const at of all) this.#plan.assertNotSystem(at);
      for (const at of all) await this.#switch.withdraw(at);
      try {
        return await work();
      } finally {
        for (const at of all.toReversed())
          if (!this.#switch.isStopping) await this.#switch.startOne(this.#plan.entry(at));
      }
    });
  }

  /** Why a plugin that is not installed yet could not run here, or why others could not run with it; empty when all can. */
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
   * Enables all plugins that should run: system plugins, then built-in ones, then installed ones, each after its dependencies. A
   * plugin that fails is marked, and the start goes on. Plugins whose turn has not come are `starting`.
   *
   * @throws TrellisError of the first *system* plugin that could not be enabled; running plugins keep running until `stop`.
   */
  start(options: StartOptions = {}): Promise<void> {
    this.#isSafeMode = options.safeMode === true;
    return this.#queue.run(async () => {
      for (const { id, system } of this.list()) {
        if (system) this.#plan.assertRunnable(id);
        const { known } = this.#plan.entry(id);
        if (known.persisted === 'starting' && hasCrashed(known))
          await this.#switch.persist(id, 'crashed', this.#plan.entry(id).reason);
      }
      const { system, others } = this.#plan.startOrder();
      const pending = others.filter((id) => this.#willStart(id, options));
      for (const id of pending) this.#table.update(id, { starting: true });
      for (const id of system.filter((at) => this.#willStart(at, options))) {
        await this.#switch.startOne(this.#plan.entry(id));
      }
      options.onSystemReady?.();
      for (const id of pending) {
        if (this.#switch.isStopping) return;
        await this.#switch.startOne(this.#plan.entry(id));
      }
    });
  }

  /** The plugins that enabling would enable too, and the obstacles. */
  planEnable(id: string): EnablePlan {
    this.#plan.entry(id);
    const needs = this.#plan.needs(id);
    const conflicts = new Set([...needs, id].flatMap((at) => this.#plan.conflicts(at, [])));
    return { needs, conflicts: [...conflicts], problems: this.#table.incompatibilities(id) };
  }

  /**
   * Enables a plugin without a restart. Enabling a degraded plugin restores its suspended parts.
   *
   * @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_MISSING`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_NEEDS_OTHERS`, `PLUGIN_CONFLICT`,
   * `PLUGIN_FAILED`, `PLUGIN_HELD_UP`, `PLUGIN_HOST_STOPPING`; then everything is as before, except migrations.
   */
  enable(id: string, options: EnableOptions = {}): Promise<void> {
    return this.#queue.run(async () => {
      this.#assertServing();
      if (this.#plan.entry(id).running !== undefined) return this.#switch.resume(id);
      this.#plan.assertRunnable(id);
      const needs = this.#plan.needs(id);
      if (needs.length > 0 && options.cascade !== true) {
        throw pluginErrors.create('PLUGIN_NEEDS_OTHERS', { plugin: id, needs });
      }
      const all = [...needs, id];
      for (const at of all) this.#plan.assertNoConflict(at, all);
      const isDecided = (at: string) => options.isDecided === true || this.#plan.entry(at).wish === 'enabled';
      const former = new Map(all.map((at) => [at, isDecided(at) ? 'enabled' : 'disabled'] as const));
      const enabled: string[] = [];
      try {
        for (const at of all) {
          await this.#switch.activate(this.#plan.entry(at), former.get(at) ?? 'disabled');
          enabled.unshift(at);
        }
      } catch (error) {
        for (const at of enabled) if (former.get(at) === 'disabled') await this.#switch.takeBack(at);
        throw error;
      }
    });
  }

  /** The plugins that disabling would disable too, and their uses. */
  async planDisable(id: string): Promise<DisablePlan> {
    this.#plan.entry(id);
    const dependents = this.#plan.runningDependents(id);
    const usage: Record<string, readonly PluginUsage[]> = {};
    for (const at of [...dependents, id]) usage[at] = await this.#questions.usage(at);
    return { dependents, usage };
  }

  /**
   * Disables a plugin without a restart. Data and migrations stay.
   *
   * @throws TrellisError `PLUGIN_NOT_FOUND`, `PLUGIN_IS_SYSTEM`, `PLUGIN_HAS_DEPENDENTS`, `PLUGIN_HOST_STOPPING`, or the veto of
   * a handler; then nothing has changed.
   */
  disable(id: string, options: CascadeOptions = {}): Promise<void> {
    return this.#queue.run(async () => {
      this.#assertServing();
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
      for (const at of all) await this.#switch.persist(at, 'disabled');
      for (const at of all) await this.#switch.deactivate(at);
    });
  }

  /**
   * Disables a plugin whose code threw an error that nobody could catch (in a timer, a late callback), and sets it up again with
   * its dependents. When that happens again within a minute, it stays off until somebody enables it.
   *
   * @returns whether the host may continue; false for a system plugin, and for an unknown one.
   */
  recover(id: string, error: unknown): boolean {
    return this.#recovery.recover(id, error);
  }

  /** Whether it runs and has a test of its settings. */
  hasTest(id: string): boolean {
    return this.#questions.hasTest(id);
  }

  /**
   * Runs a plugin's own test of settings, stored or not.
   *
   * @throws TrellisError `PLUGIN_NOT_RUNNING`, `PLUGIN_TEST_MISSING`, and the errors of the test.
   */
  test(id: string, settings: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.#questions.test(id, settings);
  }

  /** Asks a running plugin whether settings may be stored. Rejects with the plugin's objection. */
  willSave(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#questions.willSave(id, settings);
  }

  /** Undoes everything, dependents first, without storing decisions: the host is shutting down. */
  stop(): Promise<void> {
    this.#switch.isStopping = true;
    this.#activation.interrupt();
    return this.#queue.run(async () => {
      for (const id of [...this.graph.order].reverse()) {
        if (this.#plan.entry(id).running !== undefined) await this.#switch.withdraw(id);
      }
      await this.#budgetListener.dispose();
    });
  }

  /** Refuses operations while the host stops: they would fail, and the next start would take that for a decision. */
  #assertServing(): void {
    if (this.#switch.isStopping) throw pluginErrors.create('PLUGIN_HOST_STOPPING');
  }

  /** Whether somebody decided that it runs, but it does not run. */
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
}
