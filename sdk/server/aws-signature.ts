import { createHash, createHmac } from 'node:crypto';

/*
 * Signature Version 4 of Amazon Web Services, in a header:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

/** Who signs, for which service at which place. @public */
export interface AwsKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** As signatures name it: `s3`, `ses`. */
  readonly service: string;
}

/** A call as it is about to leave, with Signature Version 4 to be made for it. @public */
export interface AwsCall {
  readonly method: string;
  /** With its path encoded as it is signed: S3 signs it as it is sent, others encode once more what was encoded. */
  readonly url: URL;
  /** Names in lower case; all of them are signed. `host`, the date and the hash of the body are added. */
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

/** The headers to send, the signature among them; without `host`, which whoever sends adds by the address. @public */
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

/** A call with everything that its signature is made of. @public */
export interface SignableAwsCall extends Omit<AwsCall, 'at'> {
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers that are signed, sorted. */
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

/** As RFC 3986 has it, which encodes more than JavaScript does. */
function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A query in the order and the encoding that are signed; a call is sent with this very text. @public */
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
