import { useContext, useState } from 'react';
import { ApiError } from './api.ts';
import type { Translate } from './context.ts';
import { OwnerContext } from './contribution.tsx';
import { useHost } from './host.tsx';

/** What a person is told of an error: the server's reason, in their language; of anything else only that it happened. @public */
export function messageOfError(error: unknown, t: Translate): string {
  return error instanceof ApiError ? error.message : t('Some internal error occurred');
}

/** One of several things that a call did not do, as its answer tells. @public */
export interface Refusal {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What a person is told of a refusal within an answer, in their language. @public */
export function messageOfRefusal({ msg, code, params = {} }: Refusal, t: Translate): string {
  const key = `error.${code ?? ''}`;
  const text = t(key, params as Readonly<Record<string, string>>);
  return text === key ? msg : text;
}

/** Work that a person waits for. @public */
export interface Attempt {
  readonly isBusy: boolean;
  /** What went wrong last; gone when the next attempt begins. */
  readonly problem: string | undefined;
  setProblem(this: void, problem: string | undefined): void;
  /** Does the work; resolves to whether it went well. What is no refusal of the server is reported with the plugin. */
  attempt(this: void, work: () => Promise<unknown>): Promise<boolean>;
}

/** Keeps what a form must say of the work that it began. @public */
export function useAttempt(): Attempt {
  const { sharedT: t, reportError } = useHost();
  const owner = useContext(OwnerContext);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) reportError(owner, 'attempt', error);
      setProblem(messageOfError(error, t));
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, problem, setProblem, attempt };
}
