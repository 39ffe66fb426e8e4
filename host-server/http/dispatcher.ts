import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorOrigin, readableError, recordErrorOrigin } from '@trellis/core';
import {
  isVisitor,
  type Logger,
  type Principal,
  type RouteCookie,
  type RouteRequest,
  type VisitorLimit,
} from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import { isCrossSite, type SiteOrigins } from '../runtime/config/site-origins.ts';
import {
  createAuthoriser,
  placeOfObject,
  type AskPlugin,
  type Authoriser,
  type AuthoriserDependencies,
  type NamedBy,
  type PluginQuestion,
  type Resolved,
} from './authoriser.ts';
import { writeCookie } from './cookies.ts';
import { crossOriginHeaders, preflightHeaders } from './cross-origin.ts';
import { Exchange } from './exchange.ts';
import { FullDiskNotice } from './full-disk-notice.ts';
import { GivenUpHandlers } from './given-up-handlers.ts';
import { HeldPlace } from './held-place.ts';
import { HostRequest, type RequestFacts } from './host-request.ts';
import { mostSeconds, usualSeconds, withinLimit } from './handler-limit.ts';
import { httpErrors, toErrorAnswer } from './http-errors.ts';
import type { CallMarks } from '../changes/call-marks.ts';
import { idempotencyOf, runOnce, type IdempotencyService } from './idempotent-answer.ts';
import { parseQuery } from './query-string.ts';
import { receiveBody, type ReceivedBody } from './received-body.ts';
import { claimantOf, RequestPlaces, type RequestCount } from './request-places.ts';
import type { PluginRunner } from './plugin-runner.ts';
import { RequestSignals } from './request-signals.ts';
import type { RouteEntry, RouteMatch, RouteTable } from './route-table.ts';
import {
  discard,
  fixedHeaders,
  isStream,
  jsonType,
  readyAnswer,
  sendWhole,
  serialise,
  type AnswerHeaders,
  type ReadyAnswer,
} from './send-answer.ts';
import { stallMs, streamAnswer } from './stream-answer.ts';
import { validatorsOf } from './validation.ts';

export interface DispatcherDependencies extends AuthoriserDependencies {
  readonly routes: RouteTable;
  readonly idempotency: IdempotencyService;
  readonly marks: Pick<CallMarks, 'begin'>;
  readonly plugins: PluginRunner;
  readonly requests: RequestCount;
  readonly visits: VisitorLimit;
  readonly logger: Logger;
  readonly trustProxy: number;
  readonly site: SiteOrigins;
  /** Whether browsers reach the site by https, maybe through a proxy that we cannot see. */
  readonly secureCookies: boolean;
}

const longestPath = 2000;
/** The status of an answer for which there was no storage. */
const fullDisk = 507;
const longestQuery = 60_000;

/** A call that is being answered: request and route, the caller, and the place that it holds. */
interface Call {
  readonly exchange: Exchange;
  readonly entry: RouteEntry;
  readonly principal: Principal;
  readonly place: HeldPlace;
  /** True while the plugin's own code runs: an error is then charged to the plugin. */
  isHandled: boolean;
  /** Cookies that go with the answer, also with an error. */
  cookies: readonly RouteCookie[];
}

/** Work of a plugin for one call. */
interface AskedPlugin<T> {
  readonly owner: string;
  /** What is asked, as the plugin's errors are told. */
  readonly where: string;
  /** Takes a result that comes after the call was given up. */
  readonly unheard: (late: T) => void;
}

