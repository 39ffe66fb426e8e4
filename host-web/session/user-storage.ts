import type { ApiClient, UserStorage } from '@trellis/sdk/web';

const path = '/api/v1/user-storage';

/** Told of an error that nobody waits for. */
type OnError = (error: unknown) => void;

/**
 * Small values of the person who is signed in. The server keeps them, so they follow the person to another browser; the page
 * reads them from memory. In an embedded page nothing is read or kept.
 *
 * On the wire, `GET` gives every value as one object (`{ "<owner>.<key>": value }`) and `PUT` takes those that changed, where
 * null takes one away.
 */
export class SyncedUserStorage {
  readonly #api: ApiClient;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  #values: Record<string, unknown> = {};

  constructor(api: ApiClient, options: { readonly enabled: boolean; readonly onError: OnError }) {
    this.#api = api;
    this.#enabled = options.enabled;
    this.#onError = options.onError;
  }

  /** Reads what the server keeps for this person. */
  async load(): Promise<void> {
    if (!this.#enabled) return;
    try {
      const values = await this.#api.request<Record<string, unknown>>({ path });
      this.#values = { ...values };
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Forgets the person's values; the server keeps them. */
  clear(): void {
    this.#values = {};
  }

  /** The part that belongs to one owner. */
  of(owner: string): UserStorage {
    const keyOf = (key: string) => `${owner}.${key}`;
    return {
      get: <T>(key: string) => this.#values[keyOf(key)] as T | undefined,
      set: (key, value) => this.#set(keyOf(key), value),
      delete: (key) => this.#set(keyOf(key), undefined),
    };
  }

  #set(key: string, value: unknown): void {
    if (value === undefined) delete this.#values[key];
    else this.#values[key] = value;
    if (!this.#enabled) return;
    // null is how a value is taken away on the wire.
    const body = { [key]: value ?? null };
    void this.#api.request({ method: 'PUT', path, body }).catch(this.#onError);
  }
}
