import { createHmac } from 'node:crypto';

/*
 * Shared Key of Azure Storage, for its versions since 2015-02-21:
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */

/** A call before it is sent; names of headers in lower case. */
export interface SignableCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that are signed by position, after the method. */
const placed = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** The text to sign. */
export function textToSign({ method, url, headers }: SignableCall, account: string): string {
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .toSorted();
  const query = [...url.searchParams].map(([name, value]) => [name.toLowerCase(), value] as const);
  return [
    method,
    ...placed.map((name) =>
      name === 'content-length' && headers[name] === '0' ? '' : (headers[name] ?? ''),
    ),
    ...own.map((name) => `${name}:${headers[name] ?? ''}`),
    `/${account}${url.pathname}`,
    ...query.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}:${value}`),
  ].join('\n');
}

/** The header `authorization` of a call. @param key as Azure shows it: base64 */
export function sharedKey(
  call: SignableCall,
  { account, key }: { readonly account: string; readonly key: string },
): string {
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(textToSign(call, account))
    .digest('base64');
  return `SharedKey ${account}:${signature}`;
}
