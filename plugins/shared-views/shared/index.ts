import type { ViewEntity } from '@trellis/sdk/shared';

/** The kind of the live event for created, changed or deleted links to views. */
export const linksObjectKind = 'shared-views';

/** Further rights of a link's visitors; absent means allowed. */
export interface LinkAllows {
  readonly allowCSVDownload?: boolean;
  readonly allowSearch?: boolean;
  /** Only enforced by the page: visible values can be copied by hand. */
  readonly allowCopy?: boolean;
  readonly look?: LinkLook;
  /** The sites that may show the view in a frame: origins, or `*` for any; absent for none. Visitors do not learn them. */
  readonly embedSites?: readonly string[];
}

/** The mark with the view's id in the changes of a row that was sent by a link (`Change.marks`). */
export const submitMark = 'shared-views.submit';

/** The look of a link's page; defaults if absent. */
export interface LinkLook {
  /** Replaces the view's title over the view. */
  readonly title?: string;
  /** `#rrggbb`. */
  readonly accent?: string;
  /** Light or dark, regardless of the visitor's system. */
  readonly mode?: 'light' | 'dark';
}

const longestTitle = 200;
const modes: readonly unknown[] = ['light', 'dark'];

/** A valid stored or sent look; otherwise undefined. */
export function readLook(kept: unknown): LinkLook | undefined {
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined;
  const { title, accent, mode } = kept as Readonly<Record<string, unknown>>;
  const isLook =
    (title === undefined || (typeof title === 'string' && title.length <= longestTitle)) &&
    (accent === undefined || (typeof accent === 'string' && /^#[0-9a-f]{6}$/i.test(accent))) &&
    (mode === undefined || modes.includes(mode));
  return isLook ? ({ title, accent, mode } as LinkLook) : undefined;
}

/** Days whose visits are listed individually. */
export const shownDays = 30;

/** How often the page of a link was opened; nothing is known about the visitors. */
export interface LinkVisits {
  readonly total: number;
  /** For each of the last `shownDays` days in UTC, ending with today. */
  readonly days: readonly number[];
  /** UTC, ISO 8601; null if nobody has visited yet. */
  readonly last_at: string | null;
}

/** A view with its link, for people who may share it. */
export interface SharedViewEntity extends Omit<ViewEntity, 'meta' | 'password' | 'uuid'> {
  readonly uuid: string;
  /** The title of its table. */
  readonly _ptn: string;
  /** A mask if the link has a password. */
  readonly password: string | null;
  /** UTC, ISO 8601; null for a link that does not expire. */
  readonly expires_at: string | null;
  readonly meta: LinkAllows & Readonly<Record<string, unknown>>;
  readonly visits: LinkVisits;
}
