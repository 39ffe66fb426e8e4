import type { Readable } from 'node:stream';
import { createToken, type JsonSchema } from '../shared/index.ts';
import type { AccessScope, ObjectKind, Principal } from './access.ts';
import type { Logger } from './logger.ts';
import type { TableHandle } from './table-handle.ts';

/** The object that a call names, so that the host finds the project and the rights before the handler runs. @public */
export type RouteObject =
  | { readonly kind: 'none' }
  /** The parameter contains an id of this kind: in the path, or `in` the query or the body, where only its key identifies it. */
  | { readonly kind: ObjectKind; readonly param: string; readonly in?: 'query' | 'body' }
  /**
   * The parameter of the path contains the id of an object that a plugin stores; `home` is the id of its item in the registry
   * `objectHomes`. The handler gets it as `kept`: undefined if the caller may not see it, and then the handler must answer as for
   * an unknown id.
   */
  | { readonly kind: 'kept'; readonly home: string; readonly param: string }
  /** `{project}` title or id and `{table}` title or id, `{view}` title or id if the path has one. */
  | { readonly kind: 'data'; readonly project: string; readonly table?: string; readonly view?: string };

/** A file of a multipart body. @public */
export interface UploadedFile {
  /** The field under which it was sent. */
  readonly field: string;
  /** The name that the sender gives: any text, never a path of this machine. */
  readonly name: string;
  /** The media type that the sender claims. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The file with the bytes, which exists until the request ends. */
  readonly path: string;
}

/** A request that was authorised and validated by its route's schemas. @public */
export interface RouteRequest<
  Params = Record<string, string>,
  Query = Record<string, unknown>,
  Body = unknown,
> {
  readonly id: string;
  readonly method: string;
  readonly params: Params;
  readonly query: Query;
  /** The JSON value, or the fields of a multipart body as texts; undefined for other kinds, and without a body. */
  readonly body: Body;
  /** Files of a multipart body; files that the handler does not move away are removed when the request ends. */
  readonly files?: readonly UploadedFile[];
  /**
   * The body of a route of kind `raw`, decompressed and limited to the route's `bodyLimit`; undefined without a body. It fails
   * when the sender goes away or sends too much.
   */
  readonly stream?: Readable;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The client's address; a proxy's header is used only if the configuration says so. */
  readonly ip: string;
  /**
   * The origin by which the client reached this server, such as `https://data.example.com`; undefined if it states none. The
   * client chooses it, so it may only be used in answers to that client, and never in mails or links for others (use
   * `ServerInfo.siteUrl` there).
   */
  readonly origin: string | undefined;
  readonly scope: AccessScope;
  readonly principal: Principal;
  /** The project of the call's object. */
  readonly object: { readonly projectId?: string };
  /** The table and view in a path of `kind: 'data'`; for a stored object, its table. */
  readonly table?: TableHandle;
  /** The object in a path of `kind: 'kept'`, as its home returned it; undefined if the caller may not see it. */
  readonly kept?: unknown;
  /** Aborts when the client goes away or the plugin is disabled. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** An answer with more than a body. Plain values are sent as JSON with 200. @public */
export class RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly RouteCookie[];

  constructor(options: {
    status?: number;
    /** A `Readable` or an async iterable is streamed, a `Uint8Array` is sent unchanged; any other value is sent as JSON. */
    body?: unknown;
    headers?: Readonly<Record<string, string>>;
    cookies?: readonly RouteCookie[];
  }) {
    this.status = options.status ?? 200;
    this.body = options.body;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? [];
  }
}

/** A cookie to set; it becomes `Secure` automatically if the site is served over HTTPS. @public */
export interface RouteCookie {
  readonly name: string;
  /** Undefined removes the cookie. */
  readonly value: string | undefined;
  readonly path: string;
  readonly httpOnly: boolean;
  /**
   * `none` is also sent within pages embedded in other sites, separately for each site; it becomes `lax` if the site is not
   * served over HTTPS.
   */
  readonly sameSite: 'strict' | 'lax' | 'none';
  /** Seconds. */
  readonly maxAge?: number;
}

