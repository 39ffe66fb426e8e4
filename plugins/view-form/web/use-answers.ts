import type { CellValue, ProjectEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';
import { useMemo, useState } from 'react';
import { answerProblems, type AnswerProblem } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';
import { usePrefilled, type Prefilled } from './use-prefilled.ts';

type Values = Readonly<Record<string, CellValue>>;

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

/** Bytes of a draft: what browsers keep of a page is not much. */
const largestDraft = 200_000;

function readDraft(key: string | undefined): Values {
  if (key === undefined) return {};
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Values) : {};
  } catch {
    return {}; // A browser that keeps nothing, or what it kept is no draft.
  }
}

function keepDraft(key: string | undefined, values: Values | undefined): void {
  if (key === undefined) return;
  try {
    const text = JSON.stringify(values ?? {});
    if (values === undefined || text.length > largestDraft) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  } catch {
    // The browser keeps nothing: the answers are still on the page.
  }
}

/**
 * Keeps the answers while the form is filled in. They survive a reload.
 *
 * @param of.draft names them in this browser; undefined keeps nothing
 * @param of.project undefined where a stranger answers
 */
export function useAnswers(
  fields: readonly PageField[],
  of: { readonly draft: string | undefined; readonly project: ProjectEntity | undefined },
): Answers {
  const { draft } = of;
  const operators = useRegistry('filterOperators');
  const prefilled = usePrefilled(fields, of);
  const [typed, setTyped] = useState<Values>(() => readDraft(draft));
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
