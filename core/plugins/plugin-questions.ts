import { recordErrorOrigin } from '../errors/error-origin.ts';
import { isExpected } from '../errors/trellis-error.ts';
import { withTimeLimit } from '../lifecycle/clock.ts';
import { pluginErrors } from './plugin-errors.ts';
import type { PluginUsage } from './plugin-host.ts';
import type { PluginManagerParts } from './plugin-switch.ts';

/** Asks plugins about themselves: whether their settings work, and what uses them. */
export class PluginQuestions<Context> {
  readonly #parts: Omit<PluginManagerParts<Context>, 'budget'>;

  constructor(parts: Omit<PluginManagerParts<Context>, 'budget'>) {
    this.#parts = parts;
  }

  /** Whether it runs and has a test of its settings. */
  hasTest(id: string): boolean {
    return this.#parts.table.get(id)?.running?.module.test !== undefined;
  }

  /**
   * Runs a plugin's own test of settings, stored or not.
   *
   * @throws TrellisError `PLUGIN_NOT_RUNNING`, `PLUGIN_TEST_MISSING`, and the errors of the test.
   */
  async test(id: string, settings: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { running } = this.#parts.plan.entry(id);
    if (running === undefined) throw pluginErrors.create('PLUGIN_NOT_RUNNING', { plugin: id });
    const { module, context, scope } = running;
    if (module.test === undefined) throw pluginErrors.create('PLUGIN_TEST_MISSING');
    const test = module.test.bind(module, context, settings);
    return scope.track(
      withTimeLimit(this.#parts.clock, this.#parts.limits.test, `The test of plugin '${id}'`, test),
    );
  }

  /** Asks a running plugin whether settings may be stored. Rejects with the plugin's objection. */
  async willSave(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { running } = this.#parts.plan.entry(id);
    const willSave = running?.module.willSave?.bind(running.module, running.context, settings);
    if (running === undefined || willSave === undefined) return;
    const { clock, limits } = this.#parts;
    try {
      await running.scope.track(
        withTimeLimit(clock, limits.test, `The check of settings of plugin '${id}'`, willSave),
      );
    } catch (error) {
      if (!isExpected(error)) {
        this.#parts.host.onError(error, id, 'willSave');
        recordErrorOrigin(error, { owner: id, where: 'willSave' });
      }
      throw error;
    }
  }

  /** The uses that the host knows, then those that the plugin reports; a failure of one does not hide the other. */
  async usage(id: string): Promise<readonly PluginUsage[]> {
    const { known, running } = this.#parts.plan.entry(id);
    const { manifest } = known;
    if (manifest === undefined) return [];
    const ofHost = await this.#ask(id, () => this.#parts.host.usage?.(manifest));
    const ofPlugin = await this.#ask(id, () => running?.module.usage?.(running.context));
    return [...ofHost, ...ofPlugin.map((message) => ({ message }))];
  }

  async #ask<T>(id: string, report: () => Promise<readonly T[]> | undefined): Promise<readonly T[]> {
    try {
      const what = `The usage report of plugin '${id}'`;
      return (await withTimeLimit(this.#parts.clock, this.#parts.limits.hook, what, report)) ?? [];
    } catch (error) {
      this.#parts.host.onError(error, id, 'usage');
      return [];
    }
  }
}
