import type { Server as HttpServer } from 'node:http';
import { defineErrors, type RegistryView, type TrellisError } from '@trellis/core';
import type { AccessService, Bus, LiveChannel, LiveTopic, Logger, Principal } from '@trellis/sdk/server';
import type { LiveEvent, LiveSubscribe, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import type { Server } from 'socket.io';
import type { Principals } from '../../access/credentials/principals.ts';
import { isOwnOrigin, type SiteOrigins } from '../../runtime/config/site-origins.ts';
import { forListener } from './for-listener.ts';
import { LiveTalk, type TalkingPage } from './live-talk.ts';
import { SocketGuard, type LiveNamespace, type LiveSocket, type RawConnection } from './socket-guard.ts';

/** The live events of the change log. */
export interface LiveReplay {
  /** Resolves when everything that was committed before this call has been sent. */
  catchUp(): Promise<void>;
  /** The number up to which events were sent. */
  current(): number;
  /** The number up to which events had been sent a few seconds ago. */
  recently(): number;
  /** What a listener missed of a table between a number and `current`; undefined when that is too much or too long ago. */
  since(tableId: string, seq: number): Promise<readonly LiveEvent[] | undefined>;
}

export interface LiveChannelDependencies {
  readonly principals: Principals;
  readonly access: AccessService;
  readonly replay: LiveReplay;
  readonly logger: Logger;
  readonly site: SiteOrigins;
  readonly bus: Bus;
  readonly topics: RegistryView<LiveTopic>;
  /** How many proxies in front of the server are believed about a client's address. */
  readonly trustProxy: number;
  /** Tells all servers, this one too, that credentials have ended. */
  readonly announceEnd: (ended: EndedCredential) => void;
}

/** All credentials of a user, or the one named. */
export interface EndedCredential {
  readonly userId: string;
  readonly credentialId?: string;
}

export interface HostLiveChannel extends LiveChannel {
  attach(server: HttpServer): Promise<void>;
  /** Resolves when all that was published before has gone out. */
  sent(): Promise<void>;
  /** Whether anybody listens: to this table, or to anything at all. */
  isHeard(tableId?: string): boolean;
  /** Ends the sockets of credentials that have ended here or on another server. */
  drop(ended: EndedCredential): void;
  /** Checks the credentials of all open sockets again, and ends sockets whose credentials are no longer valid. */
  recheckAll(): Promise<void>;
  close(): Promise<void>;
}

const largestMessage = 4096;
/** Milliseconds after which the credential of an open socket is asked for again: a token may end by itself. */
const recheckEvery = 10_000;
/** A table that is written all the time is read again instead of being replayed. */
const mostReplayTries = 5;
const idShape = /^md_[0-9a-z]{14,20}$/;
const liveErrors = defineErrors({
  BAD_REQUEST: { status: 400, message: "'since' must be a seq" },
  SUBSCRIPTION_FAILED: {
    status: 500,
    message: 'The table cannot be listened to at the moment. Please try again.',
  },
});
const badPlace = refusal(liveErrors.create('BAD_REQUEST'));
const failed = refusal(liveErrors.create('SUBSCRIPTION_FAILED'));

function refusal({ code, message: msg }: TrellisError): LiveSubscribeAnswer {
  return { ok: false, code, msg };
}

/**
 * Events to browsers over socket.io, namespace `/live`. Rights are asked for when a room is joined and again with each event, so
 * that a removed member hears nothing more. The root namespace takes telemetry of whoever is signed in, and drops it.
 */
export function createLiveChannel(deps: LiveChannelDependencies): HostLiveChannel {
  const { access, logger } = deps;
  const guard = new SocketGuard(deps);
  const talk = new LiveTalk({
    ...deps,
    pagesOf: (tableId) =>
      [...(live?.adapter.rooms.get(tableId) ?? [])].flatMap((id) => {
        const socket = live?.sockets.get(id);
        return socket === undefined ? [] : [pageOf(socket)];
      }),
  });
  let io: Server | undefined;
  let live: LiveNamespace | undefined;
  /** The root and `live`. */
  let namespaces: readonly LiveNamespace[] = [];
  let rechecking: NodeJS.Timeout | undefined;
  let isRechecking = false;

  function pageOf(socket: LiveSocket): TalkingPage {
    return {
      id: socket.id,
      get principal() {
        return socket.data.principal;
      },
      send(saying) {
        if (guard.keepsUp(socket)) socket.emit('said', saying);
      },
    };
  }

  async function subscribe(socket: LiveSocket, request: unknown): Promise<LiveSubscribeAnswer> {
    const { tableId, since } = (request ?? {}) as Partial<LiveSubscribe>;
    const refused: LiveSubscribeAnswer = { ok: false, code: 'NOT_FOUND', msg: 'Table not found' };
    if (typeof tableId !== 'string' || !idShape.test(tableId)) return refused;
    if (since !== undefined && !isPlace(since)) return badPlace;
    if (!(await guard.recheck(socket))) return refused;
    const { principal } = socket.data;
    if (principal === undefined) return refused;
    const projectId = await access.locate('table', tableId);
    const scope = await access.scopeFor(principal, projectId ?? '', socket.id);
    if (!scope.inTable(tableId).may('dataList')) return refused;
    const { seq, missed } = await missedBy(principal, tableId, since);
    // Nothing is awaited from here on, so that the next event is sent after the ones that were missed.
    void socket.join(tableId);
    for (const event of missed ?? []) socket.emit('event', event);
    void talk.welcome(pageOf(socket), tableId);
    return { ok: true, seq, resync: missed === undefined };
  }

  /**
   * What a listener missed and may see, as of a moment after which nothing was sent yet; undefined when the table must be read
   * again.
   */
  async function missedBy(
    principal: Principal,
    tableId: string,
    since: number | undefined,
  ): Promise<{ readonly seq: number; readonly missed: readonly LiveEvent[] | undefined }> {
    const { replay } = deps;
    await replay.catchUp();
    for (let tries = 0; tries < mostReplayTries; tries += 1) {
      const seq = replay.current();
      // A page that joins for the first time has just read the table: writes between that read and now are among the latest events.
      const from = since ?? replay.recently();
      if (from === seq) return { seq, missed: [] };
      const events = await replay.since(tableId, from);
      const missed: LiveEvent[] = [];
      for (const event of events ?? []) {
        const shown = await forListener(access, event, principal);
        if (shown !== undefined) missed.push(shown);
      }
      if (replay.current() === seq) return { seq, missed: events && missed };
    }
    return { seq: replay.current(), missed: undefined };
  }

  function onConnection(socket: LiveSocket): void {
    // From here on the feed follows the log, so that the first page to join hears of writes just before it joined.
    deps.replay.catchUp().catch((error: unknown) => logger.warn('The change log cannot be read', { error }));
    socket.on('subscribe', (request: unknown, answer: unknown) => {
      if (typeof answer !== 'function') return;
      const reply = answer as (result: LiveSubscribeAnswer) => void;
      subscribe(socket, request).then(reply, (error: unknown) => {
        logger.error('A live subscription failed', { error });
        reply(failed);
      });
    });
    socket.on('unsubscribe', (request: unknown) => {
      const { tableId } = (request ?? {}) as Partial<LiveSubscribe>;
      if (typeof tableId !== 'string') return;
      void socket.leave(tableId);
      talk.leave(socket.id, tableId);
    });
    socket.on('say', (request: unknown) => {
      talk
        .say(pageOf(socket), request)
        .catch((error: unknown) => logger.warn('What a page says could not be passed on', { error }));
    });
    socket.on('disconnect', () => talk.leave(socket.id));
  }

  /** Sends what the listener may hear of an event. */
  async function tell(socket: LiveSocket, event: LiveEvent): Promise<void> {
    const { principal } = socket.data;
    const shown = principal && (await forListener(access, event, principal));
    if (shown !== undefined && guard.keepsUp(socket)) socket.emit('event', shown);
  }

  async function deliver(event: LiveEvent): Promise<void> {
    for (const socket of listenersOf(live, event)) {
      try {
        await tell(socket, event);
      } catch (error) {
        logger.warn('Nobody can tell what a listener may hear', { error });
        // The browser connects again by itself and asks for what it missed. The other sockets do not wait for this one.
        socket.disconnect(true);
      }
    }
  }

  /** Events go out in the order in which they came. */
  let queue: Promise<void> = Promise.resolve();

  const allSockets = (): readonly LiveSocket[] =>
    namespaces.flatMap((namespace) => [...namespace.sockets.values()]);

  async function recheckAll(): Promise<void> {
    for (const socket of allSockets()) await guard.recheck(socket);
  }

  /** One round at a time: on a busy server a round may take longer than the time to the next. */
  async function recheckNow(): Promise<void> {
    if (isRechecking) return;
    isRechecking = true;
    try {
      await recheckAll();
    } finally {
      isRechecking = false;
    }
  }

  return {
    async attach(server) {
      // Loaded only here: a server that nobody listens to need not hold it in memory at its start.
      const { Server: SocketServer } = await import('socket.io');
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        maxHttpBufferSize: largestMessage,
        // A browser whose network went without a word finds out within 20 s, and then reads again what it missed.
        pingInterval: 10_000,
        pingTimeout: 10_000,
        ...(deps.site.corsOrigins.length > 0 && { cors: { origin: [...deps.site.corsOrigins] } }),
        allowRequest: (request, answer) => answer(null, isOwnOrigin(request.headers, deps.site)),
      });
      const unknown = new WeakMap<object, () => void>();
      io.engine.on('connection', (connection: RawConnection) => {
        unknown.set(connection, guard.receive(connection));
      });
      live = io.of('/live');
      namespaces = [io.of('/') as LiveNamespace, live];
      for (const namespace of namespaces) {
        namespace.use((socket, next) => {
          const decide = async () => next(await guard.admit(socket));
          void decide();
        });
        namespace.on('connection', (socket) => unknown.get(socket.conn)?.());
      }
      live.on('connection', onConnection);
      rechecking = setInterval(() => void recheckNow(), recheckEvery).unref();
    },
    isHeard(tableId) {
      if (live === undefined) return false;
      return tableId === undefined ? live.sockets.size > 0 : live.adapter.rooms.has(tableId);
    },
    publish(event) {
      if (live === undefined || live.sockets.size === 0) return;
      queue = queue
        .then(() => deliver(event))
        .catch((error: unknown) => logger.error('A live event could not be sent', { error }));
    },
    sent: () => queue,
    disconnect: deps.announceEnd,
    drop({ userId, credentialId }) {
      for (const socket of allSockets()) {
        const { principal } = socket.data;
        const isMeant = credentialId === undefined || principal?.credentialId === credentialId;
        if (principal?.id === userId && isMeant) guard.signOut(socket);
      }
    },
    recheckAll,
    async close() {
      clearInterval(rechecking);
      talk.dispose();
      await queue;
      // Not `io.close()`: that would end the HTTP server too, which still has requests to answer.
      io?.disconnectSockets(true);
      io?.engine.close();
    },
  };
}

function isPlace(since: unknown): boolean {
  return Number.isSafeInteger(since) && Number(since) >= 0;
}

/** The sockets that an event is for: those in its table's room, or all. */
function listenersOf(live: LiveNamespace | undefined, event: LiveEvent): readonly LiveSocket[] {
  if (live === undefined) return [];
  if (event.kind !== 'rows' && event.kind !== 'rowsReset') return [...live.sockets.values()];
  return [...(live.adapter.rooms.get(event.tableId) ?? [])].flatMap((id) => live.sockets.get(id) ?? []);
}
