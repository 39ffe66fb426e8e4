import { defineErrors, TrellisError } from '@trellis/sdk/shared';

export const s3Errors = defineErrors({
  S3_BUCKET_MISSING: { status: 400, message: 'The settings name no bucket.' },
  S3_KEYS_MISSING: { status: 400, message: 'The settings lack the access key or the secret key.' },
  S3_REGION_MISSING: { status: 400, message: 'This store needs its region.' },
  S3_ADDRESS: {
    status: 400,
    message: 'The address of this store is none: it begins with https:// or http://, and a port is a number.',
  },
  S3_ADDRESS_MISSING: { status: 400, message: 'This store needs its address.' },
  S3_KEY_UNKNOWN: { status: 502, message: 'The store does not know the access key.' },
  S3_SECRET_WRONG: { status: 502, message: 'The secret key does not belong to the access key.' },
  S3_BUCKET_UNKNOWN: { status: 502, message: "The store has no bucket '{bucket}'." },
  S3_MAY_NOT_WRITE: { status: 502, message: "The access key may not write to the bucket '{bucket}'." },
  S3_MAY_NOT_READ: { status: 502, message: "The access key may not read the bucket '{bucket}'." },
  S3_MAY_NOT_DELETE: { status: 502, message: "The access key may not delete in the bucket '{bucket}'." },
  S3_CLOCK: {
    status: 502,
    message:
      'The clock of this server is {minutes} minutes off, so that the store refuses its calls. Set the clock.',
  },
  S3_REGION: {
    status: 502,
    message: "The bucket '{bucket}' is not in the region '{region}', or not at this address.",
  },
  S3_UNREACHABLE: { status: 502, message: "The store does not answer at '{host}'." },
  S3_INSECURE: {
    status: 502,
    message:
      "No secure connection to '{host}' could be made: its certificate is none that this server trusts, or the address should begin with http://.",
  },
  S3_BUSY: { status: 503, message: 'The store is busy (status {status}). Try again in a while.' },
  S3_FULL: { status: 507, message: 'The store has no room left, or the account may keep no more there.' },
  S3_FILES_ELSEWHERE: {
    status: 409,
    message:
      "Files are kept in the bucket '{bucket}', and they are not where these settings lead. Move them to another storage first, or copy them there.",
  },
  S3_CHANGED: { status: 502, message: 'What the store kept is not what was sent to it.' },
  S3_REFUSED: { status: 502, message: 'The store refused the call (status {status}, {code}).' },
});

/** The kind of call. */
export type S3Act = 'write' | 'read' | 'delete';

/** An answer that is a refusal. */
export interface Refusal {
  readonly status: number;
  /** The store's error code; empty if there is none. */
  readonly code: string;
  /** The time of the answer, from its header. */
  readonly date?: string | undefined;
}

interface Asked {
  readonly act: S3Act;
  readonly bucket: string;
  readonly region: string;
}

const forbidden = {
  write: 'S3_MAY_NOT_WRITE',
  read: 'S3_MAY_NOT_READ',
  delete: 'S3_MAY_NOT_DELETE',
} as const;
const full =
  /^(?:QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|ServiceQuotaExceededException|InsufficientCapacity)$/;
const elsewhere =
  /^(?:PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|InvalidRegion)$/;
const insecure = /certificate|self.signed|ssl|tls|wrong version number/i;
const busy = /^(?:SlowDown|ServiceUnavailable|InternalError|RequestTimeout|OperationAborted)$/;

/** The text for a refusal: one of a few fixed sentences, never the other side's answer. */
export function toS3Error({ status, code, date }: Refusal, { act, bucket, region }: Asked): TrellisError {
  if (code === 'InvalidAccessKeyId' || code === 'UnknownKey') return s3Errors.create('S3_KEY_UNKNOWN');
  if (code === 'SignatureDoesNotMatch') return s3Errors.create('S3_SECRET_WRONG');
  if (code === 'NoSuchBucket') return s3Errors.create('S3_BUCKET_UNKNOWN', { bucket });
  if (code === 'RequestTimeTooSkewed') return s3Errors.create('S3_CLOCK', { minutes: minutesOff(date) });
  if (elsewhere.test(code) || (status >= 300 && status < 400))
    return s3Errors.create('S3_REGION', { bucket, region });
  if (full.test(code) || status === 507) return s3Errors.create('S3_FULL');
  if (busy.test(code) || status === 429 || status >= 500) return s3Errors.create('S3_BUSY', { status });
  if (status === 401 || status === 403) return s3Errors.create(forbidden[act], { bucket });
  return s3Errors.create('S3_REFUSED', { status, code: code || 'unknown' });
}

/** The error for a failed connection. Errors of the outbound gate already explain what to do. */
export function toConnectionError(
  error: unknown,
  at: { readonly host: string } & Omit<Asked, 'act'>,
): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { host, bucket, region } = at;
  if (error.code === 'OUTBOUND_REDIRECTS') return s3Errors.create('S3_REGION', { bucket, region }, error);
  if (error.code === 'OUTBOUND_FAILED' && insecure.test(String(error.params['reason'])))
    return s3Errors.create('S3_INSECURE', { host }, error);
  if (/^OUTBOUND_(?:FAILED|TIMEOUT|HOST_UNKNOWN)$/.test(error.code))
    return s3Errors.create('S3_UNREACHABLE', { host }, error);
  return error;
}

/** Whether the same call may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof TrellisError && (error.code === 'S3_BUSY' || error.code === 'S3_UNREACHABLE');
}

function minutesOff(date: string | undefined): number {
  const there = Date.parse(date ?? '');
  return Number.isNaN(there) ? 15 : Math.round(Math.abs(Date.now() - there) / 60_000);
}
