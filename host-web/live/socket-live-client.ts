import { Emitter, type Clock } from '@trellis/core';
import type {
  LiveEvent,
  LiveSaid,
  LiveSaying,
  LiveSubscribe,
  LiveSubscribeAnswer,
  LiveVisit,
} from '@trellis/sdk/shared';
import type { LiveClient, LiveTalk } from '@trellis/sdk/web';

/** The used part of a socket.io socket. */
export interface LiveSocket {
  readonly connected: boolean;
  /** Whether it reconnects by itself; false after the server refused or closed the connection on purpose. */
  readonly active: boolean;
  connect(): unknown;
  on(event: string, listener: (payload: never) => void): unknown;
  emit(event: string, payload: unknown, answer?: (answer: LiveSubscribeAnswer) => void): unknown;
  disconnect(): unknown;
}

/** The live channel's namespace, and the path by which hooks identify it. */
export const livePath = '/live';

type Listener = (event: LiveEvent | { readonly kind: 'resync' }) => void;

interface Subscription {
  readonly tableId: string;
  readonly listener: Listener;
  readonly onAnswer: ((answer: LiveSubscribeAnswer) => void) | undefined;
  /** The last sequence number seen. */
  since: number | undefined;
  /** Whether events may have been missed since the listener began. */
  hasGap: boolean;
}

