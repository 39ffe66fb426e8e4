import { createToken } from '@trellis/sdk/shared';

/** Something that concerns one person, about a row of a project. */
export interface NewNotice {
  /** The account that is told. */
  readonly accountId: string;
  /** What it is, for whoever draws it: `mention`. */
  readonly kind: string;
  readonly projectId: string;
  readonly tableId: string;
  readonly rowKey: string;
  /** What causes it, such as the id of a comment: a person is told once of the same kind and cause. Undefined: each time. */
  readonly about?: string;
  /** The e-mail address of whoever caused it. */
  readonly actor: string;
  /** The id of the request that caused it. */
  readonly requestId: string;
}

/** Tells people what concerns them. Provided by the server half of `notification-center`. */
export interface Inbox {
  tell(notices: readonly NewNotice[]): Promise<void>;
}
export const InboxToken = createToken<Inbox>('notification-center.inbox');

/** A notice as it travels. */
export interface NoticeEntity {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly project: { readonly id: string; readonly title: string };
  readonly table: { readonly id: string; readonly title: string };
  readonly row_id: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly is_read: boolean;
}

export interface NoticeList {
  /** The newest first. */
  readonly list: readonly NoticeEntity[];
  readonly unread: number;
}

/** The kind of live event that says that somebody in the project was told something. */
export const noticesObjectKind = 'notices';
