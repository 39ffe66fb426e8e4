import { createToken } from '../../shared/index.ts';
import type { ServerPluginContext } from '../context.ts';
import type { ProjectSnapshot } from '../schema.ts';
import { AccessServiceToken, AccountStoreToken, SchemaStoreToken } from '../services.ts';
import type { TableHandle } from '../table-handle.ts';
import { LettersToken, type Letter } from './letters.ts';

/** A notice for one person, about a row of a project or something else in it. @public */
export interface NewNotice {
  /** The account that gets the notice. */
  readonly accountId: string;
  /** The id of an item of the registry `noticeKinds`, which defines its text and how people get it. */
  readonly kind: string;
  readonly projectId: string;
  /** The table of the subject, and its row if the subject is one; both are absent if the subject is neither. */
  readonly tableId?: string;
  readonly rowKey?: string;
  /**
   * For a subject that is no row: what the page should open in the table or in the kind's tab, as the kind's `NoticeKind.opens`
   * defines it, such as the id of a webhook.
   */
  readonly opens?: string;
  /** The name of a subject that is no row, such as the title of a schedule. At most 120 characters are stored. */
  readonly title?: string;
  /** The reason, in words for the person; `code` and `params` let the page say it in their language. */
  readonly reason?: {
    readonly msg: string;
    readonly code?: string | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  };
  /** The cause, such as the id of a comment: a person gets only one notice per kind and cause. Undefined: one each time. */
  readonly about?: string;
  /** The e-mail address of the person who caused it; empty if nobody did. */
  readonly actor: string;
  /** The id of the request that caused it. */
  readonly requestId: string;
  /** The text as a mail, for people who want mails of this kind. */
  readonly letter?: Omit<Letter, 'to'>;
}

/**
 * A kind of notice, for the registry `noticeKinds`: its text, and its default delivery. Each person can change the delivery on
 * their account page.
 * @public
 */
export interface NoticeKind {
  /** Like `NewNotice.kind`; with the plugin's id as prefix. */
  readonly id: string;
  /** For the person who chooses: "An automation of mine is paused". */
  readonly label: string;
  /**
   * For the person who gets the notice: "An automation of yours is paused". `{{person}}` stands for the address of the person who
   * caused it.
   */
  readonly text: string;
  /** Whether the page shows it. */
  readonly page: boolean;
  /** When it is mailed. Absent: never, since its notices have no letter. */
  readonly mail?: 'off' | 'now' | 'daily';
  /** The permission of the project that a person needs to see a notice about no row. */
  readonly permission?: string;
  /** The type of the project's tab that a notice about no row opens. */
  readonly tab?: string;
  /** The pane of the row that a notice about a row opens. */
  readonly pane?: string;
  /**
   * The parameter of the address of the table, or of `tab` for a notice about no table, that gets the value of a notice's `opens`.
   */
  readonly opens?: string;
  /**
   * Additional current text of a notice about a row, such as the words of a comment. Called whenever the notice is shown, with the
   * table as the person may see it; undefined for no text, also if the person may no longer read it.
   */
  says?(notice: {
    readonly about: string;
    readonly rowKey: string;
    readonly handle: TableHandle;
  }): Promise<string | undefined>;
}

/** Sends notices to people, in the page and by mail, as each of them chose. Provided by `notification-center`. @beta */
export interface Inbox {
  tell(notices: readonly NewNotice[]): Promise<void>;
}
/** Sends notices to people. @beta */
export const InboxToken = createToken<Inbox>('notification-center.inbox');

/**
 * Sends a notice to one person. If no plugin stores notices, it is still sent as a mail, if this server sends mail.
 * @public
 */
export async function tellPerson(ctx: ServerPluginContext, notice: NewNotice): Promise<void> {
  const inbox = ctx.find(InboxToken);
  if (inbox !== undefined) return inbox.tell([notice]);
  if (notice.letter !== undefined) await writeTo(ctx, notice.accountId, notice.letter);
}

/** A notice for the owner of something in a project. @public */
export interface OwnerNotice extends Pick<
  NewNotice,
  'kind' | 'projectId' | 'tableId' | 'opens' | 'title' | 'reason' | 'about'
> {
  readonly ownerId: string;
  /** The name in logs: `webhook:hk_1`. */
  readonly subject: string;
  /** The text as a mail, called once the project was read. */
  letter(this: void, project: ProjectSnapshot): Omit<Letter, 'to'>;
}

/**
 * Tells the owner of something automatic, such as a webhook, what happened to it. Never rejects: a failure is logged and stops
 * nothing.
 * @public
 */
export async function tellOwner(
  ctx: ServerPluginContext,
  { ownerId, subject, letter, ...notice }: OwnerNotice,
): Promise<void> {
  const scope = ctx.get(AccessServiceToken).systemScope(notice.projectId, subject);
  try {
    await tellPerson(ctx, {
      ...notice,
      accountId: ownerId,
      // No person caused it.
      actor: '',
      requestId: subject,
      letter: letter(await ctx.get(SchemaStoreToken).snapshot(scope)),
    });
  } catch (error) {
    ctx.logger.warn('An owner was not told', { error, subject, kind: notice.kind });
  }
}

/**
 * Sends a mail to the address of an account; returns false if this server sends no mail, or if the account is deleted or disabled.
 * @public
 */
export async function writeTo(
  ctx: ServerPluginContext,
  accountId: string,
  letter: Omit<Letter, 'to'>,
): Promise<boolean> {
  const letters = ctx.find(LettersToken);
  if (letters === undefined || !letters.canSend()) return false;
  const account = await ctx.get(AccountStoreToken).byId(accountId);
  if (account === undefined || account.isDisabled) return false;
  await letters.send({ ...letter, to: account.email });
  return true;
}
