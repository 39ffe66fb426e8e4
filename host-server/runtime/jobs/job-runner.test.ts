import { afterEach, describe, expect, test } from '@jest/globals';
import { ManualClock, Registry, type Clock } from '@trellis/core';
import type { JobDefinition, Logger } from '@trellis/sdk/server';
import type { Leases } from '../leases.ts';
import { OwnedWork } from '../owned-work.ts';
import { JobRunner } from './job-runner.ts';
import type { JobRuns } from './job-runs.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Every lease is free. */
const leases: Leases = {
  hold: (_name, work) => work({ fence: 1, signal: new AbortController().signal }),
};

/** What the database keeps of begins, by its own clock. */
function memoryRuns(clock: Clock, begun = new Map<string, number>()): JobRuns {
  return {
    age: (id) => {
      if (!begun.has(id)) begun.set(id, clock.now());
      return Promise.resolve(clock.now() - (begun.get(id) ?? 0));
    },
    begin: (id) => {
      begun.set(id, clock.now());
      return Promise.resolve();
    },
  };
}

function start(job: JobDefinition, { clock = new ManualClock(), runs = memoryRuns(clock) } = {}) {
  const jobs = [job];
  const registry = new Registry<JobDefinition>({ id: 'jobs', absentPolicy: 'Not run.' });
  for (const job of jobs) registry.register(job, 'mailer');
  const plugin = new AbortController();
  const loggerOfMailer: Logger = { ...silent };
  const ranFor: string[] = [];
  const errors: string[] = [];
  const runner = new JobRunner({
    jobs: registry,
    own: [],
    runs,
    leases,
    clock,
    work: new OwnedWork({
      logger: silent,
      loggerFor: (id) => (id === 'mailer' ? loggerOfMailer : silent),
      plugins: {
        run(id, work) {
          ranFor.push(id);
          return work();
        },
        signalOf: () => plugin.signal,
        onError: (id, where, error) => errors.push(`${id}, ${where}: ${String(error)}`),
      },
    }),
  });
  runner.start();
  /** Lets the time pass in the steps in which jobs are looked at, and what begins in each begin. */
  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 15_000) {
      await new Promise(setImmediate);
      clock.advance(15_000);
      await new Promise(setImmediate);
    }
  }
  return { clock, runs, runner, plugin, loggerOfMailer, ranFor, errors, pass };
}

describe('a job of a plugin', () => {
  let stop = () => Promise.resolve();
  afterEach(() => stop());

  test('runs at its interval, in the name of its plugin and with its log', async () => {
    const loggers: Logger[] = [];
    const { pass, runner, ranFor, loggerOfMailer } = start({
      id: 'send',
      every: 60,
      run: async ({ logger }) => void loggers.push(logger),
    });
    stop = () => runner.stop();
    await pass(45_000);
    expect(ranFor).toEqual([]);
    await pass(15_000);
    await pass(60_000);
    expect(ranFor).toEqual(['mailer', 'mailer']);
    expect(loggers[0]).toBe(loggerOfMailer);
  });

  test('runs on where a clock that was wrong has put its last run into the future', async () => {
    const clock = new ManualClock();
    const runs = memoryRuns(clock, new Map([['send', clock.now() + 3650 * 24 * 60 * 60 * 1000]]));
    const { pass, runner, ranFor } = start(
      { id: 'send', every: 60, run: () => Promise.resolve() },
      { clock, runs },
    );
    stop = () => runner.stop();
    await pass(75_000);
    expect(ranFor).toEqual(['mailer', 'mailer']);
  });

  test('runs once in its interval over two servers whose clocks are hours apart', async () => {
    const send: JobDefinition = { id: 'send', every: 60, run: () => Promise.resolve() };
    const [clock, ahead] = [new ManualClock(), new ManualClock(5 * 3_600_000)];
    const runs = memoryRuns(clock);
    const servers = [start(send, { clock, runs }), start(send, { clock: ahead, runs })];
    stop = async () => void (await Promise.all(servers.map(({ runner }) => runner.stop())));
    for (let minute = 0; minute < 10; minute += 1) {
      for (let step = 0; step < 4; step += 1) for (const server of servers) await server.pass(15_000);
    }
    expect(servers.flatMap(({ ranFor }) => ranFor)).toHaveLength(10);
  });

  test('is told to end when its plugin is disabled', async () => {
    let heard: AbortSignal | undefined;
    const { pass, runner, plugin } = start({
      id: 'send',
      every: 15,
      run: async ({ signal }) => {
        heard = signal;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    stop = () => runner.stop();
    await pass(15_000);
    expect(heard?.aborted).toBe(false);
    plugin.abort(new Error('disabled'));
    expect(heard?.reason).toEqual(new Error('disabled'));
  });

  test('that throws is reported with its plugin, and runs again at its next time', async () => {
    let runs = 0;
    const { pass, runner, errors } = start({
      id: 'send',
      every: 15,
      run: () => {
        runs += 1;
        return Promise.reject(new Error('no mail server'));
      },
    });
    await pass(30_000);
    expect(runs).toBe(2);
    expect(errors[0]).toBe('mailer, job send: Error: no mail server');
    await runner.stop();
  });

  test('is waited for when the server stops', async () => {
    let ended = false;
    const { clock, pass, runner } = start({
      id: 'send',
      every: 15,
      run: async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
      },
    });
    await pass(15_000);
    await runner.stop();
    expect(ended).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('runs although the server is started anew more often than its interval', async () => {
    const clock = new ManualClock();
    const runs = memoryRuns(clock);
    const purge: JobDefinition = { id: 'purge', every: 6 * 3600, run: () => Promise.resolve() };
    const hour = 3_600_000;
    const ran: number[] = [];
    for (let start_ = 1; start_ <= 13; start_ += 1) {
      const server = start(purge, { clock, runs });
      await server.pass(hour);
      await server.runner.stop();
      ran.push(server.ranFor.length);
    }
    expect(ran.map((times, index) => (times > 0 ? index + 1 : 0)).filter((of) => of > 0)).toEqual([6, 12]);
  });

  test('a run that takes too long is asked to end, told of once, and begun again when it is due', async () => {
    let begun = 0;
    const { pass, errors } = start({
      id: 'slow',
      every: 100,
      seconds: 50,
      run: ({ signal }) => {
        begun += 1;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    });
    await pass(160_000);
    expect(begun).toBe(1);
    expect(errors).toEqual(['mailer, job slow: Error: It has run for 50 seconds and was asked to end.']);
    await pass(100_000);
    expect(begun).toBe(2);
  });

  test('a run that never ends gives its lease back, and no second one is begun beside it', async () => {
    let begun = 0;
    const { pass, errors } = start({
      id: 'stuck',
      every: 100,
      seconds: 50,
      run: () => {
        begun += 1;
        return new Promise<never>(() => {});
      },
    });
    await pass(600_000);
    expect(begun).toBe(1);
    expect(errors).toEqual([
      'mailer, job stuck: Error: It has run for 50 seconds and was asked to end.',
      'mailer, job stuck: Error: It does not end. It is not begun again until it has ended or the server starts anew.',
    ]);
  });
});
