import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The contents of the next identity token, and its signature. */
export interface Told {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `other`: signed with a key that the provider does not publish; `none`: unsigned. */
  readonly signedBy?: 'own' | 'other' | 'none';
  /** Signs by HS256 with this secret. */
  readonly secret?: string;
}

/** A provider on loopback that issues any token that a test wants, to anybody. */
export interface LyingProvider {
  readonly issuer: string;
  /** @param nonce the running sign-in's */
  tell(this: void, nonce: string, told: Told): void;
  close(this: void): Promise<void>;
}

export const clientId = 'trellis';

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function startLyingProvider(): Promise<LyingProvider> {
  const [own, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const jwk = { ...own?.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' };
  let token = '';
  const server = createServer((request, response) => {
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      },
      '/token': { access_token: 'x', token_type: 'Bearer', id_token: token },
      '/jwks': { keys: [jwk] },
    };
    request.resume();
    const answer = answers[request.url ?? ''];
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    tell(nonce, { header = {}, claims = {}, signedBy = 'own', secret }) {
      const now = Math.floor(Date.now() / 1000);
      const said = {
        iss: issuer,
        aud: clientId,
        sub: 'ann',
        email: 'ann@example.com',
        email_verified: true,
        iat: now,
        exp: now + 60,
        nonce,
        ...claims,
      };
      const alg = secret === undefined ? { alg: 'RS256', kid: 'own' } : { alg: 'HS256' };
      const text = `${base64({ ...alg, ...header })}.${base64(said)}`;
      if (secret !== undefined) {
        token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
        return;
      }
      const key = signedBy === 'own' ? own : other;
      const signature =
        signedBy === 'none' || key === undefined
          ? ''
          : sign('sha256', Buffer.from(text), key.privateKey).toString('base64url');
      token = `${text}.${signature}`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
