import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { PluginState } from '@trellis/core';
import type { RouteAnswer, RouteRequest } from '@trellis/sdk/server';
import type { Context as KoaContext } from 'koa';
import { Admission } from './admission.ts';
import { createAuthoriser, type Authoriser, type AuthoriserDependencies } from './authoriser.ts';
import { clientAddress } from './client-address.ts';
import { parseCookies } from './cookies.ts';
import { httpErrors, toErrorAnswer } from './http-errors.ts';
import { isCrossSite, type SiteOrigins } from '../runtime/config/site-origins.ts';
import { readJsonBody } from './request-body.ts';
import { parseQuery } from './query-string.ts';
import { RequestSignals } from './request-signals.ts';
import type { RouteEntry, RouteTable } from './route-table.ts';
import { isStream, jsonType, sendAnswer, serialise, toRouteAnswer, type SendOptions } from './send-answer.ts';

/** Runs a handler in the name of its plugin: tracked, so that disabling waits for it, and with the signal that ends it. */
export interface PluginRunner {
  run<T>(pluginId: string, work: () => Promise<T>): Promise<T>;
  signalOf(pluginId: string): AbortSignal | undefined;
  nameOf(pluginId: string): string;
  /** What is known of a plugin that serves none of its paths; undefined for one that is not there. */
  stateOf(pluginId: string): PluginState | undefined;
  onError(pluginId: string, where: string, error: unknown): void;
}

/** Answers a repeated write from its first answer. */
export interface IdempotencyService {
  begin(call: {
    readonly key: string;
    readonly principal: string;
    readonly method: string;
    readonly path: string;
    readonly bodyHash: string;
  }): Promise<IdempotentCall>;
}

export type IdempotentCall =
  | {
      readonly kind: 'replay';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly kind: 'run';
      finish(answer: {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }): Promise<void>;
      /** The call failed before it changed anything: it may be tried again. */
      abandon(): Promise<void>;
    };

export interface DispatcherDependencies extends AuthoriserDependencies, SendOptions {
  readonly routes: RouteTable;
  readonly idempotency: IdempotencyService;
  readonly plugins: PluginRunner;
  readonly trustProxy: number;
  readonly site: SiteOrigins;
}

const defaultBodyLimit = 1024 * 1024;
/** Milliseconds for the body of one request. */
const longestBody = 60_000;
const longestPath = 2000;
const longestQuery = 60_000;
const keyShape = /^[\x21-\x7e]{1,200}$/;

