import { expect, test } from '@jest/globals';
import { ErrorBudget, errorOrigin, ManualClock, TimeLimitError } from '@trellis/core';
import type { Account, Principal } from '@trellis/sdk/server';
import { createPrincipals } from '../access/credentials/principals.ts';
import { narrowingsFor } from '../access/rights/scope-rules.ts';
import { createServerRegistries } from './server-registries.ts';

const never = () => new Promise<never>(() => undefined);
const ann: Principal = { kind: 'user', id: 'us_1', email: 'ann@example.com', accountRoles: ['user'] };
const account = { id: 'us_1', email: 'ann@example.com' } as Account;

/** The registries on a clock that the test turns, with the plugins `acme` and, as a part of the product, `own`. */
function start() {
  const clock = new ManualClock();
  const budget = new ErrorBudget({ clock });
  const reports: unknown[] = [];
  const errors = {
    report: (owner: string, where: string, error: unknown) => void reports.push([owner, where, error]),
    charge: budget.charge.bind(budget),
  };
  const nameOf = (id: string) => (id === 'acme' ? 'Acme' : id);
  const registries = createServerRegistries(errors, { isLimited: (id) => id === 'acme', nameOf, clock });
  const principals = createPrincipals({
    credentials: registries.get('credentialResolvers'),
    errors,
    accounts: { byId: () => undefined },
    plugins: () => ({ list: () => [] }),
    nameOf,
  });
  const rules = { rules: registries.get('scopeRules'), errors, nameOf };
  return { clock, budget, reports, registries, principals, rules };
}

/** Lets what was given up be heard of. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What becomes of work when so many milliseconds have gone by. */
async function after(clock: ManualClock, milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  const outcome = work.catch((error: unknown) => error);
  await settled();
  clock.advance(milliseconds);
  await settled();
  return Promise.race([outcome, Promise.resolve('waiting')]);
}

test('a credential resolver that never answers is given up, and its plugin named where nobody else knows the caller', async () => {
  const { clock, budget, registries, principals } = start();
  registries.get('credentialResolvers').register({ id: 'hangs', order: 1, resolve: never }, 'acme');
  const stranger = { headers: { 'xc-auth': 'token' }, cookies: {} };
  expect(await after(clock, 4999, principals.of(stranger))).toBe('waiting');
  clock.advance(1);
  expect(await after(clock, 5000, principals.of(stranger))).toMatchObject({
    code: 'CREDENTIALS_NOT_CHECKED',
    status: 503,
    params: { plugin: 'Acme' },
    message: expect.stringContaining("'Acme'"),
  });
  registries.get('credentialResolvers').register({ id: 'session', order: 2, resolve: () => ann }, 'own');
  expect(await after(clock, 5000, principals.of(stranger))).toBe(ann);
  expect(budget.suspendedOf('acme')).toEqual([]);
  await after(clock, 5000, principals.of(stranger));
  expect(budget.suspendedOf('acme')).toHaveLength(1);
  expect(await principals.of(stranger)).toBe(ann);
});

test('a credential that a resolver never judges is not known to be good', async () => {
  const { clock, registries, principals } = start();
  registries
    .get('credentialResolvers')
    .register({ id: 'hangs', resolve: () => undefined, isGood: never }, 'acme');
  expect(await after(clock, 5000, principals.isGood({ ...ann, resolver: 'hangs' }))).toMatchObject({
    code: 'CREDENTIALS_UNCHECKED',
    status: 503,
  });
});

test('a scope rule that never answers allows nothing, and says whose it is', async () => {
  const { clock, reports, registries, rules } = start();
  registries.get('scopeRules').register({ id: 'house', narrow: never }, 'acme');
  const facts = { principal: ann, projectId: 'p', roles: [] };
  expect(await after(clock, 5000, narrowingsFor(rules, facts))).toMatchObject({
    code: 'RIGHTS_UNKNOWN',
    status: 503,
    params: { rule: 'house', plugin: 'Acme' },
  });
  expect(reports).toEqual([['acme', "scope rule 'house'", expect.any(TimeLimitError)]]);
});

test('a step of signing in that never answers refuses the sign-in in its plugin’s name, and is never left out', async () => {
  const { clock, budget, reports, registries } = start();
  registries
    .get('signInSteps')
    .register(
      { id: 'code', isDue: never, begin: never, finish: () => Promise.reject(new Error('ink')) },
      'acme',
    );
  const step = registries.get('signInSteps').get('code');
  for (let call = 0; call < 20; call += 1)
    expect(await after(clock, 5000, step?.isDue(account, 'password') ?? never())).toMatchObject({
      code: 'PLUGIN_TOO_SLOW',
      status: 503,
      params: { plugin: 'Acme', seconds: 5 },
    });
  expect(reports[0]).toEqual(['acme', "sign-in step 'code'", expect.any(TimeLimitError)]);
  expect(budget.suspendedOf('acme')).toEqual([]);
  // It may send a letter, which takes longer.
  expect(await after(clock, 29_999, step?.begin(account) ?? never())).toBe('waiting');
  const failure = await after(clock, 0, step?.finish(account, {}) ?? never());
  expect(failure).toMatchObject({ message: 'ink' });
  expect(errorOrigin(failure)).toMatchObject({ owner: 'acme' });
});

test('parts of the product have no limit, since they wait for databases alone', async () => {
  const { clock, registries, principals } = start();
  registries.get('credentialResolvers').register({ id: 'session', resolve: never }, 'own');
  expect(await after(clock, 60_000, principals.of({ headers: {}, cookies: {} }))).toBe('waiting');
});
