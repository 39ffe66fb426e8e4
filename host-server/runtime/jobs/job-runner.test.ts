import { afterEach, describe, expect, test } from '@jest/globals';
import { ManualClock, Registry } from '@trellis/core';
import type { JobDefinition, Logger } from '@trellis/sdk/server';
import type { Leases } from '../leases.ts';
import { JobRunner } from './job-runner.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Every lease is free. */
const leases: Leases = {
  hold: (_name, work) => work({ fence: 1, signal: new AbortController().signal }),
};

function start(...jobs: readonly JobDefinition[]) {
  const clock = new ManualClock();
  const registry = new Registry<JobDefinition>({ id: 'jobs', absentPolicy: 'Not run.' });
  for (const job of jobs) registry.register(job, 'mailer');
  const plugin = new AbortController();
  const loggerOfMailer: Logger = { ...silent };
  const ranFor: string[] = [];
  const errors: string[] = [];
  const runner = new JobRunner({
    jobs: registry,
    own: [],
    leases,
    logger: silent,
    loggerFor: (id) => (id === 'mailer' ? loggerOfMailer : silent),
    clock,
    plugins: {
      run(id, work) {
        ranFor.push(id);
        return work();
      },
      signalOf: () => plugin.signal,
      onError: (id, where, error) => errors.push(`${id}, ${where}: ${String(error)}`),
    },
  });
  runner.start();
  return { clock, runner, plugin, loggerOfMailer, ranFor, errors };
}

describe('a job of a plugin', () => {
  let stop = () => Promise.resolve();
  afterEach(() => stop());

  test('runs at its interval, in the name of its plugin and with its log', async () => {
    const loggers: Logger[] = [];
    const { clock, runner, ranFor, loggerOfMailer } = start({
      id: 'send',
      every: 60,
      run: async ({ logger }) => void loggers.push(logger),
    });
    stop = () => runner.stop();
    clock.advance(45_000);
    expect(ranFor).toEqual([]);
    clock.advance(15_000);
    clock.advance(60_000);
    expect(ranFor).toEqual(['mailer', 'mailer']);
    expect(loggers[0]).toBe(loggerOfMailer);
  });

  test('is told to end when its plugin is disabled', async () => {
    let heard: AbortSignal | undefined;
    const { clock, runner, plugin } = start({
      id: 'send',
      every: 15,
      run: async ({ signal }) => {
        heard = signal;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    stop = () => runner.stop();
    clock.advance(15_000);
    expect(heard?.aborted).toBe(false);
    plugin.abort(new Error('disabled'));
    expect(heard?.reason).toEqual(new Error('disabled'));
  });

  test('that throws is laid at the door of its plugin, and runs again at its next time', async () => {
    let runs = 0;
    const { clock, runner, errors } = start({
      id: 'send',
      every: 15,
      run: () => {
        runs += 1;
        return Promise.reject(new Error('no mail server'));
      },
    });
    clock.advance(15_000);
    await new Promise(setImmediate);
    clock.advance(15_000);
    await new Promise(setImmediate);
    expect(runs).toBe(2);
    expect(errors[0]).toBe('mailer, job send: Error: no mail server');
    await runner.stop();
  });

  test('is waited for when the server stops', async () => {
    let ended = false;
    const { clock, runner } = start({
      id: 'send',
      every: 15,
      run: async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
      },
    });
    clock.advance(15_000);
    await runner.stop();
    expect(ended).toBe(true);
    expect(clock.waiting).toBe(0);
  });
});
