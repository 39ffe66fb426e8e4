import { messageOfRefusal, useHost } from '@trellis/sdk/web';
import { useEffect, useRef, useState } from 'react';
import type { TestAnswer } from './database-requests.ts';

/** Where a test is sent, and with what. */
export interface TestRequest {
  readonly path: string;
  readonly body: object;
}

/** How the last test of a connection went, and the way to another one. */
export interface ConnectionTest {
  readonly isBusy: boolean;
  readonly isGood: boolean;
  /** Why the last test failed. */
  readonly problem: string | undefined;
  /** Rejects where the server does not even try: the settings are wrong. */
  run(this: void, request: TestRequest): Promise<void>;
  /** Ends the test that runs. */
  cancel(this: void): void;
  /** Forgets how the last one ended: what was tested has changed. */
  reset(this: void): void;
}

/** Tries a connection, as long as the form is open and nobody cancels. */
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
