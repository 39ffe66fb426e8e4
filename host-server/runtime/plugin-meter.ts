/** The calls of a plugin since the process began. */
export interface MeteredWork {
  readonly calls: number;
  /** Milliseconds until its answers came, including waiting: one thread cannot tell whose computing time it was. */
  readonly milliseconds: number;
  readonly longest: number;
}

/** Counts the calls of plugins that are not part of the product, and measures the time of their answers. */
export class PluginMeter {
  readonly #work = new Map<string, MeteredWork>();

  of(pluginId: string): MeteredWork | undefined {
    return this.#work.get(pluginId);
  }

  /** Runs work; if its answer never comes, the call counts without time. */
  measure<T>(pluginId: string, work: () => T): T {
    const began = performance.now();
    const end = (): void => this.#add(pluginId, performance.now() - began);
    let answer: T;
    try {
      answer = work();
    } catch (error) {
      this.#count(pluginId);
      end();
      throw error;
    }
    this.#count(pluginId);
    if (answer instanceof Promise) answer.then(end, end);
    else end();
    return answer;
  }

  #count(pluginId: string): void {
    const { calls, milliseconds, longest } = this.#work.get(pluginId) ?? nothing;
    this.#work.set(pluginId, { calls: calls + 1, milliseconds, longest });
  }

  #add(pluginId: string, took: number): void {
    const { calls, milliseconds, longest } = this.#work.get(pluginId) ?? nothing;
    this.#work.set(pluginId, {
      calls,
      milliseconds: milliseconds + took,
      longest: Math.max(longest, took),
    });
  }
}

const nothing: MeteredWork = { calls: 0, milliseconds: 0, longest: 0 };
