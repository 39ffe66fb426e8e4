import { createToken } from '../../shared/index.ts';
import type { ServerPluginContext } from '../context.ts';
import type { ProjectSnapshot } from '../schema.ts';
import { AccessServiceToken, AccountStoreToken, SchemaStoreToken } from '../services.ts';
import type { TableHandle } from '../table-handle.ts';
import { LettersToken, type Letter } from './letters.ts';

/** Something that concerns one person, about a row of a project or about something else in it. @public */
export interface NewNotice {
  /** The account that is told. */
  readonly accountId: string;
  /** The id of an item of the registry `noticeKinds`: how it reads, and what the person wants of it. */
  readonly kind: string;
  readonly projectId: string;
  /** The table that it is about, and the row where it is about one; both are left out where it is about neither. */
  readonly tableId?: string;
  readonly rowKey?: string;
  /**
   * What of the table, or of the tab of its kind, it is about where that is no row, as its kind has the page open it (`NoticeKind.opens`):
   * the id of a webhook.
   */
  readonly opens?: string;
  /** What it is about instead of a row: the title of a schedule. At most 120 characters of it are kept. */
  readonly title?: string;
  /** Why, in words for the person; `code` and `params` let the page say it in their language. */
  readonly reason?: {
    readonly msg: string;
    readonly code?: string | undefined;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  };
  /** What causes it, such as the id of a comment: a person is told once of the same kind and cause. Undefined: each time. */
  readonly about?: string;
  /** The e-mail address of whoever caused it; empty where it was nobody. */
  readonly actor: string;
  /** The id of the request that caused it. */
  readonly requestId: string;
  /** The same as a mail, for people who want mails of this kind. */
  readonly letter?: Omit<Letter, 'to'>;
}

/**
 * A kind of notice, for the registry `noticeKinds`: how it reads, and what people get of it unless they say otherwise. Each person chooses
 * on their account page.
 * @public
 */
export interface NoticeKind {
  /** As in `NewNotice.kind`; with the plugin's id as prefix. */
  readonly id: string;
  /** For whoever chooses, about themselves: "An automation of mine is paused". */
  readonly label: string;
  /** For whoever is told: "An automation of yours is paused". `{{person}}` stands for the address of whoever caused it. */
  readonly text: string;
  /** Whether it is shown in the page. */
  readonly page: boolean;
  /** When it is mailed. Left out: never, since its notices have no letter. */
  readonly mail?: 'off' | 'now' | 'daily';
  /** A permission of the project without which a notice that is about no row is not shown any more. */
  readonly permission?: string;
  /** The type of the tab of the project that a notice which is about no row leads to. */
  readonly tab?: string;
  /** The pane of the row that a notice about a row leads to. */
  readonly pane?: string;
  /** The parameter of the address of a table, or of `tab` for what is about no table, by which the page opens what a notice names in `opens`. */
  readonly opens?: string;
  /**
   * What a notice about a row says besides, such as the words of a comment, as it is now. Asked whenever the notice is shown, with the table as
   * whoever is told may see it; undefined for nothing, also where they may not read it any more.
   */
  says?(notice: {
    readonly about: string;
    readonly rowKey: string;
    readonly handle: TableHandle;
  }): Promise<string | undefined>;
}

/** Tells people what concerns them, in the page and by mail, as each of them wants it. Provided by `notification-center`. @beta */
export interface Inbox {
  tell(notices: readonly NewNotice[]): Promise<void>;
}
/** Tells people what concerns them. @beta */
export const InboxToken = createToken<Inbox>('notification-center.inbox');

/**
 * Tells one person what concerns them. While nothing keeps notices, it is a mail all the same, as far as this server sends mail.
 * @public
 */
export async function tellPerson(ctx: ServerPluginContext, notice: NewNotice): Promise<void> {
  const inbox = ctx.find(InboxToken);
  if (inbox !== undefined) return inbox.tell([notice]);
  if (notice.letter !== undefined) await writeTo(ctx, notice.accountId, notice.letter);
}

/** What the owner of something in a project hears of it. @public */
export interface OwnerNotice extends Pick<
  NewNotice,
  'kind' | 'projectId' | 'tableId' | 'opens' | 'title' | 'reason' | 'about'
> {
  readonly ownerId: string;
  /** What it is, for logs: `webhook:hk_1`. */
  readonly subject: string;
  /** The same as a mail, once the project was read. */
  letter(this: void, project: ProjectSnapshot): Omit<Letter, 'to'>;
}

/**
 * Tells the owner of something that works by itself, such as a webhook, what became of it. Never rejects: that somebody was not told is
 * logged, and stops nothing.
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
      // Nobody caused it.
      actor: '',
      requestId: subject,
      letter: letter(await ctx.get(SchemaStoreToken).snapshot(scope)),
    });
  } catch (error) {
    ctx.logger.warn('An owner was not told', { error, subject, kind: notice.kind });
  }
}

/**
 * Writes to the address of an account; false where this server sends no mail, or the account is gone or disabled.
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