/** The one way of every request to a handler: match, rights, body, validation, handler, answer. */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #signals = new RequestSignals();
  readonly #authoriser: Authoriser;
  readonly #admission = new Admission();
  #isStopping = false;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#authoriser = createAuthoriser(deps);
  }

  get inFlight(): number {
    return this.#admission.inFlight;
  }

  /** From now on requests are told to come back later. */
  stopAccepting(): void {
    this.#isStopping = true;
  }

  /** Answers a request of the API; false when no route is meant and the caller should serve a page or a file. */
  async dispatch(ctx: KoaContext): Promise<boolean> {
    const match = this.#deps.routes.find(ctx.method === 'HEAD' ? 'GET' : ctx.method, ctx.path);
    if (match === undefined) return false;
    const requestId = randomUUID();
    ctx.set('x-request-id', requestId);
    ctx.set('cache-control', 'no-store');
    let leave: (() => void) | undefined;
    try {
      if (this.#isStopping) throw httpErrors.create('STOPPING');
      leave = this.#admission.enter();
      if (match.kind === 'disabled') throw this.#absence(match.plugin);
      await this.#answer(ctx, match.entry, match.params, requestId);
    } catch (error) {
      this.#fail(ctx, error, requestId, match.kind === 'route' ? match.entry.owner : undefined);
    } finally {
      leave?.();
    }
    return true;
  }

  /** Why a path of a plugin is not served. */
  #absence(pluginId: string): Error {
    const { plugins } = this.#deps;
    const state = plugins.stateOf(pluginId);
    if (state === 'enabled' || state === 'degraded') return httpErrors.create('NOT_FOUND');
    const code = state === 'starting' ? 'PLUGIN_STARTING' : 'PLUGIN_DISABLED';
    return httpErrors.create(code, { plugin: plugins.nameOf(pluginId) });
  }

  async #answer(
    ctx: KoaContext,
    entry: RouteEntry,
    params: Record<string, string>,
    requestId: string,
  ): Promise<void> {
    const { route } = entry;
    // Where no credential is asked for, nothing else would keep a page of another site from acting in its visitor's place.
    if (route.permission === 'public' && route.method !== 'GET' && isCrossSite(ctx.headers, this.#deps.site))
      throw httpErrors.create('CROSS_SITE');
    if (ctx.querystring.length > longestQuery || ctx.path.length > longestPath)
      throw httpErrors.create('QUERY_TOO_LONG');
    const headers = singleHeaders(ctx.headers);
    const cookies = parseCookies(headers.cookie);
    const principal = await this.#authoriser.principalOf({ headers, cookies });
    const query = parseQuery(ctx.querystring);
    const { scope, object } = await this.#authoriser.authorise(entry, principal, params, requestId);
    const ip = clientAddress(ctx.req, this.#deps.trustProxy);
    const body =
      ctx.method === 'GET' || ctx.method === 'HEAD' || route.bodyKind === 'none' || route.bodyKind === 'raw'
        ? undefined
        : await this.#admission.whileReading(ip, () =>
            readJsonBody(ctx.req, { bytes: route.bodyLimit ?? defaultBodyLimit, time: longestBody }),
          );
    entry.validateParams?.(params);
    entry.validateQuery?.(query);
    if (entry.validateBody) entry.validateBody(body ?? {});
    const ending = this.#signals.open(this.#deps.plugins.signalOf(entry.owner));
    // Not the request's own event, which comes as soon as its body was read.
    ctx.res.once('close', () => {
      if (!ctx.res.writableFinished) ending.abort(new Error('The client went away.'));
      ending.close();
    });
    const request: RouteRequest = {
      id: requestId,
      method: ctx.method,
      params,
      query,
      body: entry.validateBody ? (body ?? {}) : body,
      headers,
      cookies,
      ip,
      scope,
      principal,
      object,
      get signal() {
        return ending.signal;
      },
      logger: this.#deps.logger,
    };
    await this.#deps.plugins.run(entry.owner, () => this.#handle(ctx, entry, request));
  }

  async #handle(ctx: KoaContext, entry: RouteEntry, request: RouteRequest): Promise<void> {
    const key = request.headers['idempotency-key'];
    if (key === undefined || ctx.method === 'GET' || !keyShape.test(key) || request.principal.id === '') {
      await sendAnswer(ctx, toRouteAnswer(await entry.route.handle(request)), this.#deps);
      return;
    }
    const call = await this.#deps.idempotency.begin({
      key,
      principal: request.principal.id,
      method: ctx.method,
      path: ctx.url,
      bodyHash: createHash('sha256')
        .update(JSON.stringify(request.body ?? null))
        .digest('hex'),
    });
    if (call.kind === 'replay') {
      ctx.status = call.status;
      ctx.set({ ...call.headers, 'idempotency-replayed': 'true' });
      ctx.body = call.body;
      return;
    }
    let answer: RouteAnswer;
    try {
      answer = toRouteAnswer(await entry.route.handle(request));
    } catch (error) {
      await call.abandon();
      throw error;
    }
    const headers = { ...answer.headers, 'content-type': answer.headers['content-type'] ?? jsonType };
    await call.finish({
      status: answer.status,
      headers,
      body: isStream(answer.body) ? '' : serialise(answer.body),
    });
    await sendAnswer(ctx, answer, this.#deps);
  }

  #fail(ctx: KoaContext, error: unknown, requestId: string, owner: string | undefined): void {
    if (isGone(ctx)) {
      // Nobody is there to read an answer.
      ctx.respond = false;
      ctx.res.destroy();
      return;
    }
    const { status, body, headers, isUnexpected } = toErrorAnswer(error, requestId);
    if (isUnexpected) {
      this.#deps.logger.error('A request failed', {
        requestId,
        method: ctx.method,
        path: ctx.path,
        plugin: owner,
        error,
      });
      if (owner !== undefined) this.#deps.plugins.onError(owner, `${ctx.method} ${ctx.path}`, error);
    }
    if (status === 413) ctx.set('connection', 'close');
    ctx.status = status;
    ctx.set(headers);
    ctx.set('content-type', jsonType);
    ctx.body = serialise(body);
  }
}

/** Whether the client has hung up. A request whose body was read is `destroyed` too, so its socket is asked. */
function isGone(ctx: KoaContext): boolean {
  // A request whose stream was destroyed has no socket any more.
  const { socket } = ctx.req as { readonly socket: Socket | null };
  return ctx.res.destroyed || socket === null || socket.destroyed;
}

function singleHeaders(headers: KoaContext['headers']): RouteRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
