import { createToken } from '@trellis/core';
import type { Dispatcher } from './dispatcher.ts';
import type { HttpServer } from './http-server.ts';
import type { IdempotencyService } from './idempotent-answer.ts';
import type { RouteTable } from './route-table.ts';

export const RouteTableToken = createToken<RouteTable>('host.route-table');
export const IdempotencyToken = createToken<IdempotencyService>('host.idempotency');
export const DispatcherToken = createToken<Dispatcher>('host.dispatcher');
export const HttpServerToken = createToken<HttpServer>('host.http-server');
/** Milliseconds for running requests when the server stops. */
export const GraceToken = createToken<number>('host.grace');
