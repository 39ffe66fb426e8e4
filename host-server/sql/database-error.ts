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

export interface DatabaseErrorDetails {
  readonly table?: string;
  readonly columns?: readonly string[];
  readonly constraint?: string;
  /** A more specific code than the kind's own. */
  readonly code?: string;
  /** The HTTP status that belongs to `code`. */
  readonly status?: number;
  /** The driver's error, for the log only: it may contain SQL and paths. */
  readonly cause?: unknown;
}

interface KindAnswer {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

const ANSWERS: Readonly<Record<DatabaseErrorKind, KindAnswer>> = {
  unique: { code: 'NOT_UNIQUE', status: 400, message: 'Another row already has this value' },
  foreignKey: { code: 'LINK_BROKEN', status: 400, message: 'A linked row does not exist or is still in use' },
  notNull: { code: 'VALUE_REQUIRED', status: 400, message: 'A value is required' },
  check: { code: 'RULE_VIOLATED', status: 400, message: 'The database has a rule that refuses this value' },
  outOfRange: { code: 'OUT_OF_RANGE', status: 400, message: 'The value is too large for its column' },
  badValue: { code: 'BAD_VALUE', status: 400, message: 'The value does not fit the type of its column' },
  charset: {
    code: 'BAD_TEXT',
    status: 400,
    message: 'The text holds characters that the database cannot keep',
  },
  busy: { code: 'DATABASE_BUSY', status: 503, message: 'The database is busy; try again in a moment' },
  deadlock: {
    code: 'DATABASE_BUSY',
    status: 503,
    message: 'The change met another one; try again in a moment',
  },
  unreachable: {
    code: 'DATABASE_UNREACHABLE',
    status: 503,
    message: 'The database cannot be reached at the moment',
  },
  timeout: { code: 'DATABASE_TIMEOUT', status: 504, message: 'The database took too long to answer' },
  cancelled: { code: 'CANCELLED', status: 499, message: 'The request was cancelled' },
  storageFull: { code: 'STORAGE_FULL', status: 507, message: 'The database has no storage left' },
  readOnly: { code: 'DATABASE_READ_ONLY', status: 403, message: 'The database is read-only' },
  missingTable: { code: 'TABLE_MISSING', status: 409, message: 'The table is no longer in the database' },
  missingColumn: { code: 'COLUMN_MISSING', status: 409, message: 'The column is no longer in the database' },
  damaged: {
    code: 'DATABASE_DAMAGED',
    status: 503,
    message: 'The database file is damaged; restore it from a backup',
  },
  notADatabase: {
    code: 'NOT_A_DATABASE',
    status: 400,
    message: 'The file is not a SQLite database; choose a file that SQLite has made',
  },
  columnLimit: {
    code: 'COLUMN_LIMIT',
    status: 400,
    message:
      'The table has reached the limit that the database sets on its columns or on the size of a row; columns that were ' +
      'deleted count until they are purged. Make shorter text columns long text, or put columns into another table',
  },
  tooLarge: {
    code: 'ANSWER_TOO_LARGE',
    status: 413,
    message: 'The rows are too large for one answer; ask for fewer rows or fewer columns',
  },
  tooComplex: {
    code: 'QUERY_TOO_COMPLEX',
    status: 400,
    message:
      'What is asked is too much for the database at once; ask with fewer conditions, or with shorter formulas',
  },
  unknown: { code: 'DATABASE_ERROR', status: 500, message: 'The database refused the request' },
};

/** An error of a database, with a message that is safe to show: no SQL, no path, no driver text. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly kind: DatabaseErrorKind;
  readonly code: string;
  /** The default HTTP status of the kind. */
  readonly status: number;
  readonly table?: string;
  readonly columns: readonly string[];
  readonly constraint?: string;

  constructor(kind: DatabaseErrorKind, details: DatabaseErrorDetails = {}) {
    super(ANSWERS[kind].message, { cause: details.cause });
    this.kind = kind;
    this.code = details.code ?? ANSWERS[kind].code;
    this.status = details.status ?? ANSWERS[kind].status;
    this.table = details.table;
    this.columns = details.columns ?? [];
    this.constraint = details.constraint;
  }
}

/** Whether a database could not answer at this moment (busy, slow or unreachable), through no fault of the caller. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseError && error.status > 500;
}
