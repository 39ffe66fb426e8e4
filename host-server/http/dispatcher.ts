import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context as KoaContext } from 'koa';
import {
  RouteAnswer,
  type AccessScope,
  type AccessService,
  type CredentialResolver,
  type Logger,
  type Principal,
  type RouteCookie,
  type RouteRequest,
  type SchemaStore,
} from '@trellis/sdk/server';
import type { PluginState, RegistryView } from '@trellis/core';
import { accessErrors } from '../access/access-scope.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import { Admission } from './admission.ts';
import { clientAddress } from './client-address.ts';
import { httpErrors, toErrorAnswer } from './http-errors.ts';
import { readJsonBody } from './request-body.ts';
import { parseQuery } from './query-string.ts';
import { RequestSignals } from './request-signals.ts';
import type { RouteEntry, RouteTable } from './route-table.ts';

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

export interface DispatcherDependencies {
  readonly routes: RouteTable;
  readonly access: AccessService;
  readonly schema: SchemaStore;
  readonly credentials: RegistryView<CredentialResolver>;
  readonly idempotency: IdempotencyService;
  readonly plugins: PluginRunner;
  readonly logger: Logger;
  readonly trustProxy: number;
  /** Whether browsers reach the site by https, maybe through a proxy that we cannot see. */
  readonly secureCookies: boolean;
}

const guest: Principal = { kind: 'guest', id: '', email: '', accountRoles: [] };
const idShape = /^[a-z]{1,4}_[0-9a-z]{14,20}$/;
const defaultBodyLimit = 1024 * 1024;
const longestPath = 2000;
const longestQuery = 60_000;
const keyShape = /^[\x21-\x7e]{1,200}$/;

interface Resolved {
  readonly scope: AccessScope;
  readonly object: RouteRequest['object'];
}

