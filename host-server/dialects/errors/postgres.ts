import type { DatabaseErrorCode, DatabaseErrorKind } from '../../sql/database-error.ts';
import { createErrorReader, type DriverError, type ErrorReading } from './default.ts';

/** SQLSTATE codes, whole or by class, the longest first. */
const KINDS: ReadonlyMap<string, DatabaseErrorKind> = new Map([
  ['23505', 'unique'],
  ['23503', 'foreignKey'],
  ['23001', 'foreignKey'],
  ['2BP01', 'foreignKey'],
  ['23502', 'notNull'],
  ['23514', 'check'],
  ['23P01', 'check'],
  ['428C9', 'readOnly'],
  ['22003', 'outOfRange'],
  ['22001', 'outOfRange'],
  ['22008', 'outOfRange'],
  ['54000', 'outOfRange'],
  ['54001', 'tooComplex'],
  ['54011', 'columnLimit'],
  ['22021', 'charset'],
  ['22P05', 'charset'],
  ['42P01', 'missingTable'],
  ['42703', 'missingColumn'],
  ['42501', 'readOnly'],
  ['25006', 'readOnly'],
  ['55P03', 'busy'],
  ['55006', 'busy'],
  ['53300', 'busy'],
  ['40P01', 'deadlock'],
  ['40001', 'deadlock'],
  ['57014', 'cancelled'],
  ['25P03', 'timeout'],
  ['57P01', 'unreachable'],
  ['57P02', 'unreachable'],
  ['57P03', 'unreachable'],
  ['57P05', 'unreachable'],
  ['28P01', 'unreachable'],
  ['28000', 'unreachable'],
  ['3D000', 'unreachable'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
  ['22', 'badValue'],
  ['23', 'check'],
  // Errors that functions raise themselves, such as functions of triggers.
  ['P0', 'check'],
  ['45', 'check'],
  ['08', 'unreachable'],
  ['53', 'storageFull'],
]);

/** Reasons for which the server refuses a connection. */
const CODES: ReadonlyMap<string, DatabaseErrorCode> = new Map([
  ['28P01', 'DATABASE_LOGIN'],
  ['28000', 'DATABASE_LOGIN'],
  ['3D000', 'DATABASE_MISSING'],
]);

export const postgresErrors = createErrorReader(readPostgresError);

/** The driver's messages that have no code, including the one for a server without TLS. */
const isOfConnection =
  /^Connection terminated|^Client has encountered a connection error|timeout expired|^The server does not support SSL|establishing an SSL connection/;

function readPostgresError(error: DriverError): ErrorReading | undefined {
  const { code, message } = error;
  if (isOfConnection.test(message)) {
    return { kind: 'unreachable' };
  }
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  // The schema changed after the statement was prepared: the same transaction succeeds when it runs again.
  if (code === '0A000' && message.includes('cached plan')) return { kind: 'deadlock' };
  return {
    kind: KINDS.get(code) ?? KINDS.get(code.slice(0, 2)) ?? 'unknown',
    ...(CODES.has(code) && { code: CODES.get(code) }),
    table: error.table,
    columns: columnNames(error),
    constraint: error.constraint,
  };
}

/** A not-null error names its column; a unique one has `Key (first, last)=(…) already exists.` */
function columnNames(error: DriverError): string[] | undefined {
  if (error.column !== undefined) return [error.column];
  return /^Key \((.+?)\)=/
    .exec(error.detail ?? '')?.[1]
    ?.split(', ')
    .map((name) => name.replace(/^"(.*)"$/, '$1'));
}
