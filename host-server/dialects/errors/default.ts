import {
  DatabaseError,
  type DatabaseErrorDetails,
  type DatabaseErrorKind,
} from '../../sql/database-error.ts';

/** Turns a driver's error into a neutral one. */
export interface ErrorReader {
  /** A `DatabaseError` for a driver's error. Other errors (the server's own, the caller's) are returned as they are. */
  toDatabaseError(error: unknown): Error;
}

export interface ErrorReading extends DatabaseErrorDetails {
  readonly kind: DatabaseErrorKind;
}

/** The useful fields of driver errors; which of them are set depends on the driver. */
export interface DriverError extends Error {
  readonly code?: string;
  readonly errno?: number;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly detail?: string;
  readonly sqlMessage?: string;
  readonly severity?: string;
  readonly sqlState?: string;
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
]);

/** Node's messages for a connection that could not be secured: a certificate that is not trusted, or a server without TLS. */
const unsecured =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|HANDSHAKE_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|EPROTO$)/;

/** Builds the topic from `read`, which knows one driver and returns `undefined` for other errors. */
export function createErrorReader(read: (error: DriverError) => ErrorReading | undefined): ErrorReader {
  return {
    toDatabaseError(error) {
      if (error instanceof DatabaseError) return error;
      if (!isError(error)) return new DatabaseError('unknown', { cause: error });
      const reading = readShared(error) ?? read(error);
      return reading === undefined ? error : new DatabaseError(reading.kind, { ...reading, cause: error });
    },
  };
}

/**
 * Whether a value is an error, also one of another realm: a native driver keeps the error class of the realm that loaded it first
 * in the process.
 */
function isError(error: unknown): error is DriverError {
  return (
    error instanceof Error ||
    (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
  );
}

function readShared(error: DriverError): ErrorReading | undefined {
  if (error.name === 'KnexTimeoutError' || error.name === 'TimeoutError') return { kind: 'busy' };
  const { code } = error;
  if (typeof code === 'string' && (NETWORK.has(code) || unsecured.test(code))) return { kind: 'unreachable' };
  return undefined;
}
