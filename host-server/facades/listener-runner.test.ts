import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ManualClock, Registry } from '@trellis/core';
import type { Listener, StartedListener } from '@trellis/sdk/server';
import { createLogger } from '../runtime/logging/logger.ts';
import type { OwnedWork } from '../runtime/owned-work.ts';
import { ListenerRunner } from './listener-runner.ts';

/** A runner with one listener, which starts when the test says so. */
function runOne() {
  const clock = new ManualClock();
  const listeners = new Registry<Listener>({ id: 'listeners', absentPolicy: 'none' });
  const reported: unknown[] = [];
  const work = {
    report: (_owner: string, _where: string, error: unknown) => void reported.push(error),
  } as unknown as OwnedWork;
  const runner = new ListenerRunner({
    listeners,
    work: () => work,
    logger: createLogger({ level: 'silent' }),
    clock,
  });
  let begin: (listener: StartedListener) => void = () => undefined;
  let giveUp: (error: Error) => void = () => undefined;
  let signal: AbortSignal | undefined;
  let stops = 0;
  const registered = listeners.register(
    {
      id: 'slow',
      label: 'Slow',
      start(call) {
        ({ signal } = call);
        return new Promise((resolve, reject) => {
          begin = resolve;
          giveUp = reject;
        });
      },
    },
    'test',
  );
  runner.start();
  return {
    clock,
    runner,
    reported,
    registered,
    begin: () => begin({ port: 1, stop: async () => void (stops += 1) }),
    giveUp: () => giveUp(new Error('given up')),
    isAborted: () => signal?.aborted,
    stops: () => stops,
  };
}

test('a listener that starts after it was given up is stopped', async () => {
  const { clock, runner, reported, begin, isAborted, stops } = runOne();
  clock.advance(10_000);
  await setImmediate();
  expect(reported).toMatchObject([{ name: 'TimeLimitError' }]);
  expect(isAborted()).toBe(true);
  begin();
  await setImmediate();
  expect(stops()).toBe(1);
  await runner.stop();
  expect(stops()).toBe(1);
});

test('a listener whose plugin is disabled while it starts is told, and stopped if it starts all the same', async () => {
  const { runner, registered, begin, isAborted, stops } = runOne();
  await registered.dispose();
  expect(isAborted()).toBe(true);
  begin();
  await runner.stop();
  expect(stops()).toBe(1);
});

test('a listener that gives up its start when it is told to has no fault', async () => {
  const { runner, registered, reported, giveUp } = runOne();
  await registered.dispose();
  giveUp();
  await runner.stop();
  expect(reported).toEqual([]);
});
