import type { Server as HttpServer } from 'node:http';
import type { AccessService, CredentialResolver, LiveChannel, Logger, Principal } from '@trellis/sdk/server';
import type { LiveEvent, LiveSubscribe, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import { isExpected, type RegistryView } from '@trellis/core';
import type { DefaultEventsMap, Namespace, Server, Socket } from 'socket.io';
import { isOwnOrigin, type SiteOrigins } from '../../runtime/config/site-origins.ts';
import { accessErrors } from '../../access/rights/access-scope.ts';

/** What a listener missed since a sequence number; undefined when that is too long ago. */
export interface LiveReplay {
  /** Tells the listeners of a table to read it again. */
  reset(table: { readonly projectId: string; readonly tableId: string; readonly requestId: string }): void;
  /** The table's newest sequence number. */
  current(tableId: string): number;
  since(tableId: string, seq: number): readonly LiveEvent[] | undefined;
}

export interface LiveChannelDependencies {
  readonly credentials: RegistryView<CredentialResolver>;
  readonly access: AccessService;
  readonly replay: LiveReplay;
  readonly logger: Logger;
  readonly site: SiteOrigins;
}

export interface HostLiveChannel extends LiveChannel {
  attach(server: HttpServer): Promise<void>;
  /** Tells everybody to read again what they look at: writes of other servers may have gone unheard. */
  resetAll(): Promise<void>;
  close(): Promise<void>;
}

interface SocketData {
  principal: Principal;
  /** Token bucket: messages that may still be sent in this second. */
  budget: number;
  refilledAt: number;
}

type LiveSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

const messagesPerSecond = 20;
const largestMessage = 4096;
const mostSockets = 2000;
const mostSocketsOfOne = 50;
const idShape = /^md_[0-9a-z]{14,20}$/;

/**
 * Events to browsers over socket.io, namespace `/live`. Rights are asked for when a room is joined and again with each event, so
 * that a removed member hears nothing more. The root namespace takes telemetry and drops it.
 */
export function createLiveChannel(deps: LiveChannelDependencies): HostLiveChannel {
  const { access, logger } = deps;
  let io: Server | undefined;
  let live: Namespace<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData> | undefined;

  async function authenticate(socket: LiveSocket): Promise<Principal> {
    const { token } = socket.handshake.auth as { readonly token?: unknown };
    if (typeof token !== 'string' || token.length > 4096) throw accessErrors.create('UNAUTHORIZED');
    for (const resolver of deps.credentials.list()) {
      const principal = await resolver.resolve({ headers: { 'xc-auth': token }, cookies: {} });
      if (principal !== undefined) return principal;
    }
    throw accessErrors.create('UNAUTHORIZED');
  }

  function isCrowded(principal: Principal): boolean {
    const sockets = [...(live?.sockets.values() ?? [])];
    return (
      sockets.length >= mostSockets ||
      sockets.filter((socket) => socket.data.principal?.id === principal.id).length >= mostSocketsOfOne
    );
  }

  /** Undefined lets the socket in; an error says why it stays out. */
  async function admit(socket: LiveSocket): Promise<Error | undefined> {
    try {
      const principal = await authenticate(socket);
      if (isCrowded(principal)) return new Error('Too many connections');
      Object.assign(socket.data, { principal, budget: messagesPerSecond, refilledAt: Date.now() });
      return undefined;
    } catch (error) {
      if (!isExpected(error)) logger.error('Nobody could be let in to the live channel', { error });
      return new Error('Unauthorized access');
    }
  }

  /** False once a socket sends more than it may; it is cut then. */
  function spend(socket: LiveSocket): boolean {
    const now = Date.now();
    if (now - socket.data.refilledAt >= 1000)
      Object.assign(socket.data, { budget: messagesPerSecond, refilledAt: now });
    socket.data.budget -= 1;
    if (socket.data.budget >= 0) return true;
    socket.disconnect(true);
    return false;
  }

  async function subscribe(socket: LiveSocket, request: unknown): Promise<LiveSubscribeAnswer> {
    const { tableId, since } = (request ?? {}) as Partial<LiveSubscribe>;
    const refused: LiveSubscribeAnswer = { ok: false, code: 'NOT_FOUND', msg: 'Table not found' };
    if (typeof tableId !== 'string' || !idShape.test(tableId)) return refused;
    const projectId = await access.locate('table', tableId);
    const scope = await access.scopeFor(socket.data.principal, projectId ?? '', socket.id);
    if (!scope.may('dataList')) return refused;
    await socket.join(tableId);
    const seq = deps.replay.current(tableId);
    if (since === undefined || since === seq) return { ok: true, seq, resync: false };
    const missed = deps.replay.since(tableId, since);
    for (const event of missed ?? []) socket.emit('event', event);
    return { ok: true, seq, resync: missed === undefined };
  }

  function onConnection(socket: LiveSocket): void {
    socket.on('subscribe', (request: unknown, answer: unknown) => {
      if (typeof answer !== 'function' || !spend(socket)) return;
      subscribe(socket, request).then(
        (result) => (answer as (result: LiveSubscribeAnswer) => void)(result),
        (error: unknown) => logger.error('A live subscription failed', { error }),
      );
    });
    socket.on('unsubscribe', (request: unknown) => {
      const { tableId } = (request ?? {}) as Partial<LiveSubscribe>;
      if (spend(socket) && typeof tableId === 'string') void socket.leave(tableId);
    });
  }

  /** Whether the listener may hear of it, and in how much detail. */
  async function forListener(event: LiveEvent, principal: Principal): Promise<LiveEvent | undefined> {
    if (!('projectId' in event)) return event;
    const scope = await access.scopeFor(principal, event.projectId, 'live');
    if (!scope.may('tableList')) return undefined;
    if (event.kind !== 'rows') return event;
    if (!scope.may('dataList')) return undefined;
    const seesAll =
      scope.readableColumns(event.tableId) === 'all' && scope.rowPredicate(event.tableId) === undefined;
    // Whoever sees a part only reads again: the server then shows the part that is theirs.
    return seesAll ? event : { ...event, kind: 'rowsReset' };
  }

  async function deliver(event: LiveEvent): Promise<void> {
    const inRoom =
      event.kind === 'rows' || event.kind === 'rowsReset'
        ? live?.adapter.rooms.get(event.tableId)
        : undefined;
    for (const socket of live?.sockets.values() ?? []) {
      const isForRoom = event.kind === 'rows' || event.kind === 'rowsReset';
      if (isForRoom && inRoom?.has(socket.id) !== true) continue;
      const shown = await forListener(event, socket.data.principal);
      if (shown !== undefined) socket.emit('event', shown);
    }
  }

  /** Events go out in the order in which they came. */
  let queue: Promise<void> = Promise.resolve();

  return {
    async attach(server) {
      // Loaded only here: a server that nobody listens to need not hold it in memory at its start.
      const { Server: SocketServer } = await import('socket.io');
      io = new SocketServer(server, {
        path: '/socket.io',
        serveClient: false,
        maxHttpBufferSize: largestMessage,
        ...(deps.site.corsOrigins.length > 0 && { cors: { origin: [...deps.site.corsOrigins] } }),
        allowRequest: (request, answer) => answer(null, isOwnOrigin(request.headers, deps.site)),
      });
      io.on('connection', (socket) => {
        socket.onAny(() => undefined);
      });
      live = io.of('/live');
      live.use((socket, next) => {
        const decide = async () => next(await admit(socket));
        void decide();
      });
      live.on('connection', onConnection);
    },
    async resetAll() {
      const tableIds = [...(live?.adapter.rooms.keys() ?? [])].filter((room) => idShape.test(room));
      for (const tableId of tableIds) {
        const projectId = await access.locate('table', tableId);
        if (projectId !== undefined) deps.replay.reset({ projectId, tableId, requestId: '' });
      }
    },
    publish(event) {
      if (live === undefined || live.sockets.size === 0) return;
      queue = queue
        .then(() => deliver(event))
        .catch((error: unknown) => logger.error('A live event could not be sent', { error }));
    },
    disconnect({ userId, credentialId }) {
      for (const socket of live?.sockets.values() ?? []) {
        const { principal } = socket.data;
        if (
          principal.id !== userId ||
          (credentialId !== undefined && principal.credentialId !== credentialId)
        )
          continue;
        socket.emit('event', { kind: 'signedOut' } satisfies LiveEvent);
        socket.disconnect(true);
      }
    },
    async close() {
      await queue;
      // Not `io.close()`: that would end the HTTP server too, which still has requests to answer.
      io?.disconnectSockets(true);
      io?.engine.close();
    },
  };
}
