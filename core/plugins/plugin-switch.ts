import type { ErrorBudget } from '../errors/error-budget.ts';
import { messageOf } from '../errors/readable-error.ts';
import { withTimeLimit, type Clock } from '../lifecycle/clock.ts';
import type { PluginActivation, RunningPlugin } from './plugin-activation.ts';
import { pluginErrors } from './plugin-errors.ts';
import type { PersistedPluginState, PluginHost, PluginLimits, PluginModule } from './plugin-host.ts';
import type { PluginPlanner } from './plugin-planner.ts';
import { isSystem, nothingSpent, type PluginEntry, type PluginTable } from './plugin-table.ts';

/** The parts that the classes of a plugin manager share. */
export interface PluginManagerParts<Context> {
  readonly host: PluginHost<Context>;
  readonly limits: PluginLimits;
  readonly clock: Clock;
  readonly budget: ErrorBudget;
  readonly table: PluginTable<Context>;
  readonly plan: PluginPlanner<Context>;
}

/** Switches a single plugin without others, and updates the table. The caller ensures the order and that operations do not overlap. */
export class PluginSwitch<Context> {
  readonly #parts: PluginManagerParts<Context> & { readonly activation: PluginActivation<Context> };
  /** Set once the host shuts down: later failures are no fault of a plugin. */
  isStopping = false;

  constructor(parts: PluginManagerParts<Context> & { readonly activation: PluginActivation<Context> }) {
    this.#parts = parts;
  }

  /** Enables it as during a start: a failure is reported and marked, and the caller goes on. @throws the error of a system plugin */
  async startOne(entry: PluginEntry<Context>): Promise<void> {
    await this.#markFailure(entry, () => this.enableAlone(entry.known.id));
  }

  /**
   * Enables a plugin that ran a moment ago with the code it ran with, since its folder may contain the version that failed to
   * replace it. Otherwise as `startOne`.
   */
  async startAgain(entry: PluginEntry<Context>, { module }: RunningPlugin<Context>): Promise<void> {
    await this.#markFailure(entry, () => this.activate(entry, 'enabled', module));
  }

  async #markFailure(entry: PluginEntry<Context>, enable: () => Promise<void>): Promise<void> {
    const { id } = entry.known;
    try {
      await enable();
    } catch (error) {
      if (isSystem(entry.known)) throw error;
      if (!this.isStopping) this.#parts.host.onError(error, id, 'start');
      this.#parts.table.update(id, { failed: true, starting: false, reason: messageOf(error) });
    }
  }

  /** @throws TrellisError when it cannot run in the present situation: no other plugin is switched */
  async enableAlone(id: string): Promise<void> {
    this.#parts.plan.assertRunnable(id);
    const needs = this.#parts.plan.needs(id);
    if (needs.length > 0) throw pluginErrors.create('PLUGIN_NEEDS_OTHERS', { plugin: id, needs });
    this.#parts.plan.assertNoConflict(id, []);
    await this.activate(this.#parts.plan.entry(id), 'enabled');
  }

  /**
   * Sets it up.
   *
   * @param afterFailure the decision to store if that fails
   * @param loaded code that is loaded already
   * @throws the error of `setup`
   */
  async activate(
    entry: PluginEntry<Context>,
    afterFailure: 'enabled' | 'disabled',
    loaded?: PluginModule<Context>,
  ): Promise<void> {
    const { id, manifest } = entry.known;
    if (manifest === undefined) throw pluginErrors.create('PLUGIN_MISSING', { plugin: id });
    try {
      const running = await this.#parts.activation.activate(
        manifest,
        isSystem(entry.known) ? 'enabled' : afterFailure,
        loaded,
      );
      this.#parts.table.update(id, {
        running,
        wish: 'enabled',
        failed: false,
        starting: false,
        reason: undefined,
        ...nothingSpent,
      });
    } catch (error) {
      this.#parts.budget.forget(id);
      const reason = messageOf(error);
      this.#parts.table.update(id, { wish: afterFailure, failed: true, starting: false, reason });
      throw error;
    }
  }

  /** Undoes what it did, after somebody decided to switch it off. */
  async deactivate(id: string): Promise<void> {
    await this.withdraw(id);
    this.#parts.table.update(id, { wish: 'disabled', failed: false, reason: undefined });
  }

  /** Undoes what it did without storing a decision. */
  async withdraw(id: string): Promise<void> {
    const { running, known } = this.#parts.plan.entry(id);
    if (running !== undefined && known.manifest !== undefined) {
      await this.#parts.activation.deactivate(known.manifest, running);
      this.#parts.budget.forget(id);
      this.#parts.table.update(id, { running: undefined, reason: undefined, ...nothingSpent });
    }
  }

  /** Undoes the enabling of a plugin that was only switched along. Never throws, since the error that led here matters more. */
  async takeBack(id: string): Promise<void> {
    try {
      await this.persist(id, 'disabled');
    } catch (error) {
      this.#parts.host.onError(error, id, 'persist');
    }
    await this.deactivate(id);
  }

  /** Records which of its parts failed too often. */
  degrade(id: string): void {
    const { budget, table } = this.#parts;
    if (table.get(id)?.running === undefined) return;
    const suspended = budget.suspendedOf(id);
    const refusing = budget.refusingOf(id);
    const left = `Parts of it failed too often and are out of service: ${suspended.join(', ')}. Enabling it again puts them back.`;
    const asked = `It failed too often where it must be asked: ${refusing.join(', ')}. What it fails on is refused.`;
    const reason = [...(suspended.length > 0 ? [left] : []), ...(refusing.length > 0 ? [asked] : [])].join(
      ' ',
    );
    table.update(id, { suspended, refusing, reason });
  }

  /** Restores these parts. */
  async resume(id: string): Promise<void> {
    await this.#parts.budget.resume(id);
    this.#parts.table.update(id, { ...nothingSpent, reason: undefined });
  }

  /** Stores a decision, so that the next start knows it. */
  async persist(id: string, state: PersistedPluginState, reason?: string): Promise<void> {
    const what = `Storing the state of plugin '${id}'`;
    await withTimeLimit(this.#parts.clock, this.#parts.limits.hook, what, () =>
      this.#parts.host.persist?.(id, state, reason),
    );
  }
}
