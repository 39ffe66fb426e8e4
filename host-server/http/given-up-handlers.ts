/** Handlers of one plugin that may run on after they were given up. */
const mostRunning = 16;

/**
 * Counts the handlers that nobody waits for any more and that run on all the same: each of them holds memory, and maybe connections,
 * though its call has given its place back.
 */
export class GivenUpHandlers {
  /** Counts by the plugin's signal, so that a plugin that is started again begins with none. */
  readonly #running = new WeakMap<object, number>();

  /** Whether the plugin has no room for another handler until one of those that were given up ends. */
  isFull(plugin: object | undefined): boolean {
    return plugin !== undefined && (this.#running.get(plugin) ?? 0) >= mostRunning;
  }

  /** Counts a handler until it ends. True for the handler that reaches the limit. */
  add(plugin: object | undefined, work: Promise<unknown>): boolean {
    if (plugin === undefined) return false;
    const change = (by: number): number => {
      const count = (this.#running.get(plugin) ?? 0) + by;
      this.#running.set(plugin, count);
      return count;
    };
    work.then(
      () => change(-1),
      () => change(-1),
    );
    return change(1) === mostRunning;
  }
}
