import type { DatabaseErrorCode, DatabaseErrorKind } from '../../sql/database-error.ts';
import { createErrorReader, type DriverError, type ErrorReading } from './default.ts';

/** Server error numbers of MySQL and MariaDB. */
const KINDS: ReadonlyMap<number, DatabaseErrorKind> = new Map([
  [1062, 'unique'],
  [1586, 'unique'],
  [1216, 'foreignKey'],
  [1217, 'foreignKey'],
  [1451, 'foreignKey'],
  [1452, 'foreignKey'],
  [1048, 'notNull'],
  [1364, 'notNull'],
  [1263, 'notNull'],
  [3819, 'check'],
  [4025, 'check'],
  [1644, 'check'],
  // No partition accepts the row.
  [1526, 'check'],
  [1748, 'check'],
  [1264, 'outOfRange'],
  [1406, 'outOfRange'],
  [1690, 'outOfRange'],
  [1153, 'outOfRange'],
  // The limits of the stack, of tables in a statement, and of nested selects.
  [1119, 'tooComplex'],
  [1436, 'tooComplex'],
  [1116, 'tooComplex'],
  [1473, 'tooComplex'],
  [1117, 'columnLimit'],
  [1118, 'columnLimit'],
  [1067, 'badValue'],
  [1265, 'badValue'],
  [1292, 'badValue'],
  [1366, 'badValue'],
  [1411, 'badValue'],
  [3140, 'badValue'],
  [1300, 'charset'],
  [3988, 'charset'],
  [1205, 'busy'],
  [1040, 'busy'],
  [1203, 'busy'],
  [1226, 'busy'],
  [1213, 'deadlock'],
  // A table was changed after the reading snapshot began.
  [1412, 'deadlock'],
  [1020, 'deadlock'],
  [1317, 'cancelled'],
  [3024, 'timeout'],
  [1969, 'timeout'],
  [1021, 'storageFull'],
  [1114, 'storageFull'],
  [1290, 'readOnly'],
  [1792, 'readOnly'],
  [1142, 'readOnly'],
  [1143, 'readOnly'],
  [1044, 'unreachable'],
  [1045, 'unreachable'],
  [1049, 'unreachable'],
  [1053, 'unreachable'],
  [1927, 'unreachable'],
  [1146, 'missingTable'],
  [1051, 'missingTable'],
  [1054, 'missingColumn'],
  [1194, 'damaged'],
  [1034, 'damaged'],
]);

/** Reasons for which the server refuses a connection. */
const CODES: ReadonlyMap<number, DatabaseErrorCode> = new Map([
  [1044, 'DATABASE_FORBIDDEN'],
  [1045, 'DATABASE_LOGIN'],
  [1049, 'DATABASE_MISSING'],
]);

export const mysqlErrors = createErrorReader(readMysqlError);

function readMysqlError(error: DriverError): ErrorReading | undefined {
  if (/closed state|Connection lost|connection is in closed/.test(error.message))
    return { kind: 'unreachable' };
  const { errno, sqlMessage } = error;
  if (errno === undefined || errno < 1000 || sqlMessage === undefined) return undefined;
  const kind = KINDS.get(errno) ?? 'unknown';
  return {
    kind: errno === 1366 && /Incorrect string value/.test(sqlMessage) ? 'charset' : kind,
    ...(CODES.has(errno) && { code: CODES.get(errno) }),
    ...namesIn(sqlMessage),
  };
}

/** MySQL gives names only within its message: `Column 'x' cannot be null`, `… for key 'people.email'`. */
function namesIn(message: string): { table?: string; columns?: string[]; constraint?: string } {
  const column = /(?:[Cc]olumn|Field) '([^']+)'/.exec(message)?.[1];
  const key = /for key '(?:[^'.]+\.)?([^']+)'/.exec(message)?.[1];
  return {
    ...(column === undefined ? {} : { columns: [column] }),
    ...(key === undefined ? {} : { constraint: key }),
  };
}
