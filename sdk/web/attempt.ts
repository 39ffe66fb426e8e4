import { useContext, useState } from 'react';
import { ApiError } from './api.ts';
import type { Translate } from './context.ts';
import { OwnerContext } from './contribution.tsx';
import { useHost } from './host.tsx';

/** The message for an error: the server's reason, in the person's language; for other errors only that there was one. @public */
export function messageOfError(error: unknown, t: Translate): string {
  return error instanceof ApiError ? error.message : t('Some internal error occurred');
}

/** One of several things that a call did not do, from its answer. @public */
export interface Refusal {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The message for a refusal within an answer, in the person's language. @public */
export function messageOfRefusal({ msg, code, params = {} }: Refusal, t: Translate): string {
  const key = `error.${code ?? ''}`;
  const text = t(key, params as Readonly<Record<string, string>>);
  return text === key ? msg : text;
}

/** Work that a person waits for. @public */
export interface Attempt {
  readonly isBusy: boolean;
  /** The last error; removed when the next attempt begins. */
  readonly problem: string | undefined;
  setProblem(this: void, problem: string | undefined): void;
  /** Runs the work; resolves to whether it succeeded. Errors other than refusals of the server are reported with the plugin. */
  attempt(this: void, work: () => Promise<unknown>): Promise<boolean>;
}

/** The state of the work that a form started. @public */
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