/** The one way of every call to a handler: match, caller, place, rights, body, validation, handler, answer. */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #signals = new RequestSignals();
  readonly #authoriser: Authoriser;
  readonly #places: RequestPlaces;
  readonly #givenUp = new GivenUpHandlers();
  readonly #fullDisk: FullDiskNotice;
  #isStopping = false;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#authoriser = createAuthoriser(deps);
    this.#fullDisk = new FullDiskNotice(deps.logger);
    this.#places = new RequestPlaces(deps.requests);
  }

  /** From now on requests are told to come back later, and every answer is the last one on its connection. */
  stopAccepting(): void {
    this.#isStopping = true;
  }

  /** Answers a call of the API; false when a page or a file is meant. */
  dispatch(request: IncomingMessage, response: ServerResponse): boolean {
    const exchange = new Exchange(request, response, {
      trustedProxies: this.#deps.trustProxy,
      extraHeaders: crossOriginHeaders(request.headers, this.#deps.site.corsOrigins),
    });
    const match = this.#deps.routes.find(exchange.method === 'HEAD' ? 'GET' : exchange.method, exchange.path);
    const isPreflight = exchange.method === 'OPTIONS' && exchange.isFromAllowedOrigin;
    if (match === undefined && !isPreflight && !isApiPath(exchange.path)) return false;
    const work = isPreflight ? this.#allow(exchange) : this.#respond(exchange, match);
    work.catch((error: unknown) => {
      response.destroy();
      this.#deps.logger.error('The server could not answer', { requestId: exchange.id, error });
    });
    return true;
  }

  #allow(exchange: Exchange): Promise<void> {
    const headers = { ...this.#fixedHeaders(exchange), ...preflightHeaders };
    return sendWhole(exchange, { status: 204, headers, body: '' });
  }

  async #respond(exchange: Exchange, match: RouteMatch | undefined): Promise<void> {
    let call: Call | undefined;
    try {
      if (this.#isStopping) throw httpErrors.create('STOPPING');
      if (match === undefined) throw httpErrors.create('NOT_FOUND');
      if (match.kind === 'disabled') throw this.#absence(match.plugin);
      call = await this.#admit(exchange, match.entry);
      // The client may have given up while the call waited for a place.
      if (exchange.isGone) return;
      await this.#answer(call, match.params);
    } catch (error) {
      await this.#fail(exchange, error, call);
    } finally {
      call?.place.leave();
    }
  }

  /** Why a path of a plugin is not served. */
  #absence(pluginId: string): Error {
    const { plugins } = this.#deps;
    const state = plugins.stateOf(pluginId);
    if (state === 'enabled' || state === 'degraded') return httpErrors.create('NOT_FOUND');
    const code = state === 'starting' ? 'PLUGIN_STARTING' : 'PLUGIN_DISABLED';
    return httpErrors.create(code, { plugin: plugins.nameOf(pluginId) });
  }

  /** Finds out who calls, and takes a place in their name. */
  async #admit(exchange: Exchange, entry: RouteEntry): Promise<Call> {
    const { route } = entry;
    // Where no credential is asked for, nothing else would keep a page of another site from acting in its visitor's place.
    if (
      route.permission === 'public' &&
      route.method !== 'GET' &&
      isCrossSite(exchange.headers, this.#deps.site)
    )
      throw httpErrors.create('CROSS_SITE');
    if (exchange.querystring.length > longestQuery || exchange.path.length > longestPath)
      throw httpErrors.create('QUERY_TOO_LONG');
    const principal = await this.#authoriser.principalOf(exchange);
    if (isVisitor(principal)) await this.#deps.visits.take(exchange.ip);
    const claimant = claimantOf(principal, exchange.ip);
    const place = new HeldPlace(this.#places, claimant, route.places);
    await place.enter();
    return { exchange, entry, principal, place, isHandled: false, cookies: [] };
  }

  async #answer(call: Call, params: Record<string, string>): Promise<void> {
    const { exchange, entry, principal } = call;
    const query = parseQuery(exchange.querystring);
    const { plugins, logger } = this.#deps;
    const askPlugin: AskPlugin = (of) => this.#askPlugin(call, of);
    const authorise = (said: Pick<NamedBy, 'query' | 'body'>) =>
      this.#authoriser.authorise(
        { entry, principal, requestId: exchange.id, askPlugin },
        { params, ...said },
      );
    const place = placeOfObject(entry.route);
    const validators = validatorsOf(entry.route);
    const first = await authorise(place === 'query' ? {} : { query });
    validators.params?.(params);
    validators.query?.(query);
    const early = place === 'query' ? await authorise({ query }) : first;
    const requestOf = ({ body, files, stream }: ReceivedBody, resolved: Resolved): HostRequest => {
      const facts: RequestFacts = { ...resolved, files, stream, params, query, body, principal };
      const pluginSignal = plugins.signalOf(entry.owner);
      return new HostRequest(exchange, facts, { logger, signals: this.#signals, pluginSignal });
    };
    const forgetMarks =
      entry.route.method === 'GET'
        ? undefined
        : this.#deps.marks.begin(exchange.id, {
            headers: exchange.headers,
            query,
            scope: early.scope,
            ...(early.table && { table: early.table }),
          });
    try {
      if (entry.route.willReadBody !== undefined)
        await plugins.run(entry.owner, () => this.#willReadBody(call, requestOf({}, early)));
      await this.#carryOut(call, async (received) =>
        requestOf(received, place === 'body' ? await authorise({ query, body: received.body ?? {} }) : early),
      );
    } finally {
      forgetMarks?.();
    }
  }

  async #carryOut(call: Call, requestOf: (received: ReceivedBody) => Promise<HostRequest>): Promise<void> {
    const { exchange, entry } = call;
    const { plugins } = this.#deps;
    const validators = validatorsOf(entry.route);
    const received = await receiveBody(exchange, entry.route, call.place);
    try {
      const body = validators.body === undefined ? received.body : (received.body ?? {});
      validators.body?.(body);
      const request = await requestOf({ ...received, body });
      await plugins.run(entry.owner, () => this.#handle(call, request));
    } finally {
      if (received.remove !== undefined) await received.remove();
    }
  }

  /** Lets the route refuse the call before its body is read. */
  async #willReadBody(call: Call, request: RouteRequest): Promise<void> {
    const ask = async (): Promise<ReadyAnswer> => {
      call.isHandled = true;
      const cookies = await call.entry.route.willReadBody?.(
        request as RouteRequest<Record<string, string>, Record<string, unknown>, undefined>,
      );
      call.cookies = cookies ?? [];
      call.isHandled = false;
      return readyAnswer(undefined);
    };
    await this.#limit(call, this.#asHandler(call), ask());
  }

  /** Asks a plugin something for a call; it may be another plugin than the route's, such as the one that keeps the named object. */
  async #askPlugin<T>(call: Call, { owner, where, ask }: PluginQuestion<T>): Promise<T> {
    const { plugins } = this.#deps;
    const of: AskedPlugin<T> = { owner, where, unheard: () => {} };
    this.#refuseStuck(owner);
    try {
      return await plugins.run(owner, () => this.#limit(call, of, ask()));
    } catch (error) {
      // Nobody hears of a question that was given up with its client, and what failed further in was told of there.
      if (call.exchange.isGone || !isDefect(error) || errorOrigin(error) !== undefined) throw error;
      plugins.onError(owner, where, error, { requestId: call.exchange.id });
      recordErrorOrigin(error, { owner, where });
      throw this.#nameTo(call, owner, error);
    }
  }

  #asHandler({ exchange, entry }: Call): AskedPlugin<ReadyAnswer> {
    const where = `${exchange.method} ${toldPath(exchange, entry)}`;
    return { owner: entry.owner, where, unheard: discard };
  }

  #refuseStuck(owner: string): void {
    const { plugins } = this.#deps;
    if (this.#givenUp.isFull(plugins.signalOf(owner)))
      throw httpErrors.create('PLUGIN_STUCK', { plugin: plugins.nameOf(owner) });
  }

  async #handle(call: Call, request: RouteRequest): Promise<void> {
    this.#refuseStuck(call.entry.owner);
    const handle = async (): Promise<ReadyAnswer> => {
      call.isHandled = true;
      const answer = readyAnswer(await call.entry.route.handle(request));
      call.isHandled = false;
      return answer;
    };
    const repeated = await idempotencyOf(request, call.entry.route, call.exchange.request.url ?? '');
    const once = repeated && (await this.#deps.idempotency.begin(repeated));
    // A handler that is given up keeps its key until it has ended: what it writes late is not written again.
    const work = once === undefined ? handle() : runOnce(once, handle);
    await this.#send(call, await this.#limit(call, this.#asHandler(call), work));
  }

  /** Plugins that can be switched off have a time limit for each call; late work is booked on its plugin. */
  #limit<T>(call: Call, { owner, where, unheard }: AskedPlugin<T>, work: Promise<T>): Promise<T> {
    const { plugins } = this.#deps;
    if (plugins.isSystem(owner)) return work;
    const seconds = Math.min(call.entry.route.seconds ?? usualSeconds, mostSeconds);
    const late = (): Error => {
      plugins.onError(owner, where, new Error(`It gave no answer within ${seconds} seconds.`));
      return httpErrors.create('PLUGIN_TOO_SLOW', { plugin: plugins.nameOf(owner), seconds });
    };
    const givenUp = (running: Promise<unknown>): void => {
      if (!this.#givenUp.add(plugins.signalOf(owner), running)) return;
      const text =
        'So many of its calls run on after they were given up that it takes no more until some end.';
      plugins.onError(owner, where, new Error(text));
    };
    return withinLimit(work, call.exchange.response, { seconds, late, unheard, givenUp });
  }

  async #send(call: Call, answer: ReadyAnswer): Promise<void> {
    const { exchange } = call;
    const { status, body } = answer;
    const headers = this.#fixedHeaders(exchange);
    headers['content-type'] = jsonType;
    Object.assign(headers, answer.headers);
    const cookies = [...call.cookies, ...answer.cookies];
    if (cookies.length > 0)
      headers['set-cookie'] = cookies.map((cookie) => writeCookie(cookie, this.#deps.secureCookies));
    if (!isStream(body)) {
      // A write has happened: without an answer the client would send it again.
      const hold = exchange.method === 'GET' ? (bytes: number) => call.place.holdAnswer(bytes) : undefined;
      await sendWhole(exchange, { status, headers, body }, hold);
      return;
    }
    // A pipe into an answer that is closed never ends.
    if (exchange.isGone) return discard(answer);
    if (exchange.method === 'HEAD') {
      discard(answer);
      exchange.response.writeHead(status, headers).end();
      return;
    }
    try {
      await call.place.enterStream();
    } catch (error) {
      discard(answer);
      throw error;
    }
    exchange.response.writeHead(status, headers);
    const end = await streamAnswer(exchange.response, body, stallMs);
    if (end.kind === 'cut')
      this.#deps.logger.warn('A streamed answer was cut', {
        path: toldPath(exchange, call.entry),
        error: end.error,
      });
  }

  async #fail(exchange: Exchange, thrown: unknown, call: Call | undefined): Promise<void> {
    const error = readableError(thrown);
    if (exchange.isGone) {
      // Nobody is there to read an answer.
      exchange.response.destroy();
      return;
    }
    const { status, body, headers, isUnexpected } = toErrorAnswer(this.#named(error, call), exchange.id);
    if (isUnexpected) this.#report(exchange, error, call);
    if (status === fullDisk) this.#fullDisk.tell(error, toldCall(exchange, call));
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    await sendWhole(exchange, {
      status,
      headers: {
        ...this.#fixedHeaders(exchange),
        'content-type': jsonType,
        ...headers,
        ...(status === 413 && { connection: 'close' }),
      },
      body: serialise(body),
    });
  }

  /** The error of a plugin's own code, with the plugin's name for those who can switch it off. */
  #named(error: unknown, call: Call | undefined): unknown {
    if (call === undefined) return error;
    const owner = errorOrigin(error)?.owner ?? (isOfHandler(error, call) ? call.entry.owner : undefined);
    return owner === undefined ? error : this.#nameTo(call, owner, error);
  }

  #nameTo(call: Call, owner: string, error: unknown): unknown {
    const { plugins } = this.#deps;
    const mayKnow = call.principal.accountRoles.includes('super') && !plugins.isSystem(owner);
    if (!mayKnow || !isDefect(error)) return error;
    const params = { plugin: plugins.nameOf(owner), requestId: call.exchange.id };
    return httpErrors.create('ROUTE_FAILED', params, error);
  }

  /** Tells the operator of a defect, and its plugin where its own code failed: rights, bodies and databases are the host's. */
  #report(exchange: Exchange, error: unknown, call: Call | undefined): void {
    const { logger, plugins } = this.#deps;
    const told = toldCall(exchange, call);
    const { requestId, method, path } = told;
    if (call !== undefined && isOfHandler(error, call)) {
      plugins.onError(call.entry.owner, `${method} ${path}`, error, { requestId });
      return;
    }
    logger.error('A request failed', { ...told, plugin: errorOrigin(error)?.owner, error });
  }

  #fixedHeaders(exchange: Exchange): AnswerHeaders {
    const headers = fixedHeaders(exchange, this.#deps.plugins.generation);
    // Told to go, a client does not meet a closed connection with its next request.
    if (this.#isStopping) headers.connection = 'close';
    return headers;
  }
}

/** Whether an error is a defect, and not one that code throws on purpose. */
function isDefect(error: unknown): boolean {
  return toErrorAnswer(error, '').body.code === 'INTERNAL';
}

/** Whether a plugin's own code failed. A hook or an adapter has told of its defect where it happened: whoever asked it is not to blame. */
function isOfHandler(error: unknown, { isHandled }: Call): boolean {
  return isHandled && errorOrigin(error) === undefined && !(error instanceof DatabaseError);
}

/** The path of a call as logs tell it. Where no credential is asked for, what stands in the path may be the secret that opens it. */
function toldPath({ path }: Exchange, entry: RouteEntry | undefined): string {
  return entry?.route.permission === 'public' ? entry.path : path;
}

/** A call as logs tell it. */
function toldCall(exchange: Exchange, call: Call | undefined) {
  return { requestId: exchange.id, method: exchange.method, path: toldPath(exchange, call?.entry) };
}

function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/auth/') || path.startsWith('/nc/');
}
