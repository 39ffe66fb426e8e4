import { createHash, randomUUID } from 'node:crypto';

/** The end of a link: 122 random bits, of which only the digest is stored. */
export interface LinkToken {
  readonly token: string;
  readonly hash: string;
}

export function newLinkToken(): LinkToken {
  const token = randomUUID();
  return { token, hash: digest(token) };
}

/** The key for looking up a token; undefined for an invalid text. */
export function hashOfLink(token: string): string | undefined {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(token)
    ? digest(token)
    : undefined;
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
