import type { CellValue } from '@trellis/sdk/shared';

/** Answers by the ids of columns. */
export type Values = Readonly<Record<string, CellValue>>;

/** Answers that are not sent yet. */
export interface Draft {
  readonly values: Values;
  /** Since when each answer is there, in milliseconds since 1970. */
  readonly since: Readonly<Record<string, number>>;
}

/** A draft as the browser keeps it. */
interface KeptDraft extends Draft {
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
}

/** Characters of a draft: what browsers keep of a page is not much. */
const largest = 200_000;
/** Milliseconds for which a draft is kept: a week. Others use the same browser, and a stranger never comes to tidy up. */
const lifetime = 7 * 24 * 3600 * 1000;
/** Drafts that a browser keeps at the most; the oldest go first. */
const most = 20;
/** What the names of drafts begin with. */
const prefix = 'form:';

/** @param form names the form, and who fills it in; undefined keeps nothing */
export const draftKey = (form: string | undefined) => (form === undefined ? undefined : prefix + form);

export function readDraft(key: string | undefined): Draft {
  return (key === undefined ? undefined : within(() => read(key))) ?? { values: {}, since: {} };
}

/** @param draft undefined forgets it */
export function keepDraft(key: string | undefined, draft: Draft | undefined): void {
  if (key === undefined) return;
  within(() => {
    const text = JSON.stringify({ at: Date.now(), ...draft });
    if (draft === undefined || text.length > largest) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  });
}

/** Forgets the drafts of all forms that are too old or too many. */
export function forgetOldDrafts(): void {
  within(() => {
    const names = Object.keys(window.localStorage).filter((name) => name.startsWith(prefix));
    const newest = names
      .map((name) => ({ name, at: read(name)?.at ?? 0 }))
      .toSorted((left, right) => right.at - left.at);
    for (const [place, { name, at }] of newest.entries())
      if (at === 0 || place >= most) window.localStorage.removeItem(name);
  });
}

/** Undefined where nothing is kept, or what is kept is too old or no draft. */
function read(key: string): KeptDraft | undefined {
  const { at, values, since } = Object(parsed(window.localStorage.getItem(key))) as Partial<KeptDraft>;
  const isKept = typeof at === 'number' && at > Date.now() - lifetime;
  return isKept && typeof values === 'object' ? { at, values, since: Object(since) } : undefined;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

/** A browser that keeps nothing throws: the answers are still on the page. */
function within<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
