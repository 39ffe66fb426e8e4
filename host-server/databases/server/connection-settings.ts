import { callbackify } from 'node:util';
import type { Knex } from 'knex';
import type { ServerTarget, TlsMaterial } from '../database.ts';

export const DEFAULT_CONNECTIONS = 10;
/** A caller that gets no connection within this time is told that the database is busy. Milliseconds. */
const ACQUIRE_MS = 2000;
/** How long a connection may take to open, unless the target says otherwise. */
const OPEN_MS = 5000;
/** How long applying the settings of a connection may take after that. */
const PREPARE_MS = 3000;

/** Milliseconds for a driver to open a connection. */
export function openMsOf({ openMs = OPEN_MS }: ServerTarget): number {
  return openMs;
}

/** The name of our connections in the server's own tools. */
export function applicationNameOf({ applicationName = 'trellis' }: ServerTarget): string {
  return applicationName;
}

/** @param prepare applies the settings to a new connection before its first use */
export function poolConfig<Connection>(
  target: ServerTarget,
  prepare: (connection: Connection) => Promise<void>,
): Pick<Knex.Config, 'pool' | 'acquireConnectionTimeout' | 'log'> {
  return {
    // knex prints lost connections to the console; the caller of a query gets the error anyway.
    log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
    // On a server that is known to be slow, callers wait for the connection that is being opened for them.
    acquireConnectionTimeout: Math.max(ACQUIRE_MS, target.openMs ?? 0),
    pool: {
      min: target.pool?.min ?? 0,
      max: target.pool?.max ?? DEFAULT_CONNECTIONS,
      idleTimeoutMillis: 30_000,
      createTimeoutMillis: openMsOf(target) + PREPARE_MS,
      createRetryIntervalMillis: 200,
      afterCreate: callbackify(async (connection: Connection) => {
        await prepare(connection);
        return connection;
      }),
    },
  };
}

/** TLS settings for the drivers: PEM text only, verified unless the target says otherwise. */
export function tlsConfig({ tls }: ServerTarget): TlsMaterial | undefined {
  if (tls === undefined || tls === false) return undefined;
  return tls === true
    ? { rejectUnauthorized: true }
    : { ...tls, rejectUnauthorized: tls.rejectUnauthorized ?? true };
}
