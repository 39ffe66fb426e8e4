import { createServer, type AddressInfo, type Server } from 'node:net';
import { once, type EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../connections/open-database.ts';
import type { ServerTarget } from '../database.ts';
import { tsqlProblems } from '../testing/tsql.ts';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { cellReader } from './cells.ts';
import { SAID_OTHERWISE, SESSION_ID, SETTINGS, workingSql } from './host-statements.ts';
import { openConnection } from './mssql-connections.ts';
import { mssqlDriver } from './mssql-driver.ts';
import { runStatement } from './mssql-requests.ts';
import type { TdsConnection } from './tds.ts';

const target: ServerTarget = {
  kind: 'mssql',
  host: 'db.example.com',
  port: 1433,
  user: 'sa',
  password: 'x',
  database: 'shop',
};

describe('a connection to SQL Server', () => {
  let server: Server;
  let port: number;
  const greetings: Buffer[] = [];

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        greetings.push(bytes);
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
  });

  test('goes to the address that was checked, whatever the name of the host leads to', async () => {
    const open = openDatabase({ ...target, port, address: '127.0.0.1' }, { name: 'test' });
    await expect(open).rejects.toMatchObject({ kind: 'unreachable' });
    // A prelogin message of the protocol of SQL Server (MS-TDS 2.2.6.5) is packet type 18.
    expect(greetings.map((bytes) => bytes[0])).toEqual([18]);
  });

  test('that nobody answers ends in the words of all databases', async () => {
    const open = openDatabase({ ...target, port: 1, address: '127.0.0.1' }, { name: 'test' });
    await expect(open).rejects.toMatchObject({ kind: 'unreachable', code: 'DATABASE_UNREACHABLE' });
  });

  test('to a server that takes it and says nothing has an end', async () => {
    const silent = createServer((socket) => {
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: silentPort } = silent.address() as AddressInfo;
    const open = openConnection({ ...target, port: silentPort, address: '127.0.0.1' }, 200);
    const failure: unknown = await open.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(dialectOf('mssql').errors.toDatabaseError(failure)).toMatchObject({ kind: 'unreachable' });
    silent.close();
  });

  test('begins, ends and asks after its work with statements of its language', () => {
    const driver = mssqlDriver(target);
    const { identifiers } = driver.dialect;
    const statements = [
      SETTINGS,
      SESSION_ID,
      workingSql(51),
      ...Object.values(SAID_OTHERWISE),
      // As databases and schemas are made that are not there.
      `create database ${identifiers.quote('odd ]name')}`,
      `create schema ${identifiers.quote('odd ]name')}`,
      ...driver.begin,
      ...driver.beginSnapshot,
      ...driver.beginMoment,
      ...driver.beforeSchemaChange,
      ...driver.afterSchemaChange,
    ];
    for (const sql of statements) expect({ sql, problems: tsqlProblems(sql) }).toEqual({ sql, problems: [] });
  });
});

describe('a statement of SQL Server', () => {
  /** A connection whose server answers with these counts, one for each statement that ended. */
  function answering(...counts: readonly number[]): TdsConnection {
    const execute = (request: EventEmitter & { readonly callback: (error: null, count: number) => void }) => {
      for (const count of counts) request.emit('doneInProc', count, true, []);
      request.callback(
        null,
        counts.reduce((sum, count) => sum + count, 0),
      );
    };
    return { execSqlBatch: execute, execSql: execute } as unknown as TdsConnection;
  }

  test('has changed the rows of its own, whatever triggers have changed on the way', async () => {
    const { changes } = await runStatement(answering(3, 40, 2), 'update [t] set [a] = ?', ['x']);
    expect(changes).toBe(2);
  });

  test('that undoes a transaction leaves the connection at the level of all the others', async () => {
    const sent: string[] = [];
    const connection = {
      execSqlBatch(request: {
        readonly sqlTextOrProcedure: string;
        readonly callback: (error: null) => void;
      }) {
        sent.push(request.sqlTextOrProcedure);
        request.callback(null);
      },
    } as unknown as TdsConnection;
    await mssqlDriver(target).execute(connection, 'rollback', []);
    expect(sent.join('; ')).toMatch(/rollback transaction; set transaction isolation level read committed$/);
  });
});

describe('a cell of SQL Server', () => {
  const read = (name: string, value: unknown, more: object = {}) =>
    (cellReader({ type: { name }, ...more }) ?? ((raw) => raw))(value);
  const moment = (iso: string, nanosecondsDelta = 0) => Object.assign(new Date(iso), { nanosecondsDelta });

  test('that is a date or time is text, to the last digit', () => {
    expect(read('Date', moment('2024-02-29T00:00:00Z'))).toBe('2024-02-29');
    expect(read('Time', moment('1970-01-01T13:05:09.120Z'))).toBe('13:05:09.12');
    expect(read('DateTime2', moment('2024-02-29T13:05:09.123Z', 0.000_456_7))).toBe(
      '2024-02-29 13:05:09.1234567',
    );
    expect(read('DateTimeN', moment('0001-01-01T00:00:00Z'))).toBe('0001-01-01 00:00:00');
    expect(read('DateTimeOffset', moment('2024-02-29T13:05:09Z'))).toBe('2024-02-29 13:05:09');
    expect(read('Date', null)).toBe(null);
  });

  test('that is a decimal is its digits, and all else stays what it is', () => {
    expect(read('DecimalN', 12.5, { precision: 10, scale: 2 })).toBe('12.50');
    expect(read('NumericN', -0.1, { precision: 15, scale: 3 })).toBe('-0.100');
    expect(read('SmallMoney', 2)).toBe('2');
    expect(read('BigInt', '9007199254740993')).toBe('9007199254740993');
    expect(read('FloatN', 0.1)).toBe(0.1);
    expect(read('SmallInt', 7)).toBe(7);
    expect(read('BitN', true)).toBe(true);
  });
});
