import { defineErrors, isRecord, readableError } from '@trellis/core';
import { DatabaseError } from '../databases/index.ts';
import { isFullDisk, storageFull } from '../runtime/full-disk.ts';

export const httpErrors = defineErrors({
  NOT_FOUND: { status: 404, message: 'Not found' },
  BODY_NOT_JSON: { status: 400, message: 'The body is not JSON: {problem}' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than {limit} bytes.' },
  IDEMPOTENCY_KEY: {
    status: 400,
    message: 'An Idempotency-Key has 1 to 200 visible ASCII characters, without blanks.',
  },
  IDEMPOTENCY_RAW: {
    status: 400,
    message: 'This call takes no Idempotency-Key, because its body is read only while the call runs.',
  },
  BODY_NOT_UTF8: { status: 400, message: 'The body is not valid UTF-8.' },
  BODY_TOO_MANY_VALUES: { status: 413, message: 'The body holds more than {limit} values.' },
  BODY_TOO_MANY_KEYS: { status: 413, message: 'The body holds more than {limit} different keys.' },
  BODY_TYPE: { status: 415, message: 'The body must be JSON (content-type application/json).' },
  BODY_NOT_MULTIPART: { status: 415, message: 'The body must be multipart/form-data.' },
  BODY_CUT: { status: 400, message: 'The body ended before it was complete.' },
  BODY_ENCODING: { status: 415, message: "The content-encoding '{encoding}' is not supported." },
  INVALID: { status: 400, message: '{problem}' },
  QUERY_UNREADABLE: { status: 400, message: 'The query of the address cannot be read: {problem}' },
  CROSS_SITE: { status: 403, message: 'This call was sent by a page of another site.' },
  QUERY_TOO_LONG: { status: 414, message: 'The address is too long.' },
  PLUGIN_DISABLED: { status: 501, message: "This needs the plugin '{plugin}', which is switched off." },
  PLUGIN_STARTING: {
    status: 503,
    message: "This needs the plugin '{plugin}', which is still starting. Please try again in a moment.",
  },
  PLUGIN_STUCK: {
    status: 503,
    message: "The plugin '{plugin}' does not end the calls that it has, so it takes no more of them.",
  },
  PLUGIN_TOO_SLOW: {
    status: 503,
    message: "The plugin '{plugin}' gave no answer within {seconds} seconds.",
  },
  STARTING: {
    status: 503,
    message: 'The metadata database cannot be reached. The server starts as soon as it can.',
  },
  STOPPING: { status: 503, message: 'The server is stopping. Please try again in a moment.' },
  ROUTE_FAILED: {
    status: 500,
    message: "The plugin '{plugin}' failed at this call. Its card in the app store says why.",
  },
  INTERNAL: { status: 500, message: 'Some internal error occurred' },
});

/** Statuses of which the operator need not be told: a plugin that is off, something busy, slow or full. */
const expectedFailures: ReadonlySet<number> = new Set([501, 503, 504, 507]);

/** The answer to a failed request. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly msg: string;
    readonly code?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the operator's log gets the stack. */
  readonly isUnexpected: boolean;
}

/** Turns any error into an answer that holds no SQL, no path and no stack. */
export function toErrorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const error = readableError(thrown);
  if (isFullDisk(error)) return toErrorAnswer(storageFull(error), requestId);
  if (isExpectedShape(error)) {
    const { status, code, message } = error;
    const params = paramsOf(error);
    return {
      status,
      body: { msg: message, code, ...(Object.keys(params).length > 0 && { params }) },
      headers: retryHeader(status, params.retryAfter),
      isUnexpected: status >= 500 && !expectedFailures.has(status),
    };
  }
  if (error instanceof DatabaseError) {
    return {
      status: error.status,
      body: {
        msg: error.message,
        code: error.code,
        ...(error.columns.length > 0 && { params: { columns: error.columns } }),
      },
      headers: retryHeader(error.status, undefined),
      isUnexpected: error.kind === 'unknown' || error.kind === 'damaged',
    };
  }
  return {
    status: 500,
    body: { msg: httpErrors.definitions.INTERNAL.message, code: 'INTERNAL', params: { requestId } },
    headers: {},
    isUnexpected: true,
  };
}

/**
 * Errors that the product throws on purpose, also those of the same family from elsewhere: values that a column cannot hold, a
 * plugin's own copy of the SDK. A status that is none is a defect of whoever threw it.
 */
function isExpectedShape(
  error: unknown,
): error is { readonly status: number; readonly code: string; readonly message: string } {
  if (!(error instanceof Error) || error instanceof DatabaseError) return false;
  const { status, code } = error as { status?: unknown; code?: unknown };
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status < 600;
  return isStatus && typeof code === 'string';
}

/** The values of an error's message, if they can be sent. */
function paramsOf(error: object): Readonly<Record<string, unknown>> {
  const { params } = error as { readonly params?: unknown };
  if (!isRecord(params)) return {};
  try {
    JSON.stringify(params);
    return params;
  } catch {
    return {};
  }
}

function retryHeader(status: number, seconds: unknown): Readonly<Record<string, string>> {
  if (typeof seconds === 'number') return { 'retry-after': String(seconds) };
  return status === 503 ? { 'retry-after': '2' } : {};
}
