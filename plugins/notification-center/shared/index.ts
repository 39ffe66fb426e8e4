/** When a person gets a mail of something: never, at once, or with everything else of the day. */
export const mailTimes = ['off', 'now', 'daily'] as const;
export type MailTime = (typeof mailTimes)[number];

/** What a person wants of one kind of notice. */
export interface NoticeWish {
  /** Whether it is shown under the bell. */
  readonly page: boolean;
  readonly mail: MailTime;
}

/** A kind of notice: what people want of it unless they say otherwise, and what they must be allowed to see for it to be shown. */
export interface NoticeKind extends NoticeWish {
  readonly id: string;
  readonly label: string;
  /** A permission of the project. */
  readonly permission?: string;
  /** The type of the tab that it leads to. */
  readonly tab?: string;
}

/** Kinds of notices; those of other plugins are `other`. */
export const noticeKinds: readonly NoticeKind[] = [
  { id: 'mention', label: 'Somebody mentions me in a comment', page: true, mail: 'off' },
  {
    id: 'schedule-failed',
    label: 'A schedule of mine fails or stands still',
    page: true,
    mail: 'now',
    permission: 'scheduleList',
    tab: 'schedules',
  },
  {
    id: 'automation-failed',
    label: 'A run of an automation of mine fails',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
  },
  {
    id: 'automation-paused',
    label: 'An automation of mine is paused',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
  },
  {
    id: 'webhook-paused',
    label: 'A webhook of mine is paused',
    page: true,
    mail: 'now',
    permission: 'hookList',
  },
  { id: 'other', label: 'Other news', page: true, mail: 'off' },
];

/** The kind of a notice as people choose it. */
export function kindOf(id: string): NoticeKind {
  const found = noticeKinds.find((kind) => kind.id === id) ?? noticeKinds.at(-1);
  if (found === undefined) throw new Error('There are no kinds of notices');
  return found;
}

/** A notice as it travels. */
export interface NoticeEntity {
  readonly id: string;
  readonly kind: string;
  /** Empty where nobody caused it. */
  readonly actor: string;
  readonly project: { readonly id: string; readonly title: string };
  /** Null where it is about no row. */
  readonly table: { readonly id: string; readonly title: string } | null;
  readonly row_id: string;
  /** What it is about where it is about no row. */
  readonly title: string | null;
  /** Why, with what lets the page say it in the reader's language. */
  readonly reason: {
    readonly msg: string;
    readonly code?: string | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  } | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly is_read: boolean;
}

export interface NoticeList {
  /** The newest first. */
  readonly list: readonly NoticeEntity[];
  readonly unread: number;
}

/** What a person wants of each kind, as it travels. */
export interface NoticeWishes {
  readonly list: readonly (NoticeWish & { readonly kind: string })[];
  /** Whether this server sends mail. */
  readonly can_mail: boolean;
}

/** The kind of live event that says that somebody in the project was told something. */
export const noticesObjectKind = 'notices';
