import { describe, expect, test } from '@jest/globals';
import { ErrorBudget, Registry } from '@trellis/core';
import type { CredentialResolver, Principal } from '@trellis/sdk/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { DatabaseError } from '../../sql/database-error.ts';
import { createPrincipals } from './principals.ts';

const ann: Principal = { kind: 'user', id: 'us_1', email: 'ann@example.com', accountRoles: ['user'] };
const request = { headers: { 'xc-auth': 'token' }, cookies: {} };

describe('who a request comes from', () => {
  let state: PluginEntity['state'] = 'enabled';

  function start(
    resolve: CredentialResolver['resolve'],
    isDisabled = false,
    more: Partial<CredentialResolver> = {},
  ) {
    const credentials = new Registry<CredentialResolver>({
      id: 'credentialResolvers',
      absentPolicy: 'guest',
    });
    credentials.register({ id: 'session', resolve, ...more }, 'sys-users');
    const budget = new ErrorBudget();
    const errors = { report() {}, charge: budget.charge.bind(budget) };
    const { id, email } = ann;
    const rest = { firstname: undefined, lastname: undefined, createdAt: '2026-01-01T00:00:00.000Z' };
    const byId = () => ({ id, email, roles: ann.accountRoles, isDisabled, ...rest });
    return createPrincipals({
      credentials,
      errors,
      accounts: { byId },
      plugins: () => ({ list: () => [{ state } as PluginEntity] }),
      nameOf: (id) => id,
    });
  }

  test('is known again after the database was away, however often it was asked meanwhile', async () => {
    let isAway = true;
    const principals = start(() =>
      isAway ? Promise.reject(new DatabaseError('unreachable')) : Promise.resolve(ann),
    );
    for (let call = 0; call < 30; call += 1)
      await expect(principals.of(request)).rejects.toMatchObject({ kind: 'unreachable', status: 503 });
    isAway = false;
    expect(await principals.of(request)).toBe(ann);
  });

  test('is a guest while the account is disabled, whichever credential was shown', async () => {
    expect(await start(() => ann).of(request)).toBe(ann);
    expect(await start(() => ann, true).of(request)).toMatchObject({ kind: 'guest' });
    expect(await start(() => ({ ...ann, kind: 'token' }), true).of(request)).toMatchObject({ kind: 'guest' });
  });

  test('is a guest where a failing resolver is out of service', async () => {
    const principals = start(() => Promise.reject(new TypeError('not a function')));
    for (let call = 0; call < 20; call += 1)
      await expect(principals.of(request)).rejects.toMatchObject({ code: 'CREDENTIALS_NOT_CHECKED' });
    expect(await principals.of(request)).toMatchObject({ kind: 'guest' });
    expect(await start(() => Promise.resolve(undefined)).of({ headers: {}, cookies: {} })).toMatchObject({
      kind: 'guest',
    });
  });

  test('is asked again for what goes on in their name, of the resolver that gave the credential', async () => {
    const token: Principal = { ...ann, kind: 'token', credentialId: 'to_1', resolver: 'session' };
    const given = new Set(['to_1']);
    const isGood = ({ credentialId = '' }: Principal) => given.has(credentialId);
    const principals = start(() => ann, false, { isGood });
    expect(await principals.isGood(ann)).toBe(true);
    expect(await principals.isGood(token)).toBe(true);
    given.clear();
    expect(await principals.isGood(token)).toBe(false);
    expect(await principals.isGood({ ...token, resolver: 'elsewhere' })).toBe(false);
  });

  test('is not known while the plugin of a credential starts, or what it says fails', async () => {
    const token: Principal = { ...ann, kind: 'token', credentialId: 'to_1', resolver: 'elsewhere' };
    const unchecked = { code: 'CREDENTIALS_UNCHECKED', status: 503 };
    state = 'starting';
    await expect(start(() => ann).isGood(token)).rejects.toMatchObject(unchecked);
    state = 'enabled';
    expect(await start(() => ann).isGood(token)).toBe(false);
    const failing = start(() => ann, false, { isGood: () => Promise.reject(new TypeError('no function')) });
    for (let call = 0; call < 20; call += 1)
      await expect(failing.isGood({ ...token, resolver: 'session' })).rejects.toMatchObject(unchecked);
  });
});
