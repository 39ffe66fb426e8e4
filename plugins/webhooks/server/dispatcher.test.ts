import { afterEach, expect, test } from '@jest/globals';
import { mostInterrupted, pauseAfter } from '@trellis/sdk/server';
import type { Delivery, Outcome } from './delivery-store.ts';
import { Dispatcher, mostAttempts, targetOf } from './dispatcher.ts';
import type { Hook, HookPatch } from './hook-store.ts';
import { LoopGuard } from './loop-guard.ts';
import type { Message } from './send.ts';
import { TargetGate } from './target-gate.ts';

const day = 24 * 3600_000;
const running: Dispatcher[] = [];

afterEach(async () => {
  for (const dispatcher of running.splice(0)) await dispatcher.dispose();
});

/** A webhook with events of rows such as `1`, `1`, `2`, a clock that is set by hand, and a receiver that `arrives` speaks for. */
function start(rows: readonly string[], arrives: (message: Message) => boolean) {
  let now = 1_000_000;
  let hook = {
    id: 'hk_1',
    active: true,
    failures: 0,
    retryAt: 0,
    paused: undefined,
    settings: { title: 'Tell', batch: false, notification: { type: 'URL', payload: {} } },
    secrets: { current: 'x' },
  } as unknown as Hook;
  const kept = new Map(
    rows.map((rowKey, seq) => [
      `e${seq}`,
      {
        hookId: 'hk_1',
        eventId: `e${seq}`,
        rowKey,
        seq,
        position: 0,
        payload: {},
        state: 'waiting',
        attempts: 0,
        interrupted: 0,
        earlier: [],
        nextAt: 0,
        leaseUntil: 0,
      } as unknown as Delivery,
    ]),
  );
  const sent: string[] = [];
  const together: number[] = [];
  const rounds: number[] = [];
  let didRead = () => {};
  const paused: string[] = [];
  const guard = new LoopGuard();
  const dispatcher = new Dispatcher({
    isThere: () => true,
    didTurn: () => undefined,
    ownerLost: async () => undefined,
    background: { run: (work) => work(), charge() {} },
    hooks: {
      byId: async () => hook,
      async change(_: string, patch: (hook: Hook) => HookPatch) {
        hook = { ...hook, ...patch(hook) };
        return hook;
      },
    },
    deliveries: {
      waitingHooks: async () => [hook.id],
      async waiting(_, limit) {
        const found = [...kept.values()]
          .filter(({ state }) => state === 'waiting')
          .map((delivery) => ({ ...delivery, size: 0 }))
          .slice(0, limit);
        didRead();
        return found;
      },
      claim: async (units) => {
        rounds.push(units.length);
        together.push(...units.map(({ deliveries }) => deliveries.length));
        return units.map((unit) => {
          const taken = unit.deliveries.map(({ eventId }) => {
            const delivery = kept.get(eventId);
            if (delivery === undefined) throw new Error('There is no such event.');
            return { ...delivery, attempts: delivery.attempts + 1 };
          });
          const [first, ...rest] = taken;
          if (first === undefined) throw new Error('A unit has events.');
          return { ...unit, deliveries: [first, ...rest] as [Delivery, ...Delivery[]] };
        });
      },
      async settle(_: string, outcomes: readonly Outcome[]) {
        for (const outcome of outcomes) {
          for (const id of outcome.eventIds) {
            const delivery = kept.get(id);
            if (delivery) kept.set(id, { ...delivery, ...outcome });
          }
        }
      },
    },
    async send(message) {
      sent.push(message.eventId);
      const error = arrives(message) ? undefined : 'The receiver is away.';
      return { request: undefined, status: undefined, error, retryAfterMs: undefined, durationMs: 1 };
    },
    logger: { error: () => undefined },
    refusesAll: async () => false,
    gate: new TargetGate(() => ({ atOnce: 4, perSecond: 1000 })),
    guard: { judge: (_, at) => guard.judge('hk_1', at), sent: (id, at) => guard.sent(id, at) },
    async pause(_, reason) {
      hook = { ...hook, paused: typeof reason === 'string' ? reason : reason.message };
    },
    didPause: async ({ paused: reason }) => void paused.push(reason ?? ''),
    now: () => now,
    every: 1_000_000,
  });
  running.push(dispatcher);
  return {
    sent,
    /** How many events went out together, by round. */
    rounds,
    /** How many events each message told of. */
    together,
    paused,
    kept,
    /** All rows are of one call, are told of together, and are released once somebody has begun to read them. */
    gather() {
      hook = { ...hook, settings: { ...hook.settings, batch: true } };
      const held = [...kept].map(([id, of], position) => [id, { ...of, seq: 0, position }] as const);
      for (const [id, delivery] of held) kept.set(id, { ...delivery, nextAt: now + 10_000 });
      didRead = () => {
        for (const [id, delivery] of held) kept.set(id, delivery);
        didRead = () => {};
      };
    },
    /** The row of an event changes again. */
    happens(ms: number) {
      now += ms;
      const [last] = [...kept.values()].slice(-1);
      if (last === undefined) throw new Error('There is no event to follow.');
      const seq = last.seq + 1;
      const eventId = `e${seq}`;
      kept.set(eventId, { ...last, eventId, seq, state: 'waiting', attempts: 0, nextAt: 0 });
      guard.happened('hk_1', now, 'program');
    },
    hook: () => hook,
    async after(ms: number) {
      now += ms;
      dispatcher.look();
      await dispatcher.settle();
    },
    resume() {
      hook = { ...hook, paused: undefined, failures: 0, retryAt: 0 };
    },
  };
}

