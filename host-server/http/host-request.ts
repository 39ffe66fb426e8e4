import type { Logger, RouteRequest } from '@trellis/sdk/server';
import type { Exchange } from './exchange.ts';
import type { RequestSignals } from './request-signals.ts';

/** Facts about a request that are known before its handler runs. */
export type RequestFacts = Pick<
  RouteRequest,
  'params' | 'query' | 'body' | 'files' | 'stream' | 'scope' | 'principal' | 'object' | 'table' | 'kept'
>;

export interface HostRequestOptions {
  readonly logger: Logger;
  readonly signals: RequestSignals;
  /** Aborts when the answering plugin stops. */
  readonly pluginSignal: AbortSignal | undefined;
}

/** A request as passed to a handler. Rarely needed parts are created on first use. */
export class HostRequest implements RouteRequest {
  readonly id: string;
  readonly method: string;
  readonly params: RouteRequest['params'];
  readonly query: RouteRequest['query'];
  readonly body: RouteRequest['body'];
  readonly files: RouteRequest['files'];
  readonly stream: RouteRequest['stream'];
  readonly scope: RouteRequest['scope'];
  readonly principal: RouteRequest['principal'];
  readonly object: RouteRequest['object'];
  readonly table: RouteRequest['table'];
  readonly kept: RouteRequest['kept'];
  readonly logger: Logger;
  readonly #exchange: Exchange;
  readonly #options: HostRequestOptions;
  #signal: AbortSignal | undefined;

  constructor(exchange: Exchange, facts: RequestFacts, options: HostRequestOptions) {
    this.id = exchange.id;
    this.method = exchange.method;
    this.params = facts.params;
    this.query = facts.query;
    this.body = facts.body;
    this.files = facts.files;
    this.stream = facts.stream;
    this.scope = facts.scope;
    this.principal = facts.principal;
    this.object = facts.object;
    this.table = facts.table;
    this.kept = facts.kept;
    this.logger = options.logger;
    this.#exchange = exchange;
    this.#options = options;
  }

  get headers(): RouteRequest['headers'] {
    return this.#exchange.headers;
  }

  get cookies(): RouteRequest['cookies'] {
    return this.#exchange.cookies;
  }

  get ip(): string {
    return this.#exchange.ip;
  }

  get origin(): string | undefined {
    return this.#exchange.origin;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#follow();
    return this.#signal;
  }

  /** A signal that aborts when the client disconnects or the plugin is switched off. */
  #follow(): AbortSignal {
    const { signals, pluginSignal } = this.#options;
    const { response } = this.#exchange;
    const ending = signals.open(pluginSignal);
    const leave = (): void => {
      if (!response.writableFinished) ending.abort(new Error('The client went away.'));
      ending.close();
    };
    // Not the request's own event, which fires as soon as its body has been read.
    if (response.closed) leave();
    else response.once('close', leave);
    return ending.signal;
  }
}