/** Who listens, as the handshake states it. */
export type LiveCredentials =
  | {
      readonly token: string | undefined;
      /** Headers that plugins add to each call, such as the previewed role. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly visit: LiveVisit };

export interface SocketLiveClientOptions {
  /** Creates the connection; the credentials are read again on each reconnect. */
  readonly connect: (credentials: () => Promise<LiveCredentials>) => Promise<LiveSocket> | LiveSocket;
  readonly token: () => string | undefined;
  /** The headers that plugins add to this page's requests. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Renews the token if necessary, before a refused connection is tried again. */
  readonly renew: () => Promise<void>;
  /** Whether a request of this page caused an event. */
  readonly isOwn: (requestId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds. The server sends a new listener the events of the last five seconds: a later answer may leave a gap. */
const promptAnswer = 4000;
const firstPatience = 1000;
const lastPatience = 60_000;

/**
 * The live channel. It connects while somebody is signed in or visits by a link, and joins its rooms again after every reconnect.
 *
 * socket.io reconnects after a lost connection, but not after a refusal: a laptop that slept longer than its access token lasts
 * would receive nothing more. So after a refusal the session is renewed and the connection is tried again.
 */
export class SocketLiveClient implements LiveClient {
  readonly #options: SocketLiveClientOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #events = new Emitter<LiveEvent>();
  readonly #connected = new Emitter<'first' | 'again'>();
  readonly #lost = new Emitter<void>();
  /** No sayings arrive any more: the connection was lost or closed. */
  readonly #silenced = new Emitter<void>();
  readonly #sayings = new Emitter<LiveSaying>();
  #socket: LiveSocket | undefined;
  /** Rises with each start and stop, so that a connection that arrives too late is dropped. */
  #generation = 0;
  /** Milliseconds until a refused connection is tried again; they double up to a minute. */
  #patience = firstPatience;
  #isStarted = false;
  #wasConnected = false;
  #visit: LiveVisit | undefined;

  readonly onEvent = this.#events.event;
  /** After each connection: data that was read before may be outdated, because no changes were reported. */
  readonly onDidConnect = this.#connected.event;
  /** After a connection was lost that this page did not close. */
  readonly onDidLose = this.#lost.event;

  constructor(options: SocketLiveClientOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Whether the channel is connected or connecting. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Connects; does nothing if it is connected or connecting already. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const generation = this.#generation;
    try {
      const made = this.#options.connect(() => this.#credentials());
      const socket = made instanceof Promise ? await made : made;
      if (generation !== this.#generation) socket.disconnect();
      else this.#attach(socket);
    } catch (error) {
      // Without the channel the page still works, but does not learn of others' changes.
      this.#options.onError(error);
      if (generation === this.#generation) this.#isStarted = false;
    }
  }

  /** The session is over. A visit by link continues, because it needs no session. */
  stop(): void {
    this.#end();
    if (this.#visit !== undefined) void this.start();
  }

  visit(visit: LiveVisit): { dispose(): void } {
    this.#visit = visit;
    this.#restart();
    return {
      dispose: () => {
        if (this.#visit !== visit) return;
        this.#visit = undefined;
        if (this.#options.token() === undefined) this.#end();
        else this.#restart();
      },
    };
  }

  /** Connects with other credentials. */
  #restart(): void {
    this.#end();
    void this.start();
  }

  async #credentials(): Promise<LiveCredentials> {
    if (this.#visit !== undefined) return { visit: this.#visit };
    const headers = await this.#options.headers();
    return { token: this.#options.token(), headers };
  }

  #end(): void {
    this.#generation += 1;
    this.#isStarted = false;
    this.#wasConnected = false;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.disconnect();
    if (socket === undefined) return;
    this.#silenced.fire();
    // With the new credentials, other rows may be visible.
    for (const subscription of this.#subscriptions) subscription.hasGap = true;
  }

  isOwn({ requestId }: { readonly requestId: string }): Promise<boolean> {
    return this.#options.isOwn(requestId);
  }

  /** Joins all rooms again and has rows read again, as after a gap: the person may now see other tables or rows. */
  joinAgain(): void {
    for (const subscription of this.#subscriptions) {
      subscription.hasGap = true;
      this.#join(subscription);
    }
  }

  /** Closes the connection until `goOnline`: the browser has no network, and messages sent now would be lost silently. */
  goOffline(): void {
    this.#socket?.disconnect();
  }

  /** Connects at once, without waiting for the next attempt. */
  goOnline(): void {
    const socket = this.#socket;
    if (socket === undefined || socket.connected) return;
    socket.disconnect();
    this.#patience = firstPatience;
    void this.#reconnect(socket);
  }

  subscribe(
    request: LiveSubscribe,
    listener: Listener,
    onAnswer?: (answer: LiveSubscribeAnswer) => void,
  ): { dispose(): void } {
    const subscription: Subscription = {
      tableId: request.tableId,
      listener,
      onAnswer,
      since: request.since,
      // Without a sequence number to continue from, events before the room is joined are missed.
      hasGap: !this.connected && request.since === undefined,
    };
    this.#subscriptions.add(subscription);
    if (this.connected) this.#join(subscription);
    return {
      dispose: () => {
        if (!this.#subscriptions.delete(subscription)) return;
        const shared = [...this.#subscriptions].some(({ tableId }) => tableId === request.tableId);
        if (!shared && this.connected) this.#socket?.emit('unsubscribe', { tableId: request.tableId });
      },
    };
  }

  talk(tableId: string, topic: string, listener: (saying: LiveSaying | undefined) => void): LiveTalk {
    let last: LiveSaid | undefined;
    const sayLast = (): void => {
      if (last !== undefined && this.connected) this.#socket?.emit('say', { tableId, topic, said: last });
    };
    // The server accepts sayings only from pages that listen to the table.
    const room = this.subscribe({ tableId }, () => {}, sayLast);
    const heard = this.#sayings.event((saying) => {
      if (saying.tableId === tableId && saying.topic === topic) listener(saying);
    });
    const silenced = this.#silenced.event(() => listener(undefined));
    return {
      say(said) {
        last = said;
        sayLast();
      },
      dispose: () => {
        for (const each of [room, heard, silenced]) void each.dispose();
        if (last !== undefined && this.connected) this.#socket?.emit('say', { tableId, topic, said: null });
      },
    };
  }

  #attach(socket: LiveSocket): void {
    this.#socket = socket;
    socket.on('connect', () => this.#didConnect());
    socket.on('connect_error', () => this.#afterRefusal(socket));
    socket.on('disconnect', () => {
      if (socket === this.#socket) {
        this.#silenced.fire();
        this.#lost.fire();
      }
      this.#afterRefusal(socket);
    });
    socket.on('event', (event: LiveEvent) => this.#receive(event));
    socket.on('said', (saying: LiveSaying) => this.#sayings.fire(saying));
    if (socket.connected) this.#didConnect();
  }

  #didConnect(): void {
    this.#patience = firstPatience;
    this.#connected.fire(this.#wasConnected ? 'again' : 'first');
    // The rows of a view may have changed too, which causes no event of the table.
    if (this.#wasConnected) this.joinAgain();
    else for (const subscription of this.#subscriptions) this.#join(subscription);
    this.#wasConnected = true;
  }

  #afterRefusal(socket: LiveSocket): void {
    if (socket !== this.#socket || socket.active) return;
    const wait = this.#patience;
    this.#patience = Math.min(lastPatience, wait * 2);
    this.#options.clock.after(wait, () => void this.#reconnect(socket));
  }

  async #reconnect(socket: LiveSocket): Promise<void> {
    if (socket !== this.#socket || socket.connected) return;
    try {
      if (this.#visit === undefined) await this.#options.renew();
      // Renewing may have found that the session is over, and then this socket was closed.
      if (socket === this.#socket) socket.connect();
    } catch {
      // The server cannot be reached now; try again later.
      this.#afterRefusal(socket);
    }
  }

  #join(subscription: Subscription): void {
    const { tableId, since } = subscription;
    const { clock } = this.#options;
    const asked = clock.now();
    this.#socket?.emit('subscribe', { tableId, since }, (answer) => {
      if (!this.#subscriptions.has(subscription)) return;
      // After a restart the server counts from the beginning; otherwise events that arrived meanwhile are newer than the answer.
      if (answer.ok)
        subscription.since = answer.resync ? answer.seq : Math.max(answer.seq, subscription.since ?? 0);
      const isLate = since === undefined && clock.now() - asked > promptAnswer;
      const isBehind = answer.ok && (answer.resync || subscription.hasGap || isLate);
      if (answer.ok) subscription.hasGap = false;
      if (isBehind) subscription.listener({ kind: 'resync' });
      subscription.onAnswer?.(answer);
    });
  }

  #receive(event: LiveEvent): void {
    this.#events.fire(event);
    const tableId = 'tableId' in event ? event.tableId : undefined;
    if (tableId === undefined) return;
    for (const subscription of this.#subscriptions) {
      if (subscription.tableId !== tableId) continue;
      if ('seq' in event) {
        // Replayed for another listener of the same table.
        if (subscription.since !== undefined && event.seq <= subscription.since) continue;
        subscription.since = event.seq;
      }
      subscription.listener(event);
    }
  }
}

/** Connects to the server's namespace `/live`; the library is loaded on first use. */
export async function connectSocket(credentials: () => Promise<LiveCredentials>): Promise<LiveSocket> {
  const { io } = await import('socket.io-client');
  return io(livePath, {
    auth: (give) => void credentials().then(give),
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    // After a network failure, people should see the changes within a second or two.
    reconnectionDelayMax: 1500,
  });
}
