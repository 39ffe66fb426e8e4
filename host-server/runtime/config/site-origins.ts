import type { IncomingHttpHeaders } from 'node:http';

/** The origins whose pages may call this server. */
export interface SiteOrigins {
  /** The address under which people reach the site, if the operator configured it. */
  readonly siteUrl: string | undefined;
  readonly corsOrigins: readonly string[];
}

/** Whether an origin is this server's own, the configured site's, one that the operator allows, or absent (no page at all). */
export function isOwnOrigin(
  headers: Pick<IncomingHttpHeaders, 'origin' | 'host'>,
  { siteUrl, corsOrigins }: SiteOrigins,
): boolean {
  const { origin, host } = headers;
  if (origin === undefined || corsOrigins.includes(origin)) return true;
  if (siteUrl !== undefined && new URL(siteUrl).origin === origin) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    // "null" and other texts that are no address.
    return false;
  }
}

/**
 * Whether a page of another site sent this request. Browsers that can, say so themselves (`Sec-Fetch-Site`), which also works
 * behind a proxy that changes `Host`; otherwise the origin decides.
 */
export function isCrossSite(headers: IncomingHttpHeaders, site: SiteOrigins): boolean {
  const relation = headers['sec-fetch-site'];
  if (relation === 'same-origin' || relation === 'none') return false;
  if (headers.origin === undefined) return relation === 'cross-site';
  return !isOwnOrigin(headers, site);
}
