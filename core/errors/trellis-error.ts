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
 * An error that is part of the product: it has a code that can be translated and a status that can be answered.
 * Such errors never count against an error budget, because bad data must not switch a feature off.
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

/** What a veto is about. Further keys are values of the message, for translation. @public */
export interface VetoParams extends ErrorParams {
  /** Which of the rows that the hook was given: 1 for the first. */
  readonly row?: number;
  /** The title of the column. */
  readonly column?: string;
}

/**
 * What a plugin throws in a hook to refuse the operation. The message is shown to the user; a page that knows the row and the
 * column marks those alone.
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
  return typeof error === 'object' && error !== null && EXPECTED in error;
}
