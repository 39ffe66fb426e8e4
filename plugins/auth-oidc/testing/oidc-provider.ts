import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real OpenID provider on loopback. It accepts any login: `ann` has the address ann@example.com. */
export interface LocalOidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Goes through the provider's pages like a browser. @returns the query with which the browser returns */
  signIn(this: void, url: URL, login: string): Promise<string>;
  close(): Promise<void>;
}

/** @param redirectUrl the only address that the provider redirects to */
export async function startOidcProvider(redirectUrl: string): Promise<LocalOidcProvider> {
  // Imported here, so that a test can suppress the package's advice for operators.
  const { default: Provider } = await import('oidc-provider');
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'trellis', client_secret: 'a-secret-of-the-provider-of-the-tests' };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUrl], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: id !== 'unverified',
        given_name: id,
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['of the tests'] },
  });
  server.on('request', provider.callback());

  async function signIn(url: URL, login: string): Promise<string> {
    const jar = new Map<string, string>();
    let next = url;
    let body: URLSearchParams | undefined;
    for (let step = 0; step < 15; step += 1) {
      const answer = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { method: 'POST', body }),
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      body = undefined;
      const location = answer.headers.get('location');
      if (location !== null) {
        next = new URL(location, next);
        if (next.origin !== issuer) return next.search.slice(1);
        continue;
      }
      const page = await answer.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (prompt === undefined) throw new Error(`The provider showed another page: ${page.slice(0, 500)}`);
      body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
    }
    throw new Error('The provider never led back.');
  }

  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    signIn,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
