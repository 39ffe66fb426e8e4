/**
 * A map that keeps the recently used entries and drops the others.
 *
 * The entries are in two halves, of which one is being filled while the other ages, so that reading a frequently used entry is one
 * look-up and moves nothing.
 */
export class BoundedMap<Key, Value> {
  readonly #half: number;
  readonly #onDrop: ((value: Value) => void) | undefined;
  #recent = new Map<Key, Value>();
  #former = new Map<Key, Value>();

  /**
   * @param most the most entries
   * @param onDrop called with each value that is dropped for another one
   */
  constructor(most: number, onDrop?: (value: Value) => void) {
    this.#half = Math.max(1, Math.floor(most / 2));
    this.#onDrop = onDrop;
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const former = this.#former.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  set(key: Key, value: Value): void {
    this.#former.delete(key);
    this.#recent.set(key, value);
    if (this.#recent.size < this.#half) return;
    const dropped = this.#former;
    this.#former = this.#recent;
    this.#recent = new Map();
    if (this.#onDrop !== undefined) for (const old of dropped.values()) this.#onDrop(old);
  }
}