/**
 * A route is data: routing, rights, validation, documentation and the authorisation matrix all come from it.
 *
 * A route with an unregistered permission fails its plugin. `public` is a property of the route, never of the URL.
 * @public
 */
export interface RouteDefinition<
  Params = Record<string, string>,
  Query = Record<string, unknown>,
  Body = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * `/users/:id`. Relative paths are below `/api/v1/plugins/<plugin id>`; product paths begin with `/` and must be in the
   * manifest's `contributes.routes`.
   */
  readonly path: string;
  readonly aliases?: readonly string[];
  /** A permission's id, `public` (everybody) or `signedIn` (any account, no visitor of a shared link). */
  readonly permission: string;
  readonly object?: RouteObject;
  readonly summary: string;
  readonly schemas?: {
    readonly params?: JsonSchema;
    readonly query?: JsonSchema;
    readonly body?: JsonSchema;
    readonly response?: JsonSchema;
  };
  /** The treatment of unknown keys in the body. Default `drop`: clients send whole entities back. */
  readonly unknownKeys?: 'drop' | 'refuse';
  /** Bytes. Default 1 MB; 50 MB on bulk and import. */
  readonly bodyLimit?: number;
  /**
   * The places that a request takes while its handler runs: `work` (default); `passwords` for hashing a password, which has a few
   * separate places, so that it does not wait for other work nor delay it; `none` for answers from memory.
   */
  readonly places?: 'work' | 'passwords' | 'none';
  /**
   * Seconds until the handler must answer; the answer may be a stream that takes longer. Default 60, at most 600; longer work is
   * a task. After that the caller gets 503, and the plugin is reported to the administrator; system plugins have no limit.
   */
  readonly seconds?: number;
  /**
   * `json` (default, at most 1 MB unless `bodyLimit` is set), `none`, `multipart` (fields in `body`, files in `files`), `form`
   * (multipart or JSON of at most 1 MB), `raw` (the handler reads `stream`).
   */
  readonly bodyKind?: 'json' | 'none' | 'multipart' | 'form' | 'raw';
  /**
   * Whether an `Idempotency-Key` also works for callers who are not signed in: a repeated call gets the answer of the first one,
   * which is stored for a while. Only for answers without secrets, and if `willReadBody` limits strangers and refuses
   * unauthorised callers: a repeated call does not reach `handle`.
   */
  readonly repeatableByGuests?: boolean;
  /**
   * Called before the body is read, with everything except the body, after path and query were checked. Refuse by a
   * `TrellisError` what would be refused with any body, so that nobody sends a large one in vain. Cookies that it returns are
   * sent with the answer, also with a repeated one.
   */
  willReadBody?(request: RouteRequest<Params, Query, undefined>): Promise<readonly RouteCookie[] | void>;
  /** Returns the body, or a `RouteAnswer`. A `TrellisError` is answered with its status; another error becomes a 500 and is logged. */
  handle(request: RouteRequest<Params, Query, Body>): Promise<unknown>;
}

/** Types a route's handler by its schemas' shapes. @public */
export function defineRoute<Params = Record<string, string>, Query = Record<string, unknown>, Body = unknown>(
  route: RouteDefinition<Params, Query, Body>,
): RouteDefinition {
  return route as RouteDefinition;
}

/** A route at one of its paths. @public */
export interface ServedRoute {
  /** The id of the plugin that serves it. */
  readonly plugin: string;
  /** The whole path: `/api/v1/db/meta/tables/:tableId`. */
  readonly path: string;
  readonly route: Omit<RouteDefinition, 'handle'>;
}

/** The routes that the server serves at the moment, for their documentation. @public */
export interface ServedRoutes {
  list(): readonly ServedRoute[];
}
/** The routes of all plugins that are on. @public */
export const ServedRoutesToken = createToken<ServedRoutes>('served-routes');