test('tries go on for about a day, further and further apart', () => {
  const pauses = Array.from({ length: mostAttempts - 1 }, (_, index) => pauseAfter(index + 1, 0));
  expect(pauses[0]).toBe(5000);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  const whole = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(whole).toBeGreaterThan(day / 2);
  expect(whole).toBeLessThan(1.5 * day);
});

test('a webhook whose receiver is away for a day is paused, its owner is told once, and nothing is lost', async () => {
  let isAway = true;
  const { after, sent, paused, hook, kept, resume } = start(['1', '1', '2'], () => !isAway);
  for (let tries = 0; tries < 20; tries += 1) await after(day);
  expect(paused).toEqual(['The receiver is away.']);
  expect(hook().paused).toBe('The receiver is away.');
  expect([...kept.values()].every(({ state }) => state === 'waiting')).toBe(true);
  const before = sent.length;
  await after(day);
  expect(sent).toHaveLength(before);
  isAway = false;
  resume();
  await after(day);
  expect(sent.slice(before).toSorted((a, b) => a.localeCompare(b))).toEqual(['e0', 'e1', 'e2']);
  expect([...kept.values()].every(({ state }) => state === 'done')).toBe(true);
});

test('the events of a row wait behind one that failed, and those of other rows do not', async () => {
  let isReady = false;
  const { after, sent } = start(['1', '1', '2'], ({ eventId }) => isReady || eventId !== 'e0');
  await after(0);
  expect(sent).toEqual(['e0', 'e2']);
  isReady = true;
  await after(day);
  expect(sent).toEqual(['e0', 'e2', 'e0', 'e1']);
});

test('a webhook that causes what it tells of is paused, and what waits for it stays', async () => {
  const { after, sent, hook, kept, happens } = start(['1'], () => true);
  for (let turns = 0; turns < 400 && hook().paused === undefined; turns += 1) {
    const before = sent.length;
    await after(1000);
    if (sent.length > before) happens(100);
  }
  expect(hook().paused).toBe('HOOK_LOOP');
  expect(sent.length).toBeLessThan(200);
  expect([...kept.values()].at(-1)?.state).toBe('waiting');
});

test('twelve events that a receiver refuses keep nothing back, and are given up alone', async () => {
  const refused = Array.from({ length: 12 }, (_, at) => `refused ${at}`);
  const taken = Array.from({ length: 600 }, (_, at) => `taken ${at}`);
  const isRefused = ({ eventId }: Message) => Number(eventId.slice(1)) < refused.length;
  const { after, kept, hook } = start([...refused, ...taken], (message) => !isRefused(message));
  for (let round = 0; round < 3; round += 1) await after(60_000);
  const states = () => [...kept.values()].map(({ state }) => state);
  expect(states().filter((state) => state === 'done')).toHaveLength(taken.length);
  for (let round = 0; round < 20; round += 1) {
    await after(day);
    // Others go on arriving.
    kept.set(`e${1000 + round}`, { ...lastOf(kept), eventId: `e${1000 + round}`, rowKey: `more ${round}` });
  }
  expect(hook().paused).toBeUndefined();
  expect(states().filter((state) => state === 'failed')).toHaveLength(refused.length);
});

test('what ends the server each time that it is sent is given up', async () => {
  const { after, kept } = start(['1', '2'], () => true);
  const first = kept.get('e0');
  if (first === undefined) throw new Error('There is no event.');
  kept.set('e0', { ...first, interrupted: mostInterrupted });
  await after(0);
  expect(kept.get('e0')).toMatchObject({ state: 'failed', error: expect.stringContaining('stopped') });
  expect(kept.get('e1')).toMatchObject({ state: 'done' });
});

test('what servers ended in the middle of goes out in smaller rounds, so that it is through before the next end', async () => {
  const rows = ['1', '2', '3', '4', '5', '6'];
  const { after, kept, rounds } = start(rows, () => true);
  for (const [id, delivery] of kept) kept.set(id, { ...delivery, interrupted: id < 'e3' ? 5 : 0 });
  await after(0);
  expect(rounds).toEqual([1, 1, 1, 3]);
  expect([...kept.values()].every(({ state }) => state === 'done')).toBe(true);
});

function lastOf(kept: ReadonlyMap<string, Delivery>): Delivery {
  const last = [...kept.values()].at(-1);
  if (last === undefined) throw new Error('There are no events.');
  return { ...last, seq: last.seq + 1, state: 'waiting', attempts: 0, nextAt: 0 };
}

test('rows that are told of together stay so where they are released while they are read', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => String(index));
  const { gather, after, together } = start(rows, () => true);
  gather();
  await after(0);
  expect(together).toEqual([100, 100, 50]);
});

test.each([
  ['http://127.0.0.1/a', 'http://127.1:80/b'],
  ['http://127.0.0.1:9000/', 'http://0x7f000001:9000/{{data.Name}}?x={{json data}}'],
  ['https://Example.com/{{data.Name}}', 'https://example.COM:443/'],
])('%s and %s are one receiver', (one, other) => {
  const of = (path: string) =>
    targetOf({ settings: { notification: { type: 'URL', payload: { path } } } } as unknown as Hook);
  expect(of(other)).toBe(of(one));
  expect(of('http://127.0.0.1:9001/')).not.toBe(of(one));
});
