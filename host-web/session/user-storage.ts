import type { Clock } from '@trellis/core';
import { ApiError, type ApiClient, type UserStorage } from '@trellis/sdk/web';

const path = '/api/v1/user-storage';
/** Milliseconds before the next attempt after a failed request. */
const retryPause = 5000;

/** Called for an error that no caller waits for. */
type OnError = (error: unknown) => void;

/**
 * Small values of the signed-in person. The server stores them, so that they follow the person to another browser; the page reads
 * them from memory. An embedded page neither reads nor stores any.
 *
 * A new value is often derived from the former one. So nothing is sent before the server's values were read, and where the server
 * has a value that the page did not know, the server's value stays. Changes are sent one after another, and again if the server
 * failed.
 *
 * `GET` returns all values as one object (`{ "<owner>.<key>": value }`), and `PUT` takes the changed ones, where null removes one.
 */
export class SyncedUserStorage {
  readonly #api: ApiClient;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  readonly #clock: Pick<Clock, 'after'>;
  #values: Record<string, unknown> = {};
  /** Changes that the server does not have yet, by key. */
  #unsent: Record<string, unknown> = {};
  /** Changes that are being sent, by key. */
  #sending: Record<string, unknown> = {};
  /** Changes that were made or sent while the server's values are being read: those may be older. */
  #meanwhile: Record<string, unknown> = {};
  #readings = 0;
  #isLoaded = false;
  #isSending = false;
  /** Differs for each person, so that answers for the former person change nothing. */
  #person = 0;

  constructor(
    api: ApiClient,
    options: { readonly enabled: boolean; readonly onError: OnError; readonly clock: Pick<Clock, 'after'> },
  ) {
    this.#api = api;
    this.#enabled = options.enabled;
    this.#onError = options.onError;
    this.#clock = options.clock;
  }

  /** Reads this person's values from the server; repeats this after a failure. */
  async load(): Promise<void> {
    if (!this.#enabled) return;
    const person = this.#person;
    this.#readings += 1;
    // Unsent changes may be sent before the answer arrives.
    this.#meanwhile = { ...this.#sending, ...this.#meanwhile, ...this.#unsent };
    try {
      const kept = await this.#api.request<Record<string, unknown>>({ path });
      if (person !== this.#person) return;
      const isNewer = ([key]: readonly [string, unknown]) => this.#isLoaded || !(key in kept);
      const newer = (changes: object) => Object.fromEntries(Object.entries(changes).filter(isNewer));
      this.#unsent = newer(this.#unsent);
      this.#values = withChanges(kept, { ...newer(this.#meanwhile), ...this.#unsent });
      this.#isLoaded = true;
      void this.#send();
    } catch (error) {
      if (person !== this.#person) return;
      this.#onError(error);
      this.#later(() => this.load());
    } finally {
      if (person === this.#person) this.#didRead();
    }
  }

  #didRead(): void {
    this.#readings -= 1;
    if (this.#readings === 0) this.#meanwhile = {};
  }

  /** Forgets the person's values; the server keeps them. */
  clear(): void {
    this.#person += 1;
    this.#values = {};
    this.#unsent = {};
    this.#sending = {};
    this.#meanwhile = {};
    this.#readings = 0;
    this.#isLoaded = false;
    this.#isSending = false;
  }

  /** The part that belongs to one owner. */
  of(owner: string): UserStorage {
    const keyOf = (key: string) => `${owner}.${key}`;
    return {
      get: <T>(key: string) => this.#values[keyOf(key)] as T | undefined,
      set: (key, value) => this.#set(keyOf(key), value),
      delete: (key) => this.#set(keyOf(key), undefined),
      refresh: () => this.load(),
    };
  }

  #set(key: string, value: unknown): void {
    // In requests, null removes a value.
    const change = { [key]: value ?? null };
    this.#values = withChanges(this.#values, change);
    if (!this.#enabled) return;
    this.#unsent = { ...this.#unsent, ...change };
    if (this.#readings > 0) this.#meanwhile = { ...this.#meanwhile, ...change };
    // Changes that are made together are sent together.
    queueMicrotask(() => void this.#send());
  }

  /** Sends the unsent changes, one request at a time: a later value never arrives before an earlier one. */
  async #send(): Promise<void> {
    const person = this.#person;
    if (!this.#isLoaded || this.#isSending || Object.keys(this.#unsent).length === 0) return;
    const body = this.#unsent;
    this.#unsent = {};
    this.#sending = body;
    this.#isSending = true;
    try {
      await this.#api.request({ method: 'PUT', path, body });
    } catch (error) {
      if (person !== this.#person) return;
      this.#onError(error);
      if (mayPass(error)) {
        this.#unsent = { ...body, ...this.#unsent };
        this.#later(() => {
          this.#isSending = false;
          return this.#send();
        });
        return;
      }
    }
    if (person !== this.#person) return;
    this.#sending = {};
    this.#isSending = false;
    void this.#send();
  }

  #later(act: () => Promise<void>): void {
    const person = this.#person;
    this.#clock.after(retryPause, () => {
      if (person === this.#person) void act();
    });
  }
}

/** Whether the same request may succeed later. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

function withChanges(
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...values, ...changes }).filter(([, value]) => value !== null));
}
