import { connect, type Socket } from 'node:net';
import MssqlClient from 'knex/lib/dialects/mssql/index.js';
import { DatabaseError } from '../../sql/database-error.ts';
import type { ServerTarget } from '../database.ts';
import { applicationNameOf, openMsOf, tlsConfig } from '../server/connection-settings.ts';
import { SESSION_ID, SETTINGS } from './host-statements.ts';
import { runStatement } from './mssql-requests.ts';
import { Connection, type TdsConnection } from './tds.ts';

type ConnectionConfig = ConstructorParameters<typeof Connection>[0];

function connectionConfig(
  target: ServerTarget,
  { openMs, signal }: { readonly openMs: number; readonly signal: AbortSignal },
): ConnectionConfig {
  const tls = tlsConfig(target);
  return {
    server: target.host,
    authentication: {
      type: 'default',
      options: { userName: target.user, password: target.password ?? '' },
    },
    options: {
      port: target.port,
      database: target.database,
      appName: applicationNameOf(target),
      connectTimeout: openMs,
      // Units have limits of their own, at which they cancel the statement.
      requestTimeout: 0,
      useUTC: true,
      encrypt: tls !== undefined,
      trustServerCertificate: tls === undefined || tls.rejectUnauthorized === false,
      ...(tls && { cryptoCredentialsDetails: { ca: tls.ca, cert: tls.cert, key: tls.key } }),
      // Wherever the server would send us: the address was checked.
      connector: () => openSocket(target, signal),
    },
  };
}

function openSocket({ address, host, port }: ServerTarget, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The signal also ends a socket whose server has stopped to answer.
    const socket = connect({ host: address ?? host, port, keepAlive: true, noDelay: true, signal });
    // The listener stays: an error before the driver listens would otherwise end the process.
    socket.on('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

/** Opens a connection and gives it its settings. Rejects with the server's number of the error where it told one. */
export function openConnection(target: ServerTarget, openMs = openMsOf(target)): Promise<TdsConnection> {
  return new Promise((resolve, reject) => {
    const opening = new AbortController();
    const config = connectionConfig(target, { openMs, signal: opening.signal });
    const connection = new Connection(config) as TdsConnection;
    let told: number | undefined;
    connection.on('errorMessage', ({ number }: { readonly number: number }) => {
      told ??= number;
    });
    connection.on('error', (error) => {
      connection.__knex__disposed = error;
    });
    connection.once('end', () => {
      connection.__knex__disposed = new Error('The server has closed the connection');
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      connection.close();
      reject(error);
    };
    // The driver bounds neither the way to the server nor the first statements.
    const timer = setTimeout(() => {
      opening.abort();
      fail(new DatabaseError('unreachable'));
    }, openMs);
    connection.connect((error) => {
      if (error) {
        fail(told === undefined ? error : Object.assign(error, { number: told }));
        return;
      }
      prepare(connection).then(() => {
        clearTimeout(timer);
        resolve(connection);
      }, fail);
    });
  });
}

async function prepare(connection: TdsConnection): Promise<void> {
  await runStatement(connection, SETTINGS, []);
  const { rows } = await runStatement(connection, SESSION_ID, []);
  connection.sessionId = Number(rows[0]?.[0]);
}

/** The way by which knex's pool opens and closes connections. */
export function poolClient(target: ServerTarget): typeof MssqlClient {
  return class TrellisMssqlClient extends MssqlClient {
    // Connections are opened here, so knex needs no driver of its own.
    _driver(): object {
      return {};
    }

    override acquireRawConnection(): Promise<TdsConnection> {
      return openConnection(target);
    }

    override async destroyRawConnection(connection: TdsConnection): Promise<void> {
      connection.close();
    }
  };
}
