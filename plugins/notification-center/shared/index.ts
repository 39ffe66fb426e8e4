/** When a person gets a mail of something: never, at once, or with everything else of the day. */
export const mailTimes = ['off', 'now', 'daily'] as const;
export type MailTime = (typeof mailTimes)[number];

/** What a person wants of one kind of notice. */
export interface NoticeWish {
  /** Whether it is shown under the bell. */
  readonly page: boolean;
  readonly mail: MailTime;
}

/** The kind of what nobody registers: news of plugins that are off. */
export const otherNotices = {
  id: 'other',
  label: 'Other news',
  text: 'There is news for you',
  page: true,
  mail: 'off',
} as const;

/** A notice as it travels. */
export interface NoticeEntity {
  readonly id: string;
  readonly kind: string;
  /** What is told, in English, with `{{person}}` for the actor. */
  readonly text: string;
  /** The type of the tab of the project that it leads to, where it is about no row; empty where there is none. */
  readonly tab: string;
  /** The pane of its row that it leads to; empty where there is none. */
  readonly pane: string;
  /** Empty where nobody caused it. */
  readonly actor: string;
  readonly project: { readonly id: string; readonly title: string };
  /** Null where it is about no table. */
  readonly table: { readonly id: string; readonly title: string } | null;
  /** Empty where it is about no row. */
  readonly row_id: string;
  /** What of its table it leads to where it is about no row: a parameter of the address, and its value. */
  readonly opens: { readonly param: string; readonly value: string } | null;
  /** What the row is called; null where that is not known. */
  readonly row_title: string | null;
  /** Words of what it is about, such as those of a comment. */
  readonly says: string | null;
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

/** How much of what a person is shown they have not read. */
export interface UnreadNotices {
  readonly unread: number;
}

export interface NoticeList extends UnreadNotices {
  /** The newest first. */
  readonly list: readonly NoticeEntity[];
}

/** What a person wants of one kind, as it travels. */
export interface NoticeKindWish extends NoticeWish {
  readonly kind: string;
  /** What the kind is, in English. */
  readonly label: string;
  /** Whether mails can be had of it. */
  readonly has_mail: boolean;
}

/** What a person wants of each kind, as it travels. */
export interface NoticeWishes {
  readonly list: readonly NoticeKindWish[];
  /** Whether this server sends mail. */
  readonly can_mail: boolean;
  /** What is not set up, without which this server sends none: something that sends mail, or the address of this site. */
  readonly mail_lacks: 'sender' | 'address' | null;
}

/** The kind of live event that says that somebody in the project was told something. */
export const noticesObjectKind = 'notices';
