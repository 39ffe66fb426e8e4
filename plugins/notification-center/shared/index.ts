/** When a person gets a mail: never, at once, or in the daily mail. */
export const mailTimes = ['off', 'now', 'daily'] as const;
export type MailTime = (typeof mailTimes)[number];

/** A person's settings for one kind of notice. */
export interface NoticeWish {
  /** Whether it is listed under the bell. */
  readonly page: boolean;
  readonly mail: MailTime;
}

/** The kind for notices of unregistered kinds, whose plugins are off. */
export const otherNotices = {
  id: 'other',
  label: 'Other news',
  text: 'There is news for you',
  page: true,
  mail: 'off',
} as const;

/** A notice in answers. */
export interface NoticeEntity {
  readonly id: string;
  readonly kind: string;
  /** The text in English, with `{{person}}` for the actor. */
  readonly text: string;
  /** The type of the project's tab that it opens if it is about no row; empty if there is none. */
  readonly tab: string;
  /** The pane of its row that it opens; empty if there is none. */
  readonly pane: string;
  /** Empty if nobody caused it. */
  readonly actor: string;
  readonly project: { readonly id: string; readonly title: string };
  /** Null if it is about no table. */
  readonly table: { readonly id: string; readonly title: string } | null;
  /** Empty if it is about no row. */
  readonly row_id: string;
  /** What it opens in its table if it is about no row: a parameter of the address, and its value. */
  readonly opens: { readonly param: string; readonly value: string } | null;
  /** The row's title; null if unknown. */
  readonly row_title: string | null;
  /** Words of its subject, such as those of a comment. */
  readonly says: string | null;
  /** The subject's title, if it is about no row. */
  readonly title: string | null;
  /** The reason, with the code and values that let the page say it in the reader's language. */
  readonly reason: {
    readonly msg: string;
    readonly code?: string | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  } | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly is_read: boolean;
}

/** The number of unread notices among those that a person is shown. */
export interface UnreadNotices {
  readonly unread: number;
}

export interface NoticeList extends UnreadNotices {
  /** The newest first. */
  readonly list: readonly NoticeEntity[];
}

/** A person's settings for one kind, in answers. */
export interface NoticeKindWish extends NoticeWish {
  readonly kind: string;
  /** The name of the kind, in English. */
  readonly label: string;
  /** Whether it can be mailed. */
  readonly has_mail: boolean;
}

/** A person's settings for each kind, in answers. */
export interface NoticeWishes {
  readonly list: readonly NoticeKindWish[];
  /** Whether this server sends mail. */
  readonly can_mail: boolean;
  /** What is not set up and prevents mails: a sender, or the site's address. */
  readonly mail_lacks: 'sender' | 'address' | null;
}

/** The kind of the live event for new notices in a project. */
export const noticesObjectKind = 'notices';
