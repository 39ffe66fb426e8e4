import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Places, type Leave, type PlaceLimits } from './places.ts';

const limits: PlaceLimits = { all: 3, each: 2, waiting: { all: 4, each: 3, time: 60_000 } };

/** Enters at once, or fails the test. */
function entered(place: Leave | Promise<Leave>): Leave {
  if (place instanceof Promise) throw new Error('The place was not free.');
  return place;
}

/** Goes into the line for good; what comes of it after a minute is nobody's matter. */
function wait(place: Leave | Promise<Leave>): void {
  Promise.resolve(place).catch(() => undefined);
}

describe('places', () => {
  test('are given at once while they last, and not beyond the share of a holder', () => {
    const places = new Places(limits);
    entered(places.enter('ann'));
    entered(places.enter('ann'));
    expect(places.tryEnter('ann')).toBeUndefined();
    // Nor where nobody knows who it is.
    const unknown = [places.tryEnter(''), new Places({ ...limits, each: 0 }).tryEnter('')];
    expect(unknown).toEqual([expect.any(Function), undefined]);
    unknown[0]?.();
    entered(places.enter('bob'));
    expect(places.tryEnter('carl')).toBeUndefined();
    expect(places.taken).toBe(3);
  });

  test('go round among the holders who wait', async () => {
    const places = new Places({ ...limits, all: 1, each: 1 });
    const first = entered(places.enter('held'));
    const order: string[] = [];
    const visit = async (key: string) => {
      const leave = await places.enter(key);
      order.push(key);
      leave();
    };
    const visits = ['ann', 'ann', 'ann', 'bob'].map(visit);
    first();
    await Promise.all(visits);
    expect(order).toEqual(['ann', 'bob', 'ann', 'ann']);
    expect([places.taken, places.waiting]).toEqual([0, 0]);
  });

  test('have bounded lines: whoever comes later is turned away', () => {
    const places = new Places(limits);
    for (const key of ['ann', 'ann', 'bob']) entered(places.enter(key));
    for (const key of ['ann', 'ann', 'ann']) wait(places.enter(key));
    expect(() => places.enter('ann')).toThrow('busy');
    wait(places.enter('carl'));
    expect(() => places.enter('dora')).toThrow('busy');
  });

  test('turn away who waited too long, and keep nothing of it', async () => {
    jest.useFakeTimers();
    try {
      const places = new Places({ ...limits, all: 1 });
      const leave = entered(places.enter('ann'));
      const late = places.enter('bob');
      jest.advanceTimersByTime(60_000);
      await expect(late).rejects.toMatchObject({ code: 'TOO_BUSY', status: 503 });
      expect(places.waiting).toBe(0);
      leave();
      expect(places.taken).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('are given back once, however often somebody leaves', () => {
    const places = new Places(limits);
    const leave = entered(places.enter('ann'));
    entered(places.enter('ann'));
    leave();
    leave();
    expect(places.taken).toBe(1);
  });

  /** What happens to the places: somebody comes, or the n-th of those who are inside leaves. */
  const step = fc.oneof(
    fc.record({ kind: fc.constant('come' as const), key: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ kind: fc.constant('leave' as const), nth: fc.nat(20) }),
  );

  test('are never more than there are, never free while somebody may have one, and all given back', async () => {
    const anyLimits = fc.record({
      all: fc.integer({ min: 1, max: 5 }),
      each: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(anyLimits, fc.array(step, { maxLength: 80 }), async ({ all, each }, steps) => {
        const places = new Places({ all, each, waiting: { all: 100, each: 100, time: 60_000 } });
        const inside: { readonly key: string; readonly leave: Leave }[] = [];
        const waiting = new Map<string, number>();
        /** How often others were let in since the one who waits longest in a line came to its head. */
        const passed = new Map<string, number>();
        const count = (key: string) => inside.filter((held) => held.key === key).length;
        const isEligible = (key: string) => (waiting.get(key) ?? 0) > 0 && count(key) < each;

        const come = (key: string) => {
          const place = places.enter(key);
          if (!(place instanceof Promise)) {
            inside.push({ key, leave: place });
            return;
          }
          waiting.set(key, (waiting.get(key) ?? 0) + 1);
          void place.then(
            (leave) => {
              waiting.set(key, (waiting.get(key) ?? 0) - 1);
              inside.push({ key, leave });
              passed.set(key, 0);
              for (const other of waiting.keys())
                if (other !== key && isEligible(other)) passed.set(other, (passed.get(other) ?? 0) + 1);
            },
            () => undefined,
          );
        };
        const leaveNth = async (nth: number) => {
          const [held] = inside.splice(nth % Math.max(inside.length, 1), 1);
          held?.leave();
          await Promise.resolve();
        };
        const check = () => {
          expect(places.taken).toBe(inside.length);
          expect(inside.length).toBeLessThanOrEqual(all);
          for (const key of ['a', 'b', 'c', 'd']) {
            expect(count(key)).toBeLessThanOrEqual(each);
            if (isEligible(key)) expect(inside.length).toBe(all);
            // Nobody starves: each of the three others goes first once at the most.
            expect(passed.get(key) ?? 0).toBeLessThanOrEqual(3);
          }
        };

        for (const next of steps) {
          if (next.kind === 'come') come(next.key);
          else await leaveNth(next.nth);
          check();
        }
        while (inside.length > 0) await leaveNth(0);
        expect([places.taken, places.waiting]).toEqual([0, 0]);
      }),
    );
  });
});
