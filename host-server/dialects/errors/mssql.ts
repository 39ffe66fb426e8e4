import type { DatabaseErrorCode, DatabaseErrorKind } from '../../sql/database-error.ts';
import { createErrorReader, type DriverError, type ErrorReading } from './default.ts';

/** The fields that the driver adds to an error of the server, by their names in the protocol. */
interface ServerError extends DriverError {
  /** The server's error number. */
  readonly number?: number;
  /** Several errors of one statement. */
  readonly errors?: readonly ServerError[];
}

/** Error numbers of SQL Server. */
const KINDS: ReadonlyMap<number, DatabaseErrorKind> = new Map([
  [2627, 'unique'],
  [2601, 'unique'],
  [1505, 'unique'],
  [515, 'notNull'],
  [50000, 'check'],
  [8115, 'outOfRange'],
  [220, 'outOfRange'],
  [517, 'outOfRange'],
  [8152, 'outOfRange'],
  [2628, 'outOfRange'],
  [511, 'columnLimit'],
  [1701, 'columnLimit'],
  [1702, 'columnLimit'],
  [241, 'badValue'],
  [242, 'badValue'],
  [245, 'badValue'],
  [248, 'badValue'],
  [8114, 'badValue'],
  [8169, 'badValue'],
  [295, 'badValue'],
  [9803, 'badValue'],
  [1222, 'busy'],
  [1204, 'busy'],
  [8645, 'busy'],
  [10928, 'busy'],
  [10929, 'busy'],
  // Changes that rules of the database prevent.
  [1750, 'check'],
  [1779, 'check'],
  [1785, 'check'],
  [2705, 'check'],
  [2714, 'check'],
  [1911, 'missingColumn'],
  [1913, 'check'],
  [3723, 'check'],
  [3725, 'foreignKey'],
  [3726, 'foreignKey'],
  [3728, 'check'],
  [3732, 'check'],
  [4901, 'notNull'],
  [4922, 'check'],
  [4928, 'check'],
  [5074, 'check'],
  [8111, 'check'],
  [15225, 'missingTable'],
  [15248, 'missingColumn'],
  [15335, 'check'],
  [1205, 'deadlock'],
  [3960, 'deadlock'],
  [3961, 'deadlock'],
  [1105, 'storageFull'],
  [9002, 'storageFull'],
  [1101, 'storageFull'],
  [3906, 'readOnly'],
  [229, 'readOnly'],
  [230, 'readOnly'],
  [262, 'readOnly'],
  [300, 'readOnly'],
  [1088, 'readOnly'],
  [208, 'missingTable'],
  [3701, 'missingTable'],
  [4902, 'missingTable'],
  [207, 'missingColumn'],
  [4924, 'missingColumn'],
  [824, 'damaged'],
  [823, 'damaged'],
  [18456, 'unreachable'],
  [18452, 'unreachable'],
  [18487, 'unreachable'],
  [18488, 'unreachable'],
  [4060, 'unreachable'],
  [4064, 'unreachable'],
  [911, 'unreachable'],
  [6005, 'unreachable'],
  [40613, 'unreachable'],
]);

/** Reasons for which the server refuses a connection. */
const CODES: ReadonlyMap<number, DatabaseErrorCode> = new Map([
  [18456, 'DATABASE_LOGIN'],
  [18452, 'DATABASE_LOGIN'],
  [18487, 'DATABASE_LOGIN'],
  [18488, 'DATABASE_LOGIN'],
  [4060, 'DATABASE_MISSING'],
  [4064, 'DATABASE_MISSING'],
  [911, 'DATABASE_MISSING'],
]);

/** Errors of the driver itself. */
const DRIVER_CODES: ReadonlyMap<string, DatabaseErrorKind> = new Map([
  ['ELOGIN', 'unreachable'],
  ['ESOCKET', 'unreachable'],
  ['ECONNCLOSED', 'unreachable'],
  ['ENOTOPEN', 'unreachable'],
  ['EINSTLOOKUP', 'unreachable'],
  ['ECANCEL', 'cancelled'],
  ['ETIMEOUT', 'timeout'],
]);

export const mssqlErrors = createErrorReader(readMssqlError);

function readMssqlError(error: ServerError): ErrorReading | undefined {
  const all = [error, ...(error.errors ?? [])];
  const told = all.find(({ number }) => number !== undefined && kindOf(number, '') !== 'unknown');
  const first = told ?? all.find(({ number }) => number !== undefined);
  if (first?.number !== undefined) {
    const { number, message } = first;
    return {
      kind: kindOf(number, message),
      ...(CODES.has(number) && { code: CODES.get(number) }),
      ...namesIn(number, message),
    };
  }
  const kind = DRIVER_CODES.get(error.code ?? '');
  // A timeout of the connection is no timeout of a statement.
  if (kind === 'timeout' && error.name === 'ConnectionError') return { kind: 'unreachable' };
  return kind && { kind };
}

function kindOf(number: number, message: string): DatabaseErrorKind {
  // The server has a single number for foreign keys and checks.
  if (number === 547) return /\bCHECK constraint\b/.test(message) ? 'check' : 'foreignKey';
  return KINDS.get(number) ?? 'unknown';
}

/** SQL Server gives names only within its message: `Cannot insert the value NULL into column 'name', table 'shop.dbo.customer'`. */
function namesIn(number: number, message: string): Omit<ErrorReading, 'kind'> {
  const column = /\bcolumn (?:name )?'([^']+)'/i.exec(message)?.[1];
  const table = /\b(?:table|object) ["']([^"']+)["']/.exec(message)?.[1]?.split('.').at(-1);
  const constraint = /\b(?:constraint|unique index) ["']([^"']+)["']/i.exec(message)?.[1];
  return {
    ...(column !== undefined && { columns: [column] }),
    ...(table !== undefined && { table }),
    ...(constraint !== undefined && number !== 515 && { constraint }),
  };
}
