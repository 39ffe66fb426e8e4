import { expect, test } from '@jest/globals';
import { errorOrigin, ManualClock, TimeLimitError, TrellisError } from '@trellis/core';
import { createLogger } from '../runtime/logging/logger.ts';
import type { OwnedWork } from '../runtime/owned-work.ts';
import { AdapterCalls } from './adapter-calls.ts';

interface Report {
  readonly owner: string;
  readonly where: string;
  readonly error: unknown;
}

/** Calls of an adapter of the plugin `acme-post`, on a clock that the test turns. */
function createCalls() {
  const clock = new ManualClock();
  const reports: Report[] = [];
  const work: Pick<OwnedWork, 'run' | 'report'> = {
    run: (_owner, signal, run) => run({ signal, logger: createLogger({ level: 'silent' }) }),
    report: (owner, where, error) => void reports.push({ owner, where, error }),
  };
  const calls = new AdapterCalls({ work: () => work, nameOf: () => 'Acme post', clock });
  const call = <T>(run: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) =>
    calls.call({ owner: 'acme-post', what: 'send mail', limit: 30_000, run, ...(signal && { signal }) });
  return { clock, reports, call };
}

test('an adapter that never answers is given up by its name, told to end, and shown with its plugin', async () => {
  const { clock, reports, call } = createCalls();
  let given: AbortSignal | undefined;
  const hangs = (signal: AbortSignal) => {
    given = signal;
    return new Promise<never>(() => undefined);
  };
  const refused = call(hangs).catch((error: unknown) => error);
  clock.advance(29_999);
  expect([reports, given?.aborted]).toEqual([[], false]);
  clock.advance(1);
  const error = await refused;
  expect(error).toBeInstanceOf(TrellisError);
  expect(error).toMatchObject({
    code: 'ADAPTER_TIMEOUT',
    status: 504,
    message: "The plugin 'Acme post' did not send mail within 30 seconds.",
    params: { plugin: 'Acme post', seconds: 30 },
  });
  expect(errorOrigin(error)).toMatchObject({ owner: 'acme-post' });
  expect(given?.aborted).toBe(true);
  expect(reports).toEqual([{ owner: 'acme-post', where: 'send mail', error: expect.any(TimeLimitError) }]);
});

test('an adapter that answers in time leaves nothing behind, and what it gave may go on', async () => {
  const { clock, reports, call } = createCalls();
  let given: AbortSignal | undefined;
  expect(
    await call((signal) => {
      given = signal;
      return Promise.resolve('sent');
    }),
  ).toBe('sent');
  expect([clock.waiting, given?.aborted, reports]).toEqual([0, false, []]);
});

test('a refusal of an adapter is its answer, and no error of its plugin; a defect is', async () => {
  const { reports, call } = createCalls();
  const refusal = new TrellisError('BOX_FULL', 'The box is full.', { status: 409 });
  await expect(call(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(reports).toEqual([]);
  const defect = new TypeError('no stamp');
  await expect(call(() => Promise.reject(defect))).rejects.toMatchObject({
    code: 'ADAPTER_FAILED',
    status: 502,
    cause: defect,
  });
  expect(reports).toMatchObject([{ owner: 'acme-post', error: defect }]);
});

test('whoever ends a call themselves is told of that, and the plugin is not blamed', async () => {
  const { reports, call } = createCalls();
  const ending = new AbortController();
  const reason = new Error('The person has left.');
  const ended = call(
    (signal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    ending.signal,
  );
  ending.abort(reason);
  await expect(ended).rejects.toBe(reason);
  expect(reports).toEqual([]);
});
