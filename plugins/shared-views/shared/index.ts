import type { ViewEntity } from '@trellis/sdk/shared';

/** The kind of the live event that tells that links to views came, changed or went. */
export const linksObjectKind = 'shared-views';

/** What visitors of a link may do beside looking; what it does not say they may. */
export interface LinkAllows {
  readonly allowCSVDownload?: boolean;
  readonly allowSearch?: boolean;
  /** A matter of the page: what somebody sees can be written down. */
  readonly allowCopy?: boolean;
  readonly look?: LinkLook;
  /** The sites that may show the view inside theirs: origins, or `*` for any; none where left out. Visitors are not told of them. */
  readonly embedSites?: readonly string[];
}

/** Under it the changes of a row that was sent by a link keep the id of the view (`Change.marks`). */
export const submitMark = 'shared-views.submit';

/** How the page of a link looks; as usual where left out. */
export interface LinkLook {
  /** Stands over the view in place of its title. */
  readonly title?: string;
  /** `#rrggbb`. */
  readonly accent?: string;
  /** Light or dark, whatever the visitor's system says. */
  readonly mode?: 'light' | 'dark';
}

const longestTitle = 200;
const modes: readonly unknown[] = ['light', 'dark'];

/** A look as it was kept or sent; undefined for what is none. */
export function readLook(kept: unknown): LinkLook | undefined {
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined;
  const { title, accent, mode } = kept as Readonly<Record<string, unknown>>;
  const isLook =
    (title === undefined || (typeof title === 'string' && title.length <= longestTitle)) &&
    (accent === undefined || (typeof accent === 'string' && /^#[0-9a-f]{6}$/i.test(accent))) &&
    (mode === undefined || modes.includes(mode));
  return isLook ? ({ title, accent, mode } as LinkLook) : undefined;
}

/** Days of which the numbers of visits are told one by one. */
export const shownDays = 30;

/** How often the page of a link was opened; nothing is known of who came. */
export interface LinkVisits {
  readonly total: number;
  /** Of each of the last `shownDays` days of UTC, today the last. */
  readonly days: readonly number[];
  /** UTC, ISO 8601; null where nobody came yet. */
  readonly last_at: string | null;
}

/** A view with its link, as the calls of whoever may share it answer it. */
export interface SharedViewEntity extends Omit<ViewEntity, 'meta' | 'password' | 'uuid'> {
  readonly uuid: string;
  /** The title of its table. */
  readonly _ptn: string;
  /** A mask where the link has a password. */
  readonly password: string | null;
  /** UTC, ISO 8601; null for a link that stays. */
  readonly expires_at: string | null;
  readonly meta: LinkAllows & Readonly<Record<string, unknown>>;
  readonly visits: LinkVisits;
}
