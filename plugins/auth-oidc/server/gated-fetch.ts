import type { Outbound } from '@trellis/sdk/server';
import type { CustomFetch } from 'openid-client';

/** The most bytes of a provider's answer: documents of keys are the longest. */
const limit = 1_000_000;

/**
 * Calls the provider through the outbound gate. The host of the settings may be private; other hosts that the provider names must
 * be public.
 */
export function gatedFetch(outbound: Pick<Outbound, 'fetch'>, issuer: URL): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.fetch(url, {
      purpose: 'sign-in',
      isSetBySuperAdmin: new URL(url).host === issuer.host,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      timeoutMs: 10_000,
      limit,
      redirects: 0,
      ...(signal && { signal }),
    });
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? Buffer.from(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

/** The client's body as text: forms, and texts such as signed requests. */
function textOf(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A provider is sent texts and forms alone.');
}
