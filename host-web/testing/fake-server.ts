import axios, { AxiosHeaders, type AxiosAdapter, type InternalAxiosRequestConfig } from 'axios';
import { Transport } from '../api/transport.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export type Answer =
  | { readonly status?: number; readonly data?: unknown }
  /** The request gets no answer. */
  | 'unreachable';

type Route = Answer | ((request: SeenRequest) => Answer | Promise<Answer>);

/** A server in memory behind the real transport: it answers by `METHOD /path` and records every request. */
export class FakeServer {
  readonly seen: SeenRequest[] = [];
  readonly transport: Transport;
  readonly #routes = new Map<string, Route>();

  constructor(routes: Readonly<Record<string, Route>> = {}) {
    for (const [key, route] of Object.entries(routes)) this.#routes.set(key, route);
    const adapter: AxiosAdapter = (config) => this.#answer(config);
    this.transport = new Transport(axios.create({ adapter }));
  }

  on(key: string, route: Route): this {
    this.#routes.set(key, route);
    return this;
  }

  count(key: string): number {
    return this.seen.filter(({ method, path }) => `${method} ${path}` === key).length;
  }

  async #answer(config: InternalAxiosRequestConfig) {
    const method = (config.method ?? 'get').toUpperCase();
    const path = config.url ?? '';
    const body: unknown = typeof config.data === 'string' ? JSON.parse(config.data) : config.data;
    const request: SeenRequest = { method, path, headers: config.headers.toJSON(), body };
    this.seen.push(request);
    const route = this.#routes.get(`${method} ${path}`) ?? { status: 404, data: { msg: 'Not found' } };
    const answer = typeof route === 'function' ? await route(request) : route;
    if (answer === 'unreachable') throw new Error('ECONNREFUSED');
    return {
      data: answer.data,
      status: answer.status ?? 200,
      statusText: '',
      headers: new AxiosHeaders(),
      config,
    };
  }
}
