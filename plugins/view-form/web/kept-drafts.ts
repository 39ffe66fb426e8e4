import type { CellValue } from '@trellis/sdk/shared';
import type { Answerer } from './form-fields.ts';

/** Answers by the ids of columns. */
export type Values = Readonly<Record<string, CellValue>>;

/** Answers that are not sent yet. */
export interface Draft {
  readonly values: Values;
  /** Texts that cannot be read, by the ids of their columns. */
  readonly unread?: Readonly<Record<string, string | undefined>>;
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
/** Milliseconds for which a draft is kept: a week. */
const lifetime = 7 * 24 * 3600 * 1000;
/** Drafts that a browser keeps at the most; the oldest go first. */
const most = 20;
/** What the names of drafts begin with. */
const prefix = 'form:';

/** Where a draft is kept: that of a stranger for their tab alone, since others open the same link in the same browser. */
interface DraftPlace {
  readonly key: string;
  readonly by: Answerer;
}

/** @param form names the form, and the member who fills it in; undefined keeps nothing */
export const draftPlace = (form: string | undefined, by: Answerer): DraftPlace | undefined =>
  form === undefined ? undefined : { key: prefix + form, by };

const storageOf = ({ by }: DraftPlace): Storage =>
  by === 'stranger' ? window.sessionStorage : window.localStorage;

export function readDraft(place: DraftPlace | undefined): Draft {
  const kept = place && within(() => read(storageOf(place), place.key));
  return kept ?? { values: {}, since: {} };
}

/** @param draft undefined forgets it */
export function keepDraft(place: DraftPlace | undefined, draft: Draft | undefined): void {
  if (place === undefined) return;
  within(() => {
    const text = JSON.stringify({ at: Date.now(), ...draft });
    if (draft === undefined || text.length > largest) storageOf(place).removeItem(place.key);
    else storageOf(place).setItem(place.key, text);
  });
}

/** Forgets the drafts of all forms that are too old or too many; those of strangers go with their tabs. */
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

/** Undefined where nothing is kept, or what is kept is too old or no draft. */
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

/** A browser that keeps nothing throws: the answers are still on the page. */
function within<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
