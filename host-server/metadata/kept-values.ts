/**
 * Values that are loaded when they are first asked for and kept until they are forgotten, as when a generation moved.
 *
 * Many who ask at once wait for one load. Not kept are `undefined` (what is not there may be made next), a load that fails, and
 * one that began before its key was forgotten: what it read is for those who asked before.
 */
export class KeptValues<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value | Promise<Value>>();

  /** When there are more than `most` values, all of them are forgotten. */
  constructor(most = 20_000) {
    this.#most = most;
  }

  /** The value itself when it is there, so that a caller who has it at once needs no promise. */
  get(key: string, load: () => Promise<Value>): Value | Promise<Value> {
    return this.#values.get(key) ?? this.#load(key, load);
  }

  /** Forgets one value, or all of them. */
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
