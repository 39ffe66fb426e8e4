import type { CellValue } from '@trellis/sdk/shared';
import { readCell, useRegistry, useT } from '@trellis/sdk/web';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { answerProblems, type AnswerProblem } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';

type Values = Readonly<Record<string, CellValue>>;

/** What somebody has answered so far, by the ids of the columns. */
export interface Answers {
  readonly values: Values;
  readonly asked: ReadonlySet<string>;
  readonly problems: readonly AnswerProblem[];
  set(this: void, columnId: string, value: CellValue): void;
  /** Begins anew, with what the address says. */
  clear(this: void): void;
}

/** Bytes of a draft: what browsers keep of a page is not much. */
const largestDraft = 200_000;

/** What the address fills in: `?prefill_Title=` by the titles of columns or the labels of fields. */
function usePrefilled(fields: readonly PageField[]): Values {
  const { search } = useLocation();
  const t = useT();
  return useMemo(() => {
    const asked = new URLSearchParams(search);
    const entries = fields.flatMap(({ columnId, column, type, label }) => {
      const text = asked.get(`prefill_${column.title}`) ?? asked.get(`prefill_${label}`);
      const read = text === null ? undefined : readCell(text, column, type, t);
      return read?.ok === true ? [[columnId, read.value] as const] : [];
    });
    return Object.fromEntries(entries);
  }, [search, fields, t]);
}

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
 * @param draft names them in this browser; undefined keeps nothing
 */
export function useAnswers(fields: readonly PageField[], draft: string | undefined): Answers {
  const operators = useRegistry('filterOperators');
  const prefilled = usePrefilled(fields);
  const [typed, setTyped] = useState<Values>(() => readDraft(draft));
  const values = useMemo(() => ({ ...prefilled, ...typed }), [prefilled, typed]);
  const { asked, problems } = useMemo(
    () => answerProblems(fields, operators, ({ columnId }) => values[columnId] ?? null),
    [fields, operators, values],
  );
  return {
    values,
    asked,
    problems,
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
