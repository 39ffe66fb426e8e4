import { messageOfRefusal, useHost } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import type { TestAnswer } from './database-requests.ts';

/** The path and body of a test's request. */
export interface TestRequest {
  readonly path: string;
  readonly body: object;
}

/** The outcome of the last connection test, and how to run another one. */
export interface ConnectionTest {
  readonly isBusy: boolean;
  readonly isGood: boolean;
  /** Why the last test failed. */
  readonly problem: string | undefined;
  /** Rejects if the server does not even try, because the settings are invalid. */
  run(this: void, request: TestRequest): Promise<void>;
  /** Aborts the running test. */
  cancel(this: void): void;
  /** Discards the last outcome: the settings have changed. */
  reset(this: void): void;
}

/** Tests a connection while the form is open, unless it is cancelled. */
export function useConnectionTest(): ConnectionTest {
  const { api, t } = useHost();
  const [outcome, setOutcome] = useState<TestAnswer>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function run({ path, body }: TestRequest): Promise<void> {
    const ended = new AbortController();
    running.current = ended;
    setOutcome(undefined);
    setBusy(true);
    try {
      setOutcome(await api.request<TestAnswer>({ method: 'POST', path, body, signal: ended.signal }));
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    isGood: outcome?.code === 0,
    problem:
      outcome === undefined || outcome.code === 0
        ? undefined
        : messageOfRefusal({ msg: outcome.message, ...outcome.error }, t),
    run,
    reset: () => setOutcome(undefined),
    cancel: () => running.current?.abort(),
  };
}
