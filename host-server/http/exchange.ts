import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteRequest } from '@trellis/sdk/server';
import { clientAddress } from '../runtime/client-address.ts';
import { requestOrigin } from '../runtime/request-origin.ts';
import { parseCookies } from './cookies.ts';

/** One call of the API: Node's request and response, and facts that are read from them when they are first needed. */
export class Exchange {
  readonly id = randomUUID();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** As it was sent, not decoded. */
  readonly path: string;
  readonly querystring: string;
  /** Headers that every answer to this call carries beside the fixed ones. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  readonly #hops: number;
  #cookies: RouteRequest['cookies'] | undefined;
  #ip: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions) {
    this.request = request;
    this.response = response;
    this.#hops = options.trustedProxies;
    this.extraHeaders = options.extraHeaders;
    this.method = request.method ?? 'GET';
    const target = originForm(request.url ?? '/');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.querystring = mark === -1 ? '' : target.slice(mark + 1);
  }

  /** Node joins what was sent several times into one text; `set-cookie` alone stays a list, and is no header of a request. */
  get headers(): RouteRequest['headers'] {
    return this.request.headers as RouteRequest['headers'];
  }

  get cookies(): RouteRequest['cookies'] {
    this.#cookies ??= parseCookies(this.headers.cookie);
    return this.#cookies;
  }

  /** The client's address. */
  get ip(): string {
    this.#ip ??= clientAddress(this.request, this.#hops);
    return this.#ip;
  }

  /** The origin under which the client says that it reached the server. */
  get origin(): string | undefined {
    return requestOrigin(this.request, this.#hops);
  }

  /** Whether a page of a configured origin calls. */
  get isFromAllowedOrigin(): boolean {
    return 'access-control-allow-origin' in this.extraHeaders;
  }

  /** Whether the client has hung up. A request whose body was read is `destroyed` too, so its socket is asked. */
  get isGone(): boolean {
    // A request whose stream was destroyed has no socket any more.
    const { socket } = this.request as { readonly socket: Socket | null };
    return this.response.destroyed || socket === null || socket.destroyed;
  }
}

export interface ExchangeOptions {
  /** How many proxies in front of the server are believed about the client's address. */
  readonly trustedProxies: number;
  readonly extraHeaders: Readonly<Record<string, string>>;
}

/** The path and query of a request's target; proxies may send the whole address. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)?.[1];
  return path?.startsWith('/') === true ? path : '/';
}
