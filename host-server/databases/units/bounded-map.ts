/** A map that keeps the entries used most recently and drops the others. */
export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #entries = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Answers the entry that was dropped for the new one. */
  set(key: Key, value: Value): Value | undefined {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return undefined;
    const [oldest] = this.#entries.keys();
    const dropped = oldest === undefined ? undefined : this.#entries.get(oldest);
    if (oldest !== undefined) this.#entries.delete(oldest);
    return dropped;
  }
}
