import type { CellValue, ProjectEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';
import { useEffect, useMemo, useState } from 'react';
import { answerProblems, type AnswerProblem } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';
import { draftPlace, forgetOldDrafts, keepDraft, readDraft, type Draft, type Values } from './kept-drafts.ts';
import { usePrefilled, type Prefilled } from './use-prefilled.ts';

/** Milliseconds before its end at which an answer counts as outdated, because it would expire while it is sent. */
const spareMs = 60 * 1000;

/** The answers so far, by column id. */
export interface Answers {
  readonly values: Values;
  readonly asked: ReadonlySet<string>;
  readonly problems: readonly AnswerProblem[];
  readonly prefilled: Pick<Prefilled, 'problems' | 'isReading'>;
  /** Questions whose answers were removed, because the server no longer keeps what they refer to, such as a file. */
  readonly outdated: ReadonlySet<string>;
  /** Texts of left fields that cannot be parsed, by column. */
  readonly unread: Readonly<Record<string, string | undefined>>;
  set(this: void, columnId: string, value: CellValue): void;
  /** Keeps such a text of a question; undefined removes it. */
  keepUnread(this: void, columnId: string, text: string | undefined): void;
  /** Removes the answers that the server would refuse by now; returns their questions. */
  dropOutdated(this: void): readonly PageField[];
  /** Starts again with the address's values. */
  clear(this: void): void;
}

/**
 * Keeps the answers while the form is filled in. They survive a reload: members' for a week, strangers' until the tab is closed.
 *
 * @param of.draft their name in this browser; undefined stores nothing
 * @param of.project undefined if a stranger answers
 */
export function useAnswers(
  fields: readonly PageField[],
  of: { readonly draft: string | undefined; readonly project: ProjectEntity | undefined },
): Answers {
  const by = of.project === undefined ? 'stranger' : 'member';
  const draft = draftPlace(of.draft, by);
  const operators = useRegistry('filterOperators');
  const prefilled = usePrefilled(fields, of);
  const outdatedIn = ({ values, since }: Draft): readonly PageField[] =>
    fields.filter(({ columnId, type }) => {
      const keptMs = type.keptUnsaved?.[by];
      if (keptMs === undefined || (values[columnId] ?? null) === null) return false;
      return (since[columnId] ?? 0) < Date.now() - keptMs + spareMs;
    });
  const [{ typed, outdated }, setState] = useState(() => {
    const kept = readDraft(draft);
    const gone = outdatedIn(kept);
    return { typed: without(kept, gone), outdated: idsOf(gone) };
  });
  useEffect(forgetOldDrafts, []);
  const values = useMemo(() => ({ ...prefilled.values, ...typed.values }), [prefilled.values, typed]);
  const { asked, problems } = useMemo(
    () => answerProblems(fields, operators, ({ columnId }) => values[columnId] ?? null),
    [fields, operators, values],
  );
  // A text that cannot be parsed is dropped with its question.
  const unasked = fields.filter(
    ({ columnId }) => typed.unread?.[columnId] !== undefined && !asked.has(columnId),
  );
  if (unasked.length > 0) {
    const unread = {
      ...typed.unread,
      ...Object.fromEntries(unasked.map(({ columnId }) => [columnId, undefined])),
    };
    setState({ typed: { ...typed, unread }, outdated });
  }
  return {
    values,
    asked,
    problems,
    prefilled,
    outdated,
    unread: typed.unread ?? {},
    keepUnread: (columnId, text) =>
      setState((before) => {
        if (before.typed.unread?.[columnId] === text) return before;
        const next = { ...before.typed, unread: { ...before.typed.unread, [columnId]: text } };
        keepDraft(draft, next);
        return { ...before, typed: next };
      }),
    set: (columnId, value) =>
      setState((before) => {
        const next = withAnswer(before.typed, columnId, value);
        keepDraft(draft, next);
        return { typed: next, outdated: new Set([...before.outdated].filter((id) => id !== columnId)) };
      }),
    dropOutdated() {
      const gone = outdatedIn(typed);
      if (gone.length > 0) setState({ typed: without(typed, gone), outdated: idsOf(gone) });
      return gone;
    },
    clear() {
      keepDraft(draft, undefined);
      setState({ typed: { values: {}, since: {} }, outdated: new Set() });
    },
  };
}

const idsOf = (fields: readonly PageField[]): ReadonlySet<string> =>
  new Set(fields.map(({ columnId }) => columnId));

/** The draft with an answer. A growing answer, such as a list of files, is as old as its first part. */
function withAnswer({ values, since, ...others }: Draft, columnId: string, value: CellValue): Draft {
  const isNew = (values[columnId] ?? null) === null;
  return {
    ...others,
    values: { ...values, [columnId]: value },
    since: isNew ? { ...since, [columnId]: Date.now() } : since,
  };
}

function without({ values, ...others }: Draft, gone: readonly PageField[]): Draft {
  const ids = idsOf(gone);
  return { values: Object.fromEntries(Object.entries(values).filter(([id]) => !ids.has(id))), ...others };
}
