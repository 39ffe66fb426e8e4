import type { Readable } from 'node:stream';
import { createToken, type JsonSchema } from '../shared/index.ts';
import type { AccessScope, ObjectKind, Principal } from './access.ts';
import type { Logger } from './logger.ts';
import type { TableHandle } from './table-handle.ts';

/** What a call names, so that the host finds the project and the rights before the handler runs. @public */
export type RouteObject =
  | { readonly kind: 'none' }
  /** The parameter holds an id of this kind: in the path, or `in` the query or the body, where nothing else than its key names it. */
  | { readonly kind: ObjectKind; readonly param: string; readonly in?: 'query' | 'body' }
  /**
   * The parameter of the path holds the id of something that a plugin keeps; `home` is the id of its item in the registry `objectHomes`. The
   * handler finds it as `kept`: where there is none for the caller it is undefined, and the handler answers as for an id that was never given.
   */
  | { readonly kind: 'kept'; readonly home: string; readonly param: string }
  /** `{project}` title or id and `{table}` title or id, `{view}` title or id when the path has one. */
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
  /** Where the bytes are until the request is over. */
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
  /** The JSON value, or the fields of a multipart body as texts; undefined for other kinds and where none was sent. */
  readonly body: Body;
  /** Files of a multipart body; those that the handler does not move away are removed when the request is over. */
  readonly files?: readonly UploadedFile[];
  /**
   * The body of a route of kind `raw`, decompressed and limited to the route's `bodyLimit`; undefined where none was sent. It fails
   * when its sender goes away or sends too much.
   */
  readonly stream?: Readable;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The client's address; a proxy's header counts only when the configuration says so. */
  readonly ip: string;
  /**
   * The origin under which the client says that it reached this server, such as `https://data.example.com`; undefined where it names
   * none. Whoever sends the request chooses it: it may be told to that client, and stands in no mail and no link for others
   * (`ServerInfo.siteUrl` does).
   */
  readonly origin: string | undefined;
  readonly scope: AccessScope;
  readonly principal: Principal;
  /** The project that the object of the call belongs to. */
  readonly object: { readonly projectId?: string };
  /** The table, and the view, that a path of `kind: 'data'` names; the table of what is kept in one. */
  readonly table?: TableHandle;
  /** What a path of `kind: 'kept'` names, as its home gave it; undefined where it is not there for the caller. */
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
    /** A `Readable` or an async iterable is streamed, a `Uint8Array` is sent as it is; everything else is sent as JSON. */
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

/** A cookie to set; it is `Secure` by itself where the site is served over HTTPS. @public */
export interface RouteCookie {
  readonly name: string;
  /** Undefined removes the cookie. */
  readonly value: string | undefined;
  readonly path: string;
  readonly httpOnly: boolean;
  /** `none` is also sent from pages that other sites show inside theirs, for each of those apart; `lax` where the site is not served over HTTPS. */
  readonly sameSite: 'strict' | 'lax' | 'none';
  /** Seconds. */
  readonly maxAge?: number;
}

/**
 * A route is data: routing, rights, validation, documentation and the authorisation matrix all come from it.
 *
 * A route whose permission nobody registered fails the plugin that declared it. `public` is a property of the route,
 * never of the URL.
 * @public
 */
export interface RouteDefinition<
  Params = Record<string, string>,
  Query = Record<string, unknown>,
  Body = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/users/:id`. Relative paths live under `/api/v1/plugins/<plugin id>`; product paths start with `/` and stand in the manifest's `contributes.routes`. */
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
  /** What happens to body keys that the schema does not name. Default `drop`: clients send whole entities back. */
  readonly unknownKeys?: 'drop' | 'refuse';
  /** Bytes. Default 1 MB; 50 MB on bulk and import. */
  readonly bodyLimit?: number;
  /**
   * Which places a request takes while its handler runs: `work` (default), `passwords` for what hashes a password, which has few
   * places of its own so that it waits for no other work and no other work waits for it, `none` for what answers from memory.
   */
  readonly places?: 'work' | 'passwords' | 'none';
  /**
   * Seconds that the handler has for its answer, which may be a stream that takes longer. Default 60, at most 600; what takes
   * longer is a task. After them the caller is answered 503 and the plugin is named to the administrator; plugins that are
   * always on have no limit.
   */
  readonly seconds?: number;
  /**
   * `json` (default, at most 1 MB where nothing else is said), `none`, `multipart` (fields in `body`, files in `files`), `form` (multipart
   * or JSON, whichever was sent; JSON of 1 MB at most), `raw` (the handler reads `stream`).
   */
  readonly bodyKind?: 'json' | 'none' | 'multipart' | 'form' | 'raw';
  /**
   * Whether an `Idempotency-Key` of somebody who is not signed in counts as well: a repeated call gets the answer of the first one, which
   * is kept for a while. Only where answers hold no secret, and where `willReadBody` limits strangers and refuses whoever may not call:
   * a repetition does not reach `handle`.
   */
  readonly repeatableByGuests?: boolean;
  /**
   * Called before the body is read, with path and query checked and everything else but the body: refuses by a `TrellisError` what would
   * be refused whatever the body says, so that nobody sends a large one in vain. Cookies that it
   * gives go with the answer, also with one that is repeated.
   */
  willReadBody?(request: RouteRequest<Params, Query, undefined>): Promise<readonly RouteCookie[] | void>;
  /** Gives the body, or a `RouteAnswer`. A `TrellisError` is answered by its status; anything else is 500 and logged. */
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

/** What the server answers at the moment, for whoever describes it. @public */
export interface ServedRoutes {
  list(): readonly ServedRoute[];
}
/** The routes of all plugins that are on. @public */
export const ServedRoutesToken = createToken<ServedRoutes>('served-routes');
