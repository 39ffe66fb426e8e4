import type { CellValue } from '@trellis/sdk/shared';
import type { Answerer } from './form-fields.ts';

/** Answers by the ids of columns. */
export type Values = Readonly<Record<string, CellValue>>;

/** Answers that have not been sent yet. */
export interface Draft {
  readonly values: Values;
  /** Texts that cannot be parsed, by column id. */
  readonly unread?: Readonly<Record<string, string | undefined>>;
  /** When each answer was first given, in milliseconds since 1970. */
  readonly since: Readonly<Record<string, number>>;
}

/** A draft in the browser's storage. */
interface KeptDraft extends Draft {
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
}

/** Maximum characters of a draft: browsers store little for a page. */
const largest = 200_000;
/** Milliseconds for which a draft is kept: one week. */
const lifetime = 7 * 24 * 3600 * 1000;
/** Maximum number of drafts in a browser; the oldest are removed first. */
const most = 20;
/** The prefix of drafts' names. */
const prefix = 'form:';

/** Where a draft is stored: a stranger's only for their tab, because others open the same link in the same browser. */
interface DraftPlace {
  readonly key: string;
  readonly by: Answerer;
}

/** @param form identifies the form and the member; undefined stores nothing */
export const draftPlace = (form: string | undefined, by: Answerer): DraftPlace | undefined =>
  form === undefined ? undefined : { key: prefix + form, by };

const storageOf = ({ by }: DraftPlace): Storage =>
  by === 'stranger' ? window.sessionStorage : window.localStorage;

export function readDraft(place: DraftPlace | undefined): Draft {
  const kept = place && within(() => read(storageOf(place), place.key));
  return kept ?? { values: {}, since: {} };
}

/** @param draft undefined deletes it */
export function keepDraft(place: DraftPlace | undefined, draft: Draft | undefined): void {
  if (place === undefined) return;
  within(() => {
    const text = JSON.stringify({ at: Date.now(), ...draft });
    if (draft === undefined || text.length > largest) storageOf(place).removeItem(place.key);
    else storageOf(place).setItem(place.key, text);
  });
}

/** Deletes all forms' drafts that are too old or too many; those of strangers disappear with their tabs. */
export function forgetOldDrafts(): void {
  within(() => {
    const names = Object.keys(window.localStorage).filter((name) => name.startsWith(prefix));
    const newest = names
      .map((name) => ({ name, at: read(window.localStorage, name)?.at ?? 0 }))
      .toSorted((left, right) => right.at - left.at);
    for (const [place, { name, at }] of newest.entries())
      if (at === 0 || place >= most) window.localStorage.removeItem(name);
  });
}

/** Undefined if nothing is stored, or if it is too old or not a draft. */
function read(storage: Storage, key: string): KeptDraft | undefined {
  const { at, values, since, unread = {} } = Object(parsed(storage.getItem(key))) as Partial<KeptDraft>;
  const isKept = typeof at === 'number' && at > Date.now() - lifetime;
  return isKept && typeof values === 'object'
    ? { at, values, since: Object(since), unread: Object(unread) }
    : undefined;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

/** A browser without storage throws: the answers are then only on the page. */
function within<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
