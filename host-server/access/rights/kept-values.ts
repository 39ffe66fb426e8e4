/**
 * Values that are loaded when they are first asked for and kept until they are forgotten.
 *
 * A load that fails is not kept, and neither is one that began before `forget`.
 */
export class KeptValues<Value extends object> {
  readonly #most: number;
  #values = new Map<string, Value | Promise<Value>>();

  /** When there are more than `most` values, all of them are forgotten. */
  constructor(most = 20_000) {
    this.#most = most;
  }

  /** The value itself when it is there, so that a caller who has it at once needs no promise. */
  get(key: string, load: () => Promise<Value>): Value | Promise<Value> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const values = this.#values;
    if (values.size >= this.#most) values.clear();
    const loading = load().then(
      (value) => {
        if (values.get(key) === loading) values.set(key, value);
        return value;
      },
      (error: unknown) => {
        if (values.get(key) === loading) values.delete(key);
        throw error;
      },
    );
    values.set(key, loading);
    return loading;
  }

  forget(): void {
    this.#values = new Map();
  }
}
