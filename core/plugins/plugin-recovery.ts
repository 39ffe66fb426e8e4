import { messageOf } from '../errors/readable-error.ts';
import { isSystem } from './plugin-table.ts';
import type { PluginManagerParts, PluginSwitch } from './plugin-switch.ts';
import type { SerialQueue } from './serial-queue.ts';

interface PluginRecoveryParts<Context> extends Omit<PluginManagerParts<Context>, 'budget'> {
  readonly switch: PluginSwitch<Context>;
  readonly queue: SerialQueue;
}

/** Sets up plugins again whose code threw an error that nobody could catch. */
export class PluginRecovery<Context> {
  readonly #parts: PluginRecoveryParts<Context>;
  /** Plugins that are being set up again, and when each last was. */
  readonly #recovering = new Set<string>();
  readonly #recovered = new Map<string, number>();

  constructor(parts: PluginRecoveryParts<Context>) {
    this.#parts = parts;
  }

  /** See `PluginManager.recover`. */
  recover(id: string, error: unknown): boolean {
    const known = this.#parts.table.get(id)?.known;
    if (known === undefined || isSystem(known)) return false;
    this.#parts.host.onError(error, id, 'late error');
    // Errors during the recovery come from the same setup.
    if (!this.#recovering.has(id)) {
      this.#recovering.add(id);
      const recovery = this.#parts.queue.run(() => this.#setUpAnew(id, messageOf(error)));
      recovery
        .catch((failure: unknown) => this.#parts.host.onError(failure, id, 'late error'))
        .finally(() => this.#recovering.delete(id));
    }
    return true;
  }

  async #setUpAnew(id: string, message: string): Promise<void> {
    if (this.#parts.switch.isStopping || this.#parts.plan.entry(id).running === undefined) return;
    const dependents = this.#parts.plan.runningDependents(id);
    for (const at of [...dependents, id]) await this.#parts.switch.withdraw(at);
    const now = this.#parts.clock.now();
    const isRepeated = now - (this.#recovered.get(id) ?? -Infinity) < this.#parts.limits.recovery;
    this.#recovered.set(id, now);
    if (isRepeated) {
      const reason = `It was left off because its code threw where nobody could catch it: ${message}; enable it to try again.`;
      this.#parts.table.update(id, { wish: 'disabled', reason });
      await this.#parts.switch.persist(id, 'crashed', reason);
    } else await this.#parts.switch.startOne(this.#parts.plan.entry(id));
    for (const at of [...dependents].reverse()) await this.#parts.switch.startOne(this.#parts.plan.entry(at));
  }
}
