import { Emitter, onUnexpectedError } from '@trellis/core';
import type { UserEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiClient, type SessionView } from '@trellis/sdk/web';
import { onChange, type HostStore } from '../store/store.ts';
import { sessionSlice } from '../store/session-slice.ts';
import type { AccessToken } from '../api/access-token.ts';
import type { TokenRefresh } from '../api/token-refresh.ts';

const mePath = '/api/v1/auth/user/me';
const signOutPath = '/api/v1/auth/user/signout';

/** `elsewhere`: another tab signed out, or another person signed in there. */
export type SessionEnd = 'signedOut' | 'expired' | 'elsewhere';

export interface SessionOptions {
  readonly store: HostStore;
  readonly api: ApiClient;
  readonly token: AccessToken;
  readonly refresh: TokenRefresh;
  /** Loads the person's data before anything is drawn for them. */
  readonly prepare: () => Promise<void>;
  /** An embedded page never uses the session of the signed-in person. */
  readonly embedded: boolean;
}

/** Who is signed in. The store holds this; only this class changes it. */
export class Session implements SessionView {
  readonly #options: SessionOptions;
  readonly #changed = new Emitter<void>();
  readonly #started = new Emitter<UserEntity>();
  readonly #ended = new Emitter<SessionEnd>();
  readonly #leaving = new Emitter<void>();
  readonly #paused = new Emitter<void>();
  readonly #resumed = new Emitter<UserEntity>();
  #checking: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;
  readonly onDidStart = this.#started.event;
  readonly onDidEnd = this.#ended.event;
  /** The person is signing out; the server still knows the session. */
  readonly onWillSignOut = this.#leaving.event;
  /** The session has expired while the page is open: the page waits for the same person. */
  readonly onDidPause = this.#paused.event;
  readonly onDidResume = this.#resumed.event;

  constructor(options: SessionOptions) {
    this.#options = options;
    onChange(
      options.store,
      ({ session }) => session,
      () => this.#changed.fire(),
    );
  }

  get user(): UserEntity | undefined {
    return this.#options.store.getState().session.user;
  }

  get status(): 'unknown' | 'guest' | 'signedIn' {
    return this.#options.store.getState().session.status;
  }

  get superAdmin(): boolean {
    return this.user?.roles.super === true;
  }

  /** Whether the session has expired and its person has not signed in again yet. */
  get isPaused(): boolean {
    return this.#options.store.getState().session.isPaused;
  }

  /** Resolves when the session is not paused, to whether its person is back. */
  untilResumed(): Promise<boolean> {
    if (!this.isPaused) return Promise.resolve(this.user !== undefined);
    return new Promise((resolve) => {
      const settle = (isBack: boolean): void => {
        void resumed.dispose();
        void ended.dispose();
        resolve(isBack);
      };
      const resumed = this.#resumed.event(() => settle(true));
      const ended = this.#ended.event(() => settle(false));
    });
  }

  token(): string | undefined {
    return this.#options.token.get();
  }

  /**
   * Restores the session from the refresh cookie, or finds that there is none. `announce` fires the event.
   *
   * @throws ApiError if the server cannot be reached: then the state stays unknown.
   */
  async restore(): Promise<void> {
    const { embedded, refresh } = this.#options;
    if (embedded || !(await refresh.run())) this.#end(undefined);
    else await this.#load();
  }

  /** Announces a restored session when the plugins have started and can receive it. */
  announce(): void {
    if (this.user !== undefined) this.#started.fire(this.user);
  }

  async signIn(token: string): Promise<void> {
    this.#options.token.set(token);
    if (this.isPaused) return this.#welcome(await this.#ask());
    await this.#load();
    this.announce();
  }

  /** Discards the page that waits for the person whose session expired. */
  leave(): void {
    if (this.isPaused) this.#end('expired');
  }

  /** Somebody signed in over a paused page: it continues for its own person and is discarded for another one. */
  async #welcome(user: UserEntity | undefined): Promise<void> {
    if (user === undefined) return this.#options.token.clear();
    if (user.id !== this.user?.id) return this.#replace(user);
    this.#options.store.dispatch(sessionSlice.actions.started(user));
    this.#resumed.fire(user);
  }

  async signOut(): Promise<void> {
    this.#leaving.fire();
    try {
      await this.#options.api.request({ method: 'POST', path: signOutPath, body: {} });
    } catch (error) {
      // Signing out never fails; the server forgets the session when its cookie expires.
      if (!(error instanceof ApiError)) onUnexpectedError(error);
    }
    this.#end('signedOut');
  }

  /**
   * Another tab reports whose session this browser has now; undefined: nobody's.
   *
   * @throws ApiError if the server cannot be asked who that is.
   */
  async follow(userId: string | undefined): Promise<void> {
    if (this.isPaused && this.user?.id === userId) return this.check();
    if (this.user?.id === userId) return;
    if (this.user !== undefined) this.#end('elsewhere');
    if (userId === undefined) return;
    await this.restore();
    this.announce();
  }

  /** The server no longer knows the session: the page waits for its person, and sends nothing more in their name. */
  expire(): void {
    if (this.status !== 'signedIn') return this.#end(undefined);
    this.#options.token.clear();
    if (this.isPaused) return;
    this.#options.store.dispatch(sessionSlice.actions.paused());
    this.#paused.fire();
  }

  /**
   * Asks the server who is signed in. An expired token is renewed first.
   *
   * @throws ApiError if the server cannot be reached.
   */
  check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkOnce(): Promise<void> {
    const { refresh } = this.#options;
    const user = (await this.#ask()) ?? ((await refresh.run()) ? await this.#ask() : undefined);
    if (user === undefined) this.expire();
    else if (this.isPaused) await this.#welcome(user);
    else if (this.user !== undefined && this.user.id !== user.id) await this.#replace(user);
    else this.#adopt(user);
  }

  /** The browser's cookie is now another person's: everything of the former person is discarded. */
  async #replace(user: UserEntity): Promise<void> {
    const { token, prepare } = this.#options;
    const renewed = token.get();
    this.#end('elsewhere');
    if (renewed !== undefined) token.set(renewed, user.id);
    await prepare();
    this.#adopt(user);
    this.announce();
  }

  async #load(): Promise<void> {
    const user = await this.#ask();
    if (user === undefined) {
      this.#end(undefined);
      return;
    }
    await this.#options.prepare();
    this.#adopt(user);
  }

  /** `user/me` never fails: without a valid token it returns the role of a guest. */
  async #ask(): Promise<UserEntity | undefined> {
    const user = await this.#options.api.request<UserEntity>({ path: mePath });
    return user.roles.guest === true || typeof user.id !== 'string' ? undefined : user;
  }

  #adopt(user: UserEntity): void {
    const known = this.user;
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(user)) return;
    this.#options.store.dispatch(sessionSlice.actions.started(user));
  }

  #end(reason: SessionEnd | undefined): void {
    this.#options.token.clear();
    this.#options.store.dispatch(sessionSlice.actions.ended());
    if (reason !== undefined) this.#ended.fire(reason);
  }
}
