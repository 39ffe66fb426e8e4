import { jwtVerify, SignJWT } from 'jose';
import type { Account } from '@trellis/sdk/server';

const algorithm = 'HS256';
const audience = 'trellis-api';
const lifetime = '10h';

export interface AccessClaims {
  readonly accountId: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Signs and verifies access tokens: the algorithm, the audience and the lifetime are fixed here, never taken from the token. */
export class AccessTokens {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  sign(account: Account, sessionId: string): Promise<string> {
    return new SignJWT({
      email: account.email,
      firstname: account.firstname ?? null,
      lastname: account.lastname ?? null,
      id: account.id,
      roles: account.roles.join(','),
      sid: sessionId,
    })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(this.#key);
  }

  /** Undefined for a token that this server did not sign, or that has expired. */
  async read(token: string): Promise<AccessClaims | undefined> {
    if (token.length > 4096) return undefined;
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [algorithm],
        audience,
        requiredClaims: ['exp', 'id', 'sid'],
      });
      return typeof payload.id === 'string' && typeof payload.sid === 'string'
        ? { accountId: payload.id, sessionId: payload.sid, expiresAt: (payload.exp ?? 0) * 1000 }
        : undefined;
    } catch {
      // The caller of an invalid token is a guest, who is refused with a code where a right is needed.
      return undefined;
    }
  }
}