/** The one way of every request to a handler: match, rights, body, validation, handler, answer. */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #signals = new RequestSignals();
  readonly #admission = new Admission();
  #isStopping = false;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
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
    if (ctx.querystring.length > longestQuery || ctx.path.length > longestPath)
      throw httpErrors.create('QUERY_TOO_LONG');
    const headers = singleHeaders(ctx.headers);
    const cookies = parseCookies(headers.cookie);
    const principal = await this.#principal({ headers, cookies });
    const query = parseQuery(ctx.querystring);
    const { scope, object } = await this.#authorise(entry, principal, params, requestId);
    const ip = clientAddress(ctx.req, this.#deps.trustProxy);
    const body =
      ctx.method === 'GET' || ctx.method === 'HEAD' || route.bodyKind === 'none' || route.bodyKind === 'raw'
        ? undefined
        : await this.#admission.whileReading(ip, () =>
            readJsonBody(ctx.req, route.bodyLimit ?? defaultBodyLimit),
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
      await this.#send(ctx, toRouteAnswer(await entry.route.handle(request)));
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
    await this.#send(ctx, answer);
  }

  async #principal(request: {
    headers: RouteRequest['headers'];
    cookies: RouteRequest['cookies'];
  }): Promise<Principal> {
    for (const resolver of this.#deps.credentials.list()) {
      const principal = await resolver.resolve(request);
      if (principal !== undefined) return principal;
    }
    return guest;
  }

  async #authorise(
    { route }: RouteEntry,
    principal: Principal,
    params: Record<string, string>,
    requestId: string,
  ): Promise<Resolved> {
    const { access } = this.#deps;
    const isOpen = route.permission === 'public';
    if (route.permission === 'signedIn' && principal.kind === 'guest')
      throw accessErrors.create('UNAUTHORIZED');
    const named = await this.#projectOf(route.object ?? { kind: 'none' }, params);
    const scope = await access.scopeFor(principal, named, requestId);
    if (!isOpen && route.permission !== 'signedIn') scope.require(route.permission);
    const object = await this.#objectOf(route.object ?? { kind: 'none' }, params, scope);
    return { scope, object: { projectId: named, ...object } };
  }

  /**
   * The project that a path names. An id that was never issued gives a project that nobody is in, so that it answers exactly
   * like one of somebody else.
   */
  async #projectOf(
    object: NonNullable<RouteEntry['route']['object']>,
    params: Record<string, string>,
  ): Promise<string | undefined> {
    const { access } = this.#deps;
    switch (object.kind) {
      case 'none':
        return undefined;
      case 'data':
        return (await access.locateProject(params[object.project] ?? '')) ?? '';
      default: {
        const id = params[object.param] ?? '';
        if (object.kind === 'project') return (await access.locateProject(id)) ?? '';
        return idShape.test(id) ? ((await access.locate(object.kind, id)) ?? '') : '';
      }
    }
  }

  async #objectOf(
    object: NonNullable<RouteEntry['route']['object']>,
    params: Record<string, string>,
    scope: AccessScope,
  ): Promise<RouteRequest['object']> {
    if (object.kind !== 'data' || object.table === undefined) return {};
    const { schema } = this.#deps;
    const table = await schema.table(scope, params[object.table] ?? '');
    if (object.view === undefined) return { tableId: table.id };
    const name = params[object.view] ?? '';
    const view =
      table.views.find((of) => of.id === name) ??
      table.views.find(
        (of) => of.title === name && (of.lockType !== 'personal' || of.ownerId === scope.principal.id),
      );
    if (view === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
    return { tableId: table.id, viewId: view.id };
  }

  async #send(ctx: KoaContext, answer: RouteAnswer): Promise<void> {
    ctx.status = answer.status;
    for (const cookie of answer.cookies)
      ctx.append('set-cookie', writeCookie(cookie, this.#deps.secureCookies));
    if (isStream(answer.body)) {
      ctx.set(answer.headers);
      await this.#stream(ctx, answer.body);
      return;
    }
    ctx.set('content-type', jsonType);
    ctx.set(answer.headers);
    ctx.body = serialise(answer.body);
  }

  /** Sends pieces as the client takes them. A failure half-way cuts the connection: a short file must not look whole. */
  async #stream(ctx: KoaContext, body: AsyncIterable<unknown>): Promise<void> {
    ctx.respond = false;
    const source = Readable.from(body, { objectMode: false, highWaterMark: 64 * 1024 });
    ctx.res.statusCode = ctx.status;
    try {
      await pipeline(source, ctx.res);
    } catch (error) {
      // A client that stops reading is no news.
      const isOurs = (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE';
      ctx.res.destroy();
      if (isOurs) this.#deps.logger.warn('A streamed answer was cut', { path: ctx.path, error });
    }
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
  return ctx.res.destroyed || ctx.req.socket.destroyed;
}

const jsonType = 'application/json; charset=utf-8';

function toRouteAnswer(result: unknown): RouteAnswer {
  return isRouteAnswer(result) ? result : new RouteAnswer({ body: result });
}

/** A plugin from elsewhere may bring its own copy of the class. */
function isRouteAnswer(result: unknown): result is RouteAnswer {
  return (
    result instanceof RouteAnswer ||
    (typeof result === 'object' &&
      result !== null &&
      result.constructor.name === 'RouteAnswer' &&
      'cookies' in result)
  );
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** `''` stays an empty body, as clients of the v1 API expect of some calls; everything else is JSON. */
function serialise(body: unknown): string {
  return body === undefined || body === '' ? '' : JSON.stringify(body);
}

function singleHeaders(headers: KoaContext['headers']): RouteRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function parseCookies(header: string | undefined): RouteRequest['cookies'] {
  const cookies: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0) cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return cookies;
}

function writeCookie(cookie: RouteCookie, secure: boolean): string {
  const parts = [
    `${cookie.name}=${cookie.value ?? ''}`,
    `Path=${cookie.path}`,
    `SameSite=${cookie.sameSite === 'strict' ? 'Strict' : 'Lax'}`,
  ];
  if (cookie.httpOnly) parts.push('HttpOnly');
  if (secure) parts.push('Secure');
  if (cookie.value === undefined) parts.push('Max-Age=0');
  else if (cookie.maxAge !== undefined) parts.push(`Max-Age=${cookie.maxAge}`);
  return parts.join('; ');
}
