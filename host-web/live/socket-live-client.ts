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

/** The part of a socket.io socket that is used. */
export interface LiveSocket {
  readonly connected: boolean;
  /** Whether it connects again by itself; false after the server refused it or closed it on purpose. */
  readonly active: boolean;
  connect(): unknown;
  on(event: string, listener: (payload: never) => void): unknown;
  emit(event: string, payload: unknown, answer?: (answer: LiveSubscribeAnswer) => void): unknown;
  disconnect(): unknown;
}

/** The namespace of the live channel, and the path by which hooks know it. */
export const livePath = '/live';

type Listener = (event: LiveEvent | { readonly kind: 'resync' }) => void;

interface Subscription {
  readonly tableId: string;
  readonly listener: Listener;
  readonly onAnswer: ((answer: LiveSubscribeAnswer) => void) | undefined;
  /** The last sequence number that was seen. */
  since: number | undefined;
  /** Whether events may have been missed since the listener began. */
  hasGap: boolean;
}

/** What the handshake says of who listens. */
export type LiveCredentials =
  | {
      readonly token: string | undefined;
      /** What plugins add to each call, such as the role that somebody looks through. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly visit: LiveVisit };

export interface SocketLiveClientOptions {
  /** Makes the connection; the credentials are asked for again on each reconnect. */
  readonly connect: (credentials: () => Promise<LiveCredentials>) => Promise<LiveSocket> | LiveSocket;
  readonly token: () => string | undefined;
  /** The headers that plugins add to what this page sends. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Makes sure that the token is still good, before a refused connection is tried again. */
  readonly renew: () => Promise<void>;
  /** Whether a request of this page caused an event. */
  readonly isOwn: (requestId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds. The server sends a new listener what happened in the last five seconds: a later answer may leave a gap. */
const promptAnswer = 4000;
const firstPatience = 1000;
const lastPatience = 60_000;

/**
 * The live channel. It connects while somebody is signed in or visits by a link, and joins its rooms again after every reconnect.
 *
 * socket.io comes back by itself after a lost connection, and does not after a refusal: a laptop that slept past the life of
 * its access token would stay deaf. So a refusal renews the session first and then tries again.
 */
export class SocketLiveClient implements LiveClient {
  readonly #options: SocketLiveClientOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #events = new Emitter<LiveEvent>();
  readonly #connected = new Emitter<'first' | 'again'>();
  readonly #lost = new Emitter<void>();
  /** Nobody is heard any more: the connection was lost or given up. */
  readonly #silenced = new Emitter<void>();
  readonly #sayings = new Emitter<LiveSaying>();
  #socket: LiveSocket | undefined;
  /** Rises with each start and stop, so that a connection which comes too late is dropped. */
  #generation = 0;
  /** Milliseconds until a refused connection is tried again; doubles up to a minute. */
  #patience = firstPatience;
  #isStarted = false;
  #wasConnected = false;
  #visit: LiveVisit | undefined;

  readonly onEvent = this.#events.event;
  /** After each connection: what was read before it may be old, because nobody told of changes. */
  readonly onDidConnect = this.#connected.event;
  /** After a connection was lost that nobody here gave up. */
  readonly onDidLose = this.#lost.event;

  constructor(options: SocketLiveClientOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Whether it is there, or on its way. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Connects; it may be asked for again while it is under way or there. */
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
      // Without the channel the page works as before; it only does not hear of others.
      this.#options.onError(error);
      if (generation === this.#generation) this.#isStarted = false;
    }
  }

  /** The session is over. A visit goes on: it does not need one. */
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

  /** Connects as somebody else. */
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
    // Which rows somebody sees may be others when it begins again.
    for (const subscription of this.#subscriptions) subscription.hasGap = true;
  }

  isOwn({ requestId }: { readonly requestId: string }): Promise<boolean> {
    return this.#options.isOwn(requestId);
  }

  /** Joins all rooms again and has rows read again, as after a gap: the person may see other tables or rows now. */
  joinAgain(): void {
    for (const subscription of this.#subscriptions) {
      subscription.hasGap = true;
      this.#join(subscription);
    }
  }

  /** Gives the connection up until `goOnline`: the browser has no network, and what is sent meanwhile would be lost unseen. */
  goOffline(): void {
    this.#socket?.disconnect();
  }

  /** Connects at once, without the pause of the next try. */
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
      // Without a number to go on from, nobody knows what happens until the room is joined.
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
    // The server takes it from pages that listen to the table alone.
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
    // Which rows a view shows may have changed as well, which is no event of the table.
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
      // Renewing may have found that the session is over, and then this socket was given up.
      if (socket === this.#socket) socket.connect();
    } catch {
      // The server cannot be asked right now; later it can.
      this.#afterRefusal(socket);
    }
  }

  #join(subscription: Subscription): void {
    const { tableId, since } = subscription;
    const { clock } = this.#options;
    const asked = clock.now();
    this.#socket?.emit('subscribe', { tableId, since }, (answer) => {
      if (!this.#subscriptions.has(subscription)) return;
      // A server that lost its past counts anew; else what arrived meanwhile is newer than the answer.
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
        // Replayed for somebody else who listens to the same table.
        if (subscription.since !== undefined && event.seq <= subscription.since) continue;
        subscription.since = event.seq;
      }
      subscription.listener(event);
    }
  }
}

/** Connects to the server's namespace `/live`; the library is loaded when it is first needed. */
export async function connectSocket(credentials: () => Promise<LiveCredentials>): Promise<LiveSocket> {
  const { io } = await import('socket.io-client');
  return io(livePath, {
    auth: (give) => void credentials().then(give),
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    // Whoever had no network for a while sees what happened within a second or two of its return.
    reconnectionDelayMax: 1500,
  });
}
