import type { TrellisError } from '../errors/trellis-error.ts';
import { pluginErrors } from './plugin-errors.ts';
import type { KnownPlugin, PluginUsage } from './plugin-host.ts';
import { isSystem, type PluginEntry, type PluginTable } from './plugin-table.ts';

/** The effects of disabling a plugin, to be shown before it is done. */
export interface DisablePlan {
  /** Enabled plugins that require it and would be disabled before it, in that order. */
  readonly dependents: readonly string[];
  /** The uses of each plugin that would be disabled. */
  readonly usage: Readonly<Record<string, readonly PluginUsage[]>>;
}

/** The effects of enabling a plugin. */
export interface EnablePlan {
  /** Plugins that would be enabled before it, in that order. */
  readonly needs: readonly string[];
  /** Enabled plugins that must be disabled before. */
  readonly conflicts: readonly string[];
  /** Why it cannot run here at all; empty when it can. */
  readonly problems: readonly string[];
}

/** Determines which other plugins an operation would switch, and what prevents it. Changes nothing. */
export class PluginPlanner<Context> {
  readonly #table: PluginTable<Context>;

  constructor(table: PluginTable<Context>) {
    this.#table = table;
  }

  /** @throws TrellisError `PLUGIN_NOT_FOUND`. */
  entry(id: string): PluginEntry<Context> {
    const entry = this.#table.get(id);
    if (entry === undefined) throw pluginErrors.create('PLUGIN_NOT_FOUND', { plugin: id });
    return entry;
  }

  /** Whether a start should enable it. */
  shouldRun({ known, wish }: PluginEntry<Context>): boolean {
    if (isSystem(known)) return true;
    return wish === undefined ? known.manifest?.enabledByDefault === true : wish === 'enabled';
  }

  /**
   * The order in which a start enables plugins: first the system's, without which the host cannot work, then the other built-in
   * ones, then installed ones, so that nobody waits for a slow one of these. Dependencies come before their dependents.
   */
  startOrder(): { readonly system: readonly string[]; readonly others: readonly string[] } {
    const { order } = this.#table.graph;
    const withNeeds = (belongs: (known: KnownPlugin) => boolean): ReadonlySet<string> =>
      new Set(
        order
          .filter((id) => belongs(this.entry(id).known))
          .flatMap((id) => [id, ...this.#table.graph.dependenciesOf(id, { transitive: true })]),
      );
    const ofSystem = withNeeds(isSystem);
    const builtIn = withNeeds(({ origin }) => origin === 'built-in');
    const others = order.filter((id) => !ofSystem.has(id));
    return {
      system: order.filter((id) => ofSystem.has(id)),
      others: [...others.filter((id) => builtIn.has(id)), ...others.filter((id) => !builtIn.has(id))],
    };
  }

  /** Plugins that are not running and must be enabled before it, in that order. */
  needs(id: string): readonly string[] {
    const needed = new Set(this.#table.graph.dependenciesOf(id, { transitive: true }));
    return this.#table.graph.order.filter(
      (at) => needed.has(at) && this.#table.get(at)?.running === undefined,
    );
  }

  /** Running plugins that require it, in an order in which they can be disabled. */
  runningDependents(id: string): readonly string[] {
    const dependents = new Set(this.#table.graph.dependentsOf(id, { transitive: true }));
    return this.#table.graph.order
      .filter((at) => dependents.has(at) && this.#table.get(at)?.running !== undefined)
      .reverse();
  }

  /** The plugins, running or about to run, that conflict with it. */
  conflicts(id: string, aboutToRun: readonly string[]): readonly string[] {
    return this.#table.graph
      .conflictsOf(id)
      .map((conflict) => (conflict.plugin === id ? conflict.with : conflict.plugin))
      .filter((other) => this.#table.get(other)?.running !== undefined || aboutToRun.includes(other));
  }

  incompatible(id: string): TrellisError {
    const reason = this.#table.incompatibilities(id).join('\n');
    return pluginErrors.create('PLUGIN_INCOMPATIBLE', { plugin: id, reason });
  }

  /** @throws TrellisError when it is present but cannot run here. */
  assertRunnable(id: string): void {
    if (this.#table.status(id)?.state === 'missing')
      throw pluginErrors.create('PLUGIN_MISSING', { plugin: id });
    if (this.#table.incompatibilities(id).length > 0) throw this.incompatible(id);
  }

  /**
   * @throws TrellisError `PLUGIN_INCOMPATIBLE` when the new version cannot run here, or a running plugin that needs it cannot run
   * with it. A plugin whose folder is gone is not checked, since nobody chose that.
   */
  assertReplaceable(next: KnownPlugin): void {
    if (next.manifest === undefined) return;
    for (const id of [next.id, ...this.runningDependents(next.id)]) {
      const reason = this.#table.incompatibilitiesAfter(next, id).join('\n');
      if (reason !== '') throw pluginErrors.create('PLUGIN_INCOMPATIBLE', { plugin: id, reason });
    }
  }

  /** @throws TrellisError `PLUGIN_CONFLICT` naming both. */
  assertNoConflict(id: string, aboutToRun: readonly string[]): void {
    const [other] = this.conflicts(id, aboutToRun);
    if (other !== undefined) throw pluginErrors.create('PLUGIN_CONFLICT', { plugin: id, other });
  }

  /** @throws TrellisError `PLUGIN_IS_SYSTEM`. */
  assertNotSystem(id: string): void {
    if (isSystem(this.entry(id).known)) throw pluginErrors.create('PLUGIN_IS_SYSTEM', { plugin: id });
  }

  /** @throws TrellisError `PLUGIN_IS_RUNNING`. */
  assertIdle(id: string): void {
    if (this.#table.get(id)?.running !== undefined)
      throw pluginErrors.create('PLUGIN_IS_RUNNING', { plugin: id });
  }
}
