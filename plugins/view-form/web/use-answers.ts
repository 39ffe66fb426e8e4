import type { CellValue, ProjectEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';
import { useEffect, useMemo, useState } from 'react';
import { answerProblems, type AnswerProblem } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';
import { draftKey, forgetOldDrafts, keepDraft, readDraft, type Values } from './kept-drafts.ts';
import { usePrefilled, type Prefilled } from './use-prefilled.ts';

/** What somebody has answered so far, by the ids of the columns. */
export interface Answers {
  readonly values: Values;
  readonly asked: ReadonlySet<string>;
  readonly problems: readonly AnswerProblem[];
  readonly prefilled: Pick<Prefilled, 'problems' | 'isReading'>;
  set(this: void, columnId: string, value: CellValue): void;
  /** Begins anew, with what the address says. */
  clear(this: void): void;
}

/**
 * Keeps the answers while the form is filled in. They survive a reload, and a week.
 *
 * @param of.draft names them in this browser; undefined keeps nothing
 * @param of.project undefined where a stranger answers
 */
export function useAnswers(
  fields: readonly PageField[],
  of: { readonly draft: string | undefined; readonly project: ProjectEntity | undefined },
): Answers {
  const draft = draftKey(of.draft);
  const operators = useRegistry('filterOperators');
  const prefilled = usePrefilled(fields, of);
  const [typed, setTyped] = useState<Values>(() => readDraft(draft));
  useEffect(forgetOldDrafts, []);
  const values = useMemo(() => ({ ...prefilled.values, ...typed }), [prefilled.values, typed]);
  const { asked, problems } = useMemo(
    () => answerProblems(fields, operators, ({ columnId }) => values[columnId] ?? null),
    [fields, operators, values],
  );
  return {
    values,
    asked,
    problems,
    prefilled,
    set: (columnId, value) =>
      setTyped((before) => {
        const next = { ...before, [columnId]: value };
        keepDraft(draft, next);
        return next;
      }),
    clear() {
      keepDraft(draft, undefined);
      setTyped({});
    },
  };
}
