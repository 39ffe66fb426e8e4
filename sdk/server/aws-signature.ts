import { createHash, createHmac } from 'node:crypto';

/*
 * Signature Version 4 of Amazon Web Services, in a header:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

/** The signing key, with the service and region that it is used for. @public */
export interface AwsKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** The name in signatures: `s3`, `ses`. */
  readonly service: string;
}

/** A call to be signed with Signature Version 4. @public */
export interface AwsCall {
  readonly method: string;
  /** Its path is encoded as it is signed: S3 signs it as it is sent, other services encode the encoded path once more. */
  readonly url: URL;
  /** Names in lower case; all are signed. `host`, the date and the hash of the body are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal. */
  readonly bodyHash: string;
  readonly at: Date;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** SHA-256 in hexadecimal. @public */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The headers to send, including the signature, without `host`, which the HTTP client adds. @public */
export function signedAwsHeaders(call: AwsCall, key: AwsKey): Readonly<Record<string, string>> {
  const time = amzTime(call.at);
  const sent = { ...call.headers, 'x-amz-content-sha256': call.bodyHash, 'x-amz-date': time };
  const headers = { ...sent, host: call.url.host };
  const names = Object.keys(headers).sort();
  const signature = awsSignature({ ...call, headers, names, time }, key);
  const credential = `${key.accessKey}/${scopeOf(time, key)}`;
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** A call with all values that the signature is made from. @public */
export interface SignableAwsCall extends Omit<AwsCall, 'at'> {
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the signed headers, sorted. */
  readonly names: readonly string[];
  /** `20261123T090000Z` */
  readonly time: string;
}

/** The signature alone, in hexadecimal. @public */
export function awsSignature(
  call: SignableAwsCall,
  { secretKey, region, service }: Omit<AwsKey, 'accessKey'>,
): string {
  const { method, url, headers, names, bodyHash, time } = call;
  const canonical = [
    method,
    url.pathname,
    awsQuery(url.searchParams),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const toSign = [algorithm, time, scopeOf(time, { region, service }), sha256Hex(canonical)].join('\n');
  const key = [time.slice(0, 8), region, service, 'aws4_request'].reduce<string | Buffer>(
    (signing, step) => createHmac('sha256', signing).update(step).digest(),
    `AWS4${secretKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

/** Encoding by RFC 3986, which encodes more characters than JavaScript does. */
function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A query in the order and encoding that is signed; the call must be sent with exactly this text. @public */
export function awsQuery(query: Iterable<readonly [string, string]>): string {
  return [...query]
    .map((pair) => pair.map(encodeRfc3986).join('='))
    .toSorted((a, b) => compare(a.split('=')[0] ?? '', b.split('=')[0] ?? '') || compare(a, b))
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function scopeOf(time: string, { region, service }: Pick<AwsKey, 'region' | 'service'>): string {
  return `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
}

function amzTime(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, '');
}
