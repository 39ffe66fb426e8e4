/**
 * Values that are loaded on first use and kept until they are dropped, for example when a generation changed.
 *
 * Concurrent callers share one load. Not kept are `undefined` (a missing value may be created next), a failed load, and one that
 * began before its key was dropped: its result is only for the earlier callers.
 */
export class KeptValues<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value | Promise<Value>>();

  /** When there are more than `most` values, all of them are dropped. */
  constructor(most = 20_000) {
    this.#most = most;
  }

  /** The value itself if it is loaded, so that the caller needs no promise. */
  get(key: string, load: () => Promise<Value>): Value | Promise<Value> {
    return this.#values.get(key) ?? this.#load(key, load);
  }

  /** Drops one value, or all of them. */
  forget(key?: string): void {
    if (key === undefined) this.#values.clear();
    else this.#values.delete(key);
  }

  #load(key: string, load: () => Promise<Value>): Promise<Value> {
    if (this.#values.size >= this.#most) this.#values.clear();
    const loading = load();
    this.#values.set(key, loading);
    const settle = (value: Value | undefined) => {
      if (this.#values.get(key) !== loading) return;
      if (value === undefined) this.#values.delete(key);
      else this.#values.set(key, value);
    };
    loading.then(settle, () => settle(undefined));
    return loading;
  }
}
