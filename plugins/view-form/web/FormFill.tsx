import type { ProjectEntity, Row } from '@trellis/sdk/shared';
import { askBeforeLeaving, useAttempt, useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FormOptions } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';
import { FormField } from './FormField.tsx';
import { FormHead } from './FormHead.tsx';
import { FormSent } from './FormSent.tsx';
import { PrefillProblems } from './PrefillProblems.tsx';
import { problemText } from './problem-text.ts';
import { useAnswers } from './use-answers.ts';
import './form.css';

/** Values sent in addition to the row: fields that only a program fills in. */
export interface SentAside {
  readonly second_subject: string;
}

export interface FormFillProps {
  /** Undefined if a stranger fills in the form. */
  readonly project?: ProjectEntity;
  /** The form's id; undefined for strangers. */
  readonly viewId?: string;
  readonly title: string;
  readonly options: FormOptions;
  readonly fields: readonly PageField[];
  /** The draft's name in this browser. */
  readonly draft: string | undefined;
  /**
   * Adds the row, with values by title. Resolves to whether it was added; if not, the page asks for something first. Throws
   * `ApiError`.
   */
  onSend(this: void, row: Row, aside: SentAside): Promise<boolean>;
}

/** A form as people fill it in: its pages, and what follows them. */
export function FormFill(props: FormFillProps) {
  const { options, fields, draft, project } = props;
  const t = useT();
  const answers = useAnswers(fields, { draft, project });
  const { isBusy, problem, setProblem, attempt } = useAttempt();
  const [at, setAt] = useState(0);
  /** The last visited page. Visited pages stay mounted with their texts and running uploads. */
  const [furthest, setFurthest] = useState(0);
  const [isChecked, setIsChecked] = useState(false);
  const [typedIn, setTypedIn] = useState<ReadonlySet<string>>(new Set());
  const [unread, setUnread] = useState<Readonly<Record<string, string | undefined>>>({});
  const [isSent, setSent] = useState(false);
  const [isTyping, setTyping] = useState(false);
  // A field's text enters the draft when the field is left and the text can be parsed; leaving the place leaves the field.
  const isUnread = Object.values(unread).some((text) => text !== undefined);
  const held = isSent ? undefined : isUnread ? 'place' : isTyping ? 'page' : undefined;
  useEffect(() => (held === undefined ? undefined : askBeforeLeaving(undefined, held)), [held]);
  const [subject, setSubject] = useState('');
  const setChecked = (isNow: boolean): void => {
    setIsChecked(isNow);
    setTypedIn(new Set());
  };
  const form = useRef<HTMLFormElement>(null);
  const questions = useRef<HTMLDivElement>(null);

  const pages = pagesOf(fields.filter(({ columnId }) => answers.asked.has(columnId)));
  const page = Math.min(at, pages.length - 1);
  const onPage = pages[page] ?? [];
  const seen = pages.slice(0, Math.max(page, furthest) + 1).flat();
  const problemOf = (columnId: string) => answers.problems.find((of) => of.columnId === columnId);
  const wrongOn = (shown: readonly PageField[]) =>
    shown.find(({ columnId }) => problemOf(columnId) !== undefined || unread[columnId] !== undefined);

  const pageOf = (field: PageField) => pages.findIndex((shown) => shown.includes(field));
  function shownProblem(field: PageField): string | undefined {
    if (answers.outdated.has(field.columnId))
      return t('What was added here is not kept any more, because it was not sent in time. Add it again.');
    const found = problemOf(field.columnId);
    const isShown = isChecked && !typedIn.has(field.columnId) && onPage.includes(field);
    return isShown && found !== undefined ? problemText(found, field, t) : undefined;
  }

  function goTo(next: number): void {
    flushSync(() => {
      setAt(next);
      setFurthest((before) => Math.max(before, next));
      setChecked(false);
    });
    // The focus goes to the first question, not behind the last one.
    questions.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'start' });
  }

  /** Shows a page's problems, and focuses the first field that has one. */
  function showWrong(wrong: PageField, on: number): void {
    flushSync(() => {
      setAt(on);
      setChecked(true);
    });
    const drawn = form.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
    const field = [...drawn].find(({ dataset }) => dataset['column'] === wrong.columnId);
    field?.querySelector<HTMLElement>('input, textarea, select, button, [tabindex]')?.focus();
  }

  async function submit(): Promise<void> {
    if (isBusy) return;
    setProblem(undefined);
    if (answers.prefilled.isReading)
      return setProblem(t('What the link fills in is still looked up. Try again in a moment.'));
    const outdated = answers.dropOutdated().find((field) => pageOf(field) >= 0);
    if (outdated !== undefined) return showWrong(outdated, pageOf(outdated));
    const wrong = wrongOn(onPage);
    if (wrong !== undefined) return showWrong(wrong, page);
    if (page < pages.length - 1) return goTo(page + 1);
    // A hidden field can be wrong only by the address, and a field of an earlier page by later answers.
    const hiddenWrong = wrongOn(fields.filter(({ columnId }) => answers.asked.has(columnId)));
    if (hiddenWrong !== undefined) {
      const earlier = pageOf(hiddenWrong);
      if (earlier >= 0) return showWrong(hiddenWrong, earlier);
    }
    const row = Object.fromEntries(
      fields
        .filter(({ columnId }) => answers.asked.has(columnId))
        .map(({ column, columnId }) => [column.title, answers.values[columnId] ?? null] as const)
        .filter(([, value]) => value !== null),
    );
    if (fields.length > 0 && Object.keys(row).length === 0)
      return setProblem(t('Fill in at least one field.'));
    const focused = document.activeElement;
    let isAdded = false;
    await attempt(async () => {
      isAdded = await props.onSend(row, { second_subject: subject });
    });
    if (!isAdded) return giveBack(focused);
    answers.clear();
    setSent(true);
  }

  function again(): void {
    setSent(false);
    setTyping(false);
    setChecked(false);
    setUnread({});
    setAt(0);
    setFurthest(0);
  }

  return (
    <div className="form-sheet">
      <FormHead title={props.title} options={options} viewId={props.viewId} />
      {isSent ? (
        <FormSent options={options} onAgain={again} />
      ) : (
        <form
          ref={form}
          noValidate
          aria-busy={isBusy}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <PrefillProblems problems={answers.prefilled.problems} />
          {/* While it is sent, the form accepts no input: that would be cleared too. */}
          <div
            ref={questions}
            className="form-questions"
            tabIndex={-1}
            inert={isBusy}
            onInput={() => setTyping(true)}
            onBlur={() => setTyping(false)}
          >
            {seen.map((field) => (
              <div
                key={field.columnId}
                hidden={!onPage.includes(field)}
                // A problem disappears while its answer is typed. If it disappeared when the field is left, the page would move
                // under the press that leaves it.
                onInput={() => setTypedIn((before) => new Set(before).add(field.columnId))}
              >
                {field.options.section !== '' && <h2 className="form-section">{field.options.section}</h2>}
                <FormField
                  project={props.project}
                  field={field}
                  value={answers.values[field.columnId] ?? null}
                  problem={shownProblem(field)}
                  onChange={(value) => answers.set(field.columnId, value)}
                  unread={answers.unread[field.columnId]}
                  onUnread={(text) => answers.keepUnread(field.columnId, text)}
                  onProblem={(text) => setUnread((before) => ({ ...before, [field.columnId]: text }))}
                />
              </div>
            ))}
          </div>
          <label className="form-trap" aria-hidden="true">
            Subject
            {/* Browsers and password managers do not fill in this field automatically. */}
            <input
              tabIndex={-1}
              autoComplete="off"
              data-1p-ignore
              data-bwignore
              data-lpignore="true"
              data-form-type="other"
              name="second_subject"
              value={subject}
              onChange={(event) => setSubject(event.target.value)}
            />
          </label>
          {problem !== undefined && <Notice severity="error">{problem}</Notice>}
          <div className="form-actions">
            {page > 0 && (
              <button type="button" className="tr-button" onClick={() => goTo(page - 1)}>
                {t('Back')}
              </button>
            )}
            <button type="submit" className="tr-button tr-button--primary" aria-disabled={isBusy}>
              {isBusy && <i className="pi pi-spin pi-spinner" aria-hidden="true" />}
              {page < pages.length - 1 ? t('Next') : options.submitLabel || t('Submit')}
            </button>
            {pages.length > 1 && (
              <span className="tr-note" role="status">
                {t('Page {{page}} of {{pages}}', { page: page + 1, pages: pages.length })}
              </span>
            )}
          </div>
        </form>
      )}
    </div>
  );
}

/** Restores the focus to a field that was disabled during the sending. */
function giveBack(focused: Element | null): void {
  requestAnimationFrame(() => {
    if (focused instanceof HTMLElement && document.activeElement === document.body) focused.focus();
  });
}

/** The visible fields, page by page. */
function pagesOf(fields: readonly PageField[]): readonly (readonly PageField[])[] {
  const pages: PageField[][] = [[]];
  for (const field of fields) {
    if (field.options.hidden) continue;
    if (field.options.startsPage && pages.at(-1)?.length !== 0) pages.push([]);
    pages.at(-1)?.push(field);
  }
  return pages;
}
