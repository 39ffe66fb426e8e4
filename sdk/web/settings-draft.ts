import { useState } from 'react';
import { useAttempt } from './attempt.ts';
import { problemsAfter, problemsOf, type FormProblems } from './form-problems.ts';

type Values = Readonly<Record<string, unknown>>;

/** Settings or options on their way from a person to the server. @public */
export interface SettingsDraft {
  readonly values: Values;
  /** What the server found wrong, at the fields that have not changed since. */
  readonly problems: FormProblems;
  /** What went wrong besides. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  change(this: void, next: Values): void;
  /** Sends them; resolves to whether they were taken. Nothing typed is lost when they were not. */
  send(this: void, work: (values: Values) => Promise<unknown>): Promise<boolean>;
}

/**
 * Keeps what a form made of a schema edits until it is sent.
 *
 * @param saved what the form begins with. What others save meanwhile does not change what somebody is typing.
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
