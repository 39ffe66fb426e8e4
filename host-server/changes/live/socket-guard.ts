import type { IncomingMessage } from 'node:http';
import { isExpected } from '@trellis/core';
import {
  isVisitor,
  addressRange,
  type AccessService,
  type Logger,
  type Principal,
} from '@trellis/sdk/server';
import type { LiveEvent, LiveVisit } from '@trellis/sdk/shared';
import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { Principals } from '../../access/credentials/principals.ts';
import { Arrivals } from '../../runtime/arrivals.ts';
import { clientAddress } from '../../runtime/client-address.ts';
import { Places, type Leave } from '../../runtime/places.ts';

interface SocketData {
  /** The principal that listens; absent until the socket is let in. */
  principal?: Principal;
  /** Messages that may still be sent in this second. */
  budget: number;
  /** When the second began, in milliseconds since 1970. */
  refilledAt: number;
}

export type LiveSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;
export type LiveNamespace = Namespace<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

/** A connection on which nobody has signed in yet, as engine.io hands it over. */
export interface RawConnection {
  readonly request: IncomingMessage;
  /** Frames that wait until the transport is done with those before. */
  readonly writeBuffer: readonly { readonly data?: unknown }[];
  /** The websocket, where the connection is one. */
  readonly transport: { readonly socket?: { readonly bufferedAmount: number; terminate(): void } };
  close(discard?: boolean): void;
  once(event: 'close', listener: () => void): unknown;
}

/** Ends a connection at once. A polite end would wait half a minute for an answer of the other side. */
function cut(connection: RawConnection): void {
  connection.close(true);
  connection.transport.socket?.terminate();
}

export interface SocketGuardDependencies {
  readonly principals: Principals;
  readonly access: Pick<AccessService, 'scopeFor'>;
  readonly logger: Logger;
  /** How many proxies in front of the server are believed about a client's address. */
  readonly trustProxy: number;
  /** Milliseconds in which somebody must sign in on a new connection. Default 5,000. */
  readonly longestUnknown?: number;
}

const messagesPerSecond = 20;
/** What may wait for a listener that reads slower than events come: frames, and their characters. */
const mostFramesWaiting = 1000;
const mostWaiting = 4 * 1024 * 1024;
/** Milliseconds in which somebody must sign in on a new connection. */
const longestUnknown = 5000;
const longestToken = 4096;
/** Sockets do not wait for a place: browsers try again by themselves. */
const noLine = { all: 0, each: 0, time: 0 };

/** Decides who may open a socket, keep it, and how much may be said on it. */
export class SocketGuard {
  readonly #deps: SocketGuardDependencies;
  readonly #members = new Places({ all: 2000, each: 50, waiting: noLine });
  /** Of their own: visitors come from any number of networks, and must not keep members out. */
  readonly #visitors = new Places({ all: 500, each: 50, waiting: noLine });
  /** The connections that hold a place of a person. */
  readonly #seated = new WeakSet<object>();
  readonly #strangers = new Arrivals({ all: 200, each: 20 });

  constructor(deps: SocketGuardDependencies) {
    this.#deps = deps;
  }

