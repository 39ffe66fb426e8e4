import { expect, test } from '@jest/globals';
import { ManualClock, Registry } from '@trellis/core';
import type { HealthCheck } from '@trellis/sdk/server';
import { createServerHealth } from './server-health.ts';

function start(ping = () => Promise.resolve()) {
  const clock = new ManualClock();
  const healthChecks = new Registry<HealthCheck>({ id: 'healthChecks', absentPolicy: 'skipped' });
  const reported: string[] = [];
  const health = createServerHealth({
    metadata: { database: { ping: () => ping() } as never },
    healthChecks,
    errors: { report: (owner, where, error) => void reported.push(`${owner}, ${where}: ${String(error)}`) },
    knownSecrets: { maskIn: (text) => text.replace('hush', '***') },
    clock,
  });
  return { clock, healthChecks, reported, health };
}

test('a check that ignores its signal makes the server unhealthy in its own name, and holds nobody up', async () => {
  const { clock, healthChecks, reported, health } = start();
  let answer: ((result: { ok: boolean }) => void) | undefined;
  const check = () =>
    new Promise<{ ok: boolean }>((resolve) => {
      answer = resolve;
    });
  healthChecks.register({ id: 'slow', check }, 'sleeper');
  for (let look = 0; look < 2; look += 1) {
    const asked = health.isHealthy();
    await new Promise(setImmediate);
    clock.advance(5000);
    expect(await asked).toBe(false);
    clock.advance(1001);
  }
  expect(reported).toEqual([expect.stringMatching(/^sleeper, health check slow: .* longer than 5000 ms/)]);
  const asked = health.isHealthy();
  await new Promise(setImmediate);
  answer?.({ ok: true });
  expect(await asked).toBe(true);
});

test('a check that throws at once is an answer like any other', async () => {
  const { healthChecks, reported, health } = start();
  healthChecks.register(
    {
      id: 'rash',
      check: () => {
        throw new Error('no patience');
      },
    },
    'hothead',
  );
  expect(await health.isHealthy()).toBe(false);
  expect(reported).toEqual([expect.stringContaining('hothead, health check rash: Error: no patience')]);
});

test('what keeps the server from its work is named', async () => {
  const { clock, healthChecks, health } = start();
  expect(await health.problems()).toEqual([]);
  const checks = {
    lamp: { ok: true },
    mail: { ok: false, message: 'No paper, hush.' },
    queue: { ok: false },
  };
  for (const [id, answer] of Object.entries(checks))
    healthChecks.register({ id, check: () => Promise.resolve(answer) }, `acme-${id}`);
  clock.advance(1001);
  expect(await health.problems()).toEqual([
    { kind: 'check', plugin: 'acme-mail', check: 'mail', message: 'No paper, ***.' },
    { kind: 'check', plugin: 'acme-queue', check: 'queue' },
  ]);
  const { health: withoutDatabase } = start(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')));
  expect(await withoutDatabase.problems()).toEqual([{ kind: 'database' }]);
});
