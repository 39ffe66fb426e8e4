/** Recognised by symbol and not by class, so that an error from a second copy of this package is still expected. */
const EXPECTED = Symbol.for('trellis.expected-error');

export type ErrorParams = Readonly<Record<string, unknown>>;

export interface TrellisErrorOptions {
  /** HTTP status of the answer. Default 500. */
  readonly status?: number;
  /** Values of the message, for translation in the browser. Never secrets, SQL or paths. */
  readonly params?: ErrorParams;
  readonly cause?: unknown;
}

/**
 * An expected error of the product. Its code is used to translate the message, and its status for the HTTP answer. Such errors
 * never count against an error budget, because bad data must not switch a feature off.
 *
 * @public
 */
export class TrellisError extends Error {
  readonly [EXPECTED] = true;
  readonly code: string;
  readonly status: number;
  readonly params: ErrorParams;

  constructor(code: string, message: string, options: TrellisErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TrellisError';
    this.code = code;
    this.status = options.status ?? 500;
    this.params = options.params ?? {};
  }
}

/** The subject of a veto. Further keys are values of the message, for translation. @public */
export interface VetoParams extends ErrorParams {
  /** The number of the row among those that the hook got: 1 for the first. */
  readonly row?: number;
  /** The title of the column. */
  readonly column?: string;
}

/**
 * A plugin throws this in a hook to refuse the operation. The message is shown to the user, at the row and column if these are
 * given.
 *
 * @example throw new Veto('TITLE_TAKEN', 'This title is taken.', { row: 2, column: 'Title' });
 * @public
 */
export class Veto extends TrellisError {
  constructor(
    code: string,
    message: string,
    params: VetoParams = {},
    options: Omit<TrellisErrorOptions, 'params'> = {},
  ) {
    super(code, message, { status: 400, ...options, params });
    this.name = 'Veto';
  }
}

/** Whether an error is part of the product (a {@link TrellisError} or {@link Veto}) and not a defect. */
export function isExpected(error: unknown): error is TrellisError {
  try {
    return typeof error === 'object' && error !== null && EXPECTED in error;
  } catch {
    // Not even that can be asked of some objects, such as a revoked proxy.
    return false;
  }
}