  /**
   * Counts a connection on which nobody has signed in: few for one address, and each for five seconds.
   *
   * @returns ends the counting, once somebody signed in.
   */
  receive(connection: RawConnection): () => void {
    const address = clientAddress(connection.request, this.#deps.trustProxy);
    const end = () => cut(connection);
    const leavePlace = this.#strangers.enter(addressRange(address), end);
    const timer = setTimeout(end, this.#deps.longestUnknown ?? longestUnknown).unref();
    const leave = () => {
      clearTimeout(timer);
      leavePlace();
    };
    connection.once('close', leave);
    return leave;
  }

  /** Undefined lets the socket in; an error says why it stays out. */
  async admit(socket: LiveSocket): Promise<Error | undefined> {
    const principal = await this.#principalOf(socket);
    if (principal === undefined) return new Error('Unauthorized access');
    // The connection ended before its end was listened for, so a place taken now would never be given back.
    if (socket.conn.readyState !== 'open') return new Error('Connection closed');
    if (!this.#seat(socket, principal)) return new Error('Too many connections');
    Object.assign(socket.data, { principal, budget: messagesPerSecond, refilledAt: Date.now() });
    // Every message counts, whether its name is known or not; beyond the budget messages are dropped.
    socket.use((_packet, next) => {
      if (this.#spend(socket)) next();
    });
    return undefined;
  }

  /**
   * Asks again whose credential a socket came with, and ends the socket when it is no longer good.
   *
   * @returns whether the socket may stay. It may where the question cannot be answered now: the next one ends it.
   */
  async recheck(socket: LiveSocket): Promise<boolean> {
    let principal: Principal | undefined;
    try {
      principal = await this.#resolve(socket);
    } catch (error) {
      const isRefused = isExpected(error) && error.status === 401;
      if (!isRefused) {
        this.#deps.logger.warn('A live socket could not be checked again', { error });
        return true;
      }
    }
    const before = socket.data.principal;
    if (principal?.id !== before?.id || principal?.kind !== before?.kind || principal === undefined) {
      this.signOut(socket);
      return false;
    }
    socket.data.principal = principal;
    return true;
  }

  signOut(socket: LiveSocket): void {
    socket.emit('event', { kind: 'signedOut' } satisfies LiveEvent);
    socket.disconnect(true);
  }

  /**
   * Ends a socket for which too much waits, since its listener reads too slowly or not at all. It comes back by itself and asks for
   * what it missed.
   *
   * @returns whether the socket may be sent more.
   */
  keepsUp(socket: LiveSocket): boolean {
    const connection = socket.conn as unknown as RawConnection;
    const { writeBuffer, transport } = connection;
    let waiting = transport.socket?.bufferedAmount ?? 0;
    if (writeBuffer.length <= mostFramesWaiting)
      for (const { data } of writeBuffer) waiting += typeof data === 'string' ? data.length : 0;
    if (writeBuffer.length <= mostFramesWaiting && waiting <= mostWaiting) return true;
    cut(connection);
    return false;
  }

  /** Takes one place for a connection until it ends, however many namespaces are opened on it. */
  #seat({ conn }: LiveSocket, principal: Principal): boolean {
    if (this.#seated.has(conn)) return true;
    const leave = this.#enter(conn.request, principal);
    if (leave === undefined) return false;
    this.#seated.add(conn);
    conn.once('close', leave);
    return true;
  }

  /** Takes a place: members have shares by account, visitors by their network address. */
  #enter(request: IncomingMessage, principal: Principal): Leave | undefined {
    return isVisitor(principal)
      ? this.#visitors.tryEnter(addressRange(clientAddress(request, this.#deps.trustProxy)))
      : this.#members.tryEnter(principal.id);
  }

  async #principalOf(socket: LiveSocket): Promise<Principal | undefined> {
    try {
      return await this.#resolve(socket);
    } catch (error) {
      if (!isExpected(error))
        this.#deps.logger.error('Nobody could be let in to the live channel', { error });
      return undefined;
    }
  }

  async #resolve(socket: LiveSocket): Promise<Principal | undefined> {
    const {
      visit,
      token = socket.handshake.headers['xc-auth'],
      headers = {},
    } = socket.handshake.auth as {
      readonly visit?: unknown;
      readonly token?: unknown;
      readonly headers?: unknown;
    };
    if (visit !== undefined && visit !== null) return this.#visitorOf(visit);
    if (typeof token !== 'string' || token.length > longestToken) return undefined;
    const principal = await this.#deps.principals.of({
      headers: { ...fitting(headers), 'xc-auth': token },
      cookies: {},
    });
    return principal.kind === 'guest' || isVisitor(principal) ? undefined : principal;
  }

  /** The principal of a visitor with a link; undefined where the link does not open the project that the visitor names. */
  async #visitorOf(visit: unknown): Promise<Principal | undefined> {
    if (!isVisit(visit)) return undefined;
    const principal = await this.#deps.principals.of({ headers: visit.headers, cookies: {} });
    if (!isVisitor(principal)) return undefined;
    const scope = await this.#deps.access.scopeFor(principal, visit.projectId, 'live');
    return scope.may('tableList') ? principal : undefined;
  }

  /** False once a socket sends more than it may; it is cut then. */
  #spend(socket: LiveSocket): boolean {
    const now = Date.now();
    if (now - socket.data.refilledAt >= 1000)
      Object.assign(socket.data, { budget: messagesPerSecond, refilledAt: now });
    socket.data.budget -= 1;
    if (socket.data.budget >= 0) return true;
    socket.disconnect(true);
    return false;
  }
}

/** Headers of links alone: what members sign in by is not taken here. */
function isVisit(visit: unknown): visit is LiveVisit {
  const { headers, projectId } = visit as Partial<LiveVisit>;
  return typeof projectId === 'string' && projectId.length <= 100 && areHeaders(headers);
}

const mostHeaders = 5;

/** Whether a handshake brings headers that plugins of the server may read, few and short. */
function areHeaders(headers: unknown): headers is Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return false;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(headers);
  return entries.length <= mostHeaders && entries.every(isHeader);
}

/** The headers of a handshake that can be read. Others are ignored: a plugin of the page may add headers to all requests, and must not keep people out. */
function fitting(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const entries: readonly (readonly [string, unknown])[] = Object.entries(headers);
  return Object.fromEntries(entries.filter(isHeader).slice(0, mostHeaders));
}

function isHeader(entry: readonly [string, unknown]): entry is readonly [string, string] {
  const [name, value] = entry;
  return /^xc-[a-z-]{1,40}$/.test(name) && typeof value === 'string' && value.length <= longestToken;
}
