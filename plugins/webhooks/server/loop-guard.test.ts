import { expect, test } from '@jest/globals';
import { causeOf, programMark } from './chain.ts';
import { LoopGuard, type ChangedBy } from './loop-guard.ts';

/** Milliseconds. */
const tick = 10;

/**
 * A webhook at work: changes come at some moments by themselves, and each message causes others. Gives the moment at which it is taken for a
 * loop, within an hour.
 */
function run({
  changes,
  answers,
  by = 'program',
}: {
  /** The moment of each change that comes by itself, in milliseconds. */
  readonly changes: readonly number[];
  /** Milliseconds after which a message is followed by a change. */
  readonly answers: readonly number[];
  readonly by?: ChangedBy;
}): { readonly loopAt: number | undefined; readonly sent: number } {
  const guard = new LoopGuard();
  /** What comes, by the tick that hears of it. */
  const coming = new Map<number, number[]>();
  const add = (at: number) => {
    const heard = Math.ceil(at / tick) * tick;
    coming.set(heard, [...(coming.get(heard) ?? []), at]);
  };
  for (const at of changes) add(at);
  let waiting = 0;
  let sent = 0;
  for (let now = 0; now < 3_600_000; now += tick) {
    for (const at of coming.get(now) ?? []) {
      guard.happened('hk', at, by);
      waiting += 1;
    }
    if (waiting === 0) continue;
    const verdict = guard.judge('hk', now);
    if (verdict.kind === 'loop') return { loopAt: now, sent };
    if (verdict.kind === 'hold') continue;
    guard.sent('hk', now);
    waiting = 0;
    sent += 1;
    for (const after of answers) add(now + after);
  }
  return { loopAt: undefined, sent };
}

const every = (ms: number, count: number) => Array.from({ length: count }, (_, index) => ms * (index + 1));

test.each([
  ['at once', [20]],
  ['after a second', [1000]],
  ['after ten seconds', [10_000]],
  ['twice each time', [50, 80]],
])('a receiver that writes back %s is found after some hundred messages at the most', (_, answers) => {
  const { loopAt, sent } = run({ changes: [10], answers });
  expect(loopAt).toBeDefined();
  expect(sent).toBeLessThan(400);
});

test.each([
  ['ten times a second', every(100, 5000)],
  ['each second', every(1000, 3000)],
  ['every ten seconds', every(10_000, 350)],
  ['in one script that ends', every(50, 1000)],
])('rows that are written %s by others are no loop', (_, changes) => {
  expect(run({ changes, answers: [] }).loopAt).toBeUndefined();
});

test('whoever writes in time with the messages without a token slows a webhook down, and never stops it', () => {
  const { loopAt, sent } = run({ changes: [10], answers: [20], by: 'person' });
  expect(loopAt).toBeUndefined();
  expect(sent).toBeGreaterThan(1000);
  // Nothing would hold it up for 180,000 messages in the hour.
  expect(sent).toBeLessThan(60_000);
});

test.each([
  ['token', 'program'],
  ['user', 'person'],
  ['sharedView', 'person'],
  ['guest', 'person'],
] as const)('what a call by %s wrote was written by a %s', (kind, by) => {
  const mark = programMark.read({ headers: {}, query: {}, scope: { principal: { kind } } } as never);
  expect(causeOf(mark === undefined ? {} : { marks: { [programMark.id]: mark } })).toMatchObject({
    by,
  });
});
