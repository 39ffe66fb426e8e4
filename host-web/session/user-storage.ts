import type { Clock } from '@trellis/core';
import { ApiError, type ApiClient, type UserStorage } from '@trellis/sdk/web';

const path = '/api/v1/user-storage';
/** Milliseconds after which the server is asked again that could not answer. */
const retryPause = 5000;

/** Told of an error that nobody waits for. */
type OnError = (error: unknown) => void;

/**
 * Small values of the person who is signed in. The server keeps them, so they follow the person to another browser; the page
 * reads them from memory. In an embedded page nothing is read or kept.
 *
 * A value is often made from the one before it. Nothing is therefore sent until the server's values were read, and where it keeps a
 * value that the page did not know, that one stays. Changes are sent one after the other, and again when the server could not take
 * them.
 *
 * On the wire, `GET` gives every value as one object (`{ "<owner>.<key>": value }`) and `PUT` takes those that changed, where
 * null takes one away.
 */
export class SyncedUserStorage {
  readonly #api: ApiClient;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  readonly #clock: Pick<Clock, 'after'>;
  #values: Record<string, unknown> = {};
  /** What the server is still to be told, by key. */
  #unsent: Record<string, unknown> = {};
  /** What is being sent, by key. */
  #sending: Record<string, unknown> = {};
  /** What was set or sent while the server's values are being read: those may be older. */
  #meanwhile: Record<string, unknown> = {};
  #readings = 0;
  #isLoaded = false;
  #isSending = false;
  /** Another number for each person: what was asked for the one before changes nothing. */
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

  /** Reads what the server keeps for this person; where that fails, again from time to time. */
  async load(): Promise<void> {
    if (!this.#enabled) return;
    const person = this.#person;
    this.#readings += 1;
    // What is unsent may be on its way before the answer comes.
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
    // null is how a value is taken away on the wire.
    const change = { [key]: value ?? null };
    this.#values = withChanges(this.#values, change);
    if (!this.#enabled) return;
    this.#unsent = { ...this.#unsent, ...change };
    if (this.#readings > 0) this.#meanwhile = { ...this.#meanwhile, ...change };
    // What is set together is sent together.
    queueMicrotask(() => void this.#send());
  }

  /** Sends what is unsent, in one request at a time: a later value never arrives before an earlier one. */
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

/** Whether the same request may be answered another time. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

function withChanges(
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...values, ...changes }).filter(([, value]) => value !== null));
}
