import { defineErrors } from '@trellis/core';

/** The kind of an error, named alike for all databases. */
export type DatabaseErrorKind =
  | 'unique'
  | 'foreignKey'
  | 'notNull'
  | 'check'
  | 'outOfRange'
  | 'badValue'
  | 'charset'
  | 'busy'
  | 'deadlock'
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'storageFull'
  | 'readOnly'
  | 'missingTable'
  | 'missingColumn'
  | 'damaged'
  | 'notADatabase'
  | 'columnLimit'
  | 'tooLarge'
  | 'tooComplex'
  | 'unknown';

/** The answers to errors of databases: no SQL, no path, no text of a driver. */
const databaseErrors = defineErrors({
  NOT_UNIQUE: { status: 400, message: 'Another row already has this value' },
  LINK_BROKEN: { status: 400, message: 'A linked row does not exist or is still in use' },
  VALUE_MISSING: { status: 400, message: 'A value is required' },
  RULE_VIOLATED: { status: 400, message: 'The database has a rule that refuses this value' },
  OUT_OF_RANGE: { status: 400, message: 'The value is too large for its column' },
  BAD_VALUE: { status: 400, message: 'The value does not fit the type of its column' },
  BAD_TEXT: { status: 400, message: 'The text holds characters that the database cannot keep' },
  DATABASE_BUSY: { status: 503, message: 'The database is busy; try again in a moment' },
  BASE_BUSY: {
    status: 503,
    message: 'The database has too much to do for this project; try again in a moment',
  },
  TABLE_BUSY: {
    status: 409,
    message: 'The table is in use by others all the time; try again in a moment',
  },
  DATABASE_UNREACHABLE: { status: 503, message: 'The database cannot be reached at the moment' },
  // Why the database lets nobody in is told to whoever sets the connection up, see `connectionProblem`.
  DATABASE_LOGIN: { status: 503, message: 'The database cannot be reached at the moment' },
  DATABASE_FORBIDDEN: { status: 503, message: 'The database cannot be reached at the moment' },
  DATABASE_MISSING: { status: 503, message: 'The database cannot be reached at the moment' },
  SCHEMA_MISSING: { status: 503, message: 'The database cannot be reached at the moment' },
  DATABASE_TIMEOUT: { status: 504, message: 'The database took too long to answer' },
  STREAM_STALLED: {
    status: 504,
    message: 'The rows were not fetched for so long that the reading was ended',
  },
  SNAPSHOT_ENDED: { status: 504, message: 'The reading took so long that it was ended; try again' },
  CANCELLED: { status: 499, message: 'The request was cancelled' },
  DATABASE_FULL: { status: 507, message: 'The database has no storage left' },
  DATABASE_READ_ONLY: { status: 403, message: 'The database is read-only' },
  TABLE_MISSING: { status: 409, message: 'The table is no longer in the database' },
  DATABASE_COLUMN_MISSING: { status: 409, message: 'The column is no longer in the database' },
  COLUMN_INDEXED: {
    status: 409,
    message:
      'The column has an index or a key in the database, so it cannot be converted; remove that there first',
  },
  DATABASE_DAMAGED: {
    status: 503,
    message: 'The database file is damaged; restore it from a backup',
  },
  NOT_A_DATABASE: {
    status: 400,
    message: 'The file is not a SQLite database; choose a file that SQLite has made',
  },
  COLUMN_LIMIT: {
    status: 400,
    message:
      'The table has reached the limit that the database sets on its columns or on the size of a row; columns that were deleted count until they are purged. Make shorter text columns long text, or put columns into another table',
  },
  ANSWER_TOO_LARGE: {
    status: 413,
    message: 'The rows are too large for one answer; ask for fewer rows or fewer columns',
  },
  QUERY_TOO_COMPLEX: {
    status: 400,
    message:
      'What is asked is too much for the database at once; ask with fewer conditions, or with shorter formulas',
  },
  DATABASE_ERROR: { status: 500, message: 'The database refused the request' },
});

export type DatabaseErrorCode = keyof typeof databaseErrors.definitions;

const CODES: Readonly<Record<DatabaseErrorKind, DatabaseErrorCode>> = {
  unique: 'NOT_UNIQUE',
  foreignKey: 'LINK_BROKEN',
  notNull: 'VALUE_MISSING',
  check: 'RULE_VIOLATED',
  outOfRange: 'OUT_OF_RANGE',
  badValue: 'BAD_VALUE',
  charset: 'BAD_TEXT',
  busy: 'DATABASE_BUSY',
  deadlock: 'DATABASE_BUSY',
  unreachable: 'DATABASE_UNREACHABLE',
  timeout: 'DATABASE_TIMEOUT',
  cancelled: 'CANCELLED',
  storageFull: 'DATABASE_FULL',
  readOnly: 'DATABASE_READ_ONLY',
  missingTable: 'TABLE_MISSING',
  missingColumn: 'DATABASE_COLUMN_MISSING',
  damaged: 'DATABASE_DAMAGED',
  notADatabase: 'NOT_A_DATABASE',
  columnLimit: 'COLUMN_LIMIT',
  tooLarge: 'ANSWER_TOO_LARGE',
  tooComplex: 'QUERY_TOO_COMPLEX',
  unknown: 'DATABASE_ERROR',
};

export interface DatabaseErrorDetails {
  readonly table?: string;
  readonly columns?: readonly string[];
  readonly constraint?: string;
  /** A more specific code than the kind's own. */
  readonly code?: DatabaseErrorCode;
  /** The driver's error, for the log only: it may contain SQL and paths. */
  readonly cause?: unknown;
}

/** An error of a database, with a message that is safe to show: no SQL, no path, no driver text. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly kind: DatabaseErrorKind;
  readonly code: DatabaseErrorCode;
  /** The HTTP status of the code. */
  readonly status: number;
  readonly table?: string;
  readonly columns: readonly string[];
  readonly constraint?: string;

  constructor(kind: DatabaseErrorKind, details: DatabaseErrorDetails = {}) {
    const code = details.code ?? CODES[kind];
    const { message, status } = databaseErrors.definitions[code];
    super(message, { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.table = details.table;
    this.columns = details.columns ?? [];
    this.constraint = details.constraint;
  }
}

/** Whether a database could not answer at this moment (busy, slow or unreachable), through no fault of the caller. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseError && error.status > 500;
}
