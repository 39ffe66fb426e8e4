import { createHmac } from 'node:crypto';
import type { Narrowing, Secrets } from '@trellis/sdk/server';
import type { RoleScope } from './access-scope.ts';

const length = 22;

/**
 * Creates texts that differ if scopes permit different things. They are keyed, since a rule may contain values that its people must
 * not learn.
 */
export function createMarks(secrets: Pick<Secrets, 'key'>): (scope: RoleScope) => string {
  const key = secrets.key('marks of rights');
  const texts = new WeakMap<readonly Narrowing[], string>();
  return ({ roles, narrowings }) => {
    let text = texts.get(narrowings);
    if (text === undefined) {
      text = JSON.stringify(narrowings, asPlain);
      texts.set(narrowings, text);
    }
    return createHmac('sha256', key)
      .update(JSON.stringify([roles, text]))
      .digest('base64url')
      .slice(0, length);
  };
}

function asPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === 'bigint' ? String(value) : value;
}
