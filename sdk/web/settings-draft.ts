import { useState } from 'react';
import { useAttempt } from './attempt.ts';
import { problemsAfter, problemsOf, type FormProblems } from './form-problems.ts';

type Values = Readonly<Record<string, unknown>>;

/** Settings or options that a person is editing. @public */
export interface SettingsDraft {
  readonly values: Values;
  /** The server's problems, at fields that have not changed since. */
  readonly problems: FormProblems;
  /** Any other error. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  change(this: void, next: Values): void;
  /** Sends them; resolves to whether they were accepted. If not, the input is kept. */
  send(this: void, work: (values: Values) => Promise<unknown>): Promise<boolean>;
}

/**
 * The state of a form for a schema until it is sent.
 *
 * @param saved the initial values. Changes that others save meanwhile do not affect the input.
 * @public
 */
export function useSettingsDraft(saved: Values): SettingsDraft {
  const [values, setValues] = useState(saved);
  const [problems, setProblems] = useState<FormProblems>({});
  const { isBusy, problem, setProblem, attempt } = useAttempt();

  function change(next: Values): void {
    setProblems((before) => problemsAfter(before, values, next));
    setProblem(undefined);
    setValues(next);
  }

  async function send(work: (values: Values) => Promise<unknown>): Promise<boolean> {
    let isRefused = false;
    setProblems({});
    const isDone = await attempt(async () => {
      try {
        await work(values);
      } catch (error) {
        const found = problemsOf(error);
        if (Object.keys(found).length === 0) throw error;
        setProblems(found);
        isRefused = true;
      }
    });
    return isDone && !isRefused;
  }
  return { values, problems, problem, isBusy, change, send };
}
