import { createToken } from '../../shared/index.ts';
import { AccountStoreToken } from '../services.ts';
import type { ServerPluginContext } from '../context.ts';
import { LettersToken, type Letter } from './letters.ts';

/** Something that concerns one person, about a row of a project or about something else in it. @public */
export interface NewNotice {
  /** The account that is told. */
  readonly accountId: string;
  /** What it is, for whoever draws it and for what the person wants of it: `mention`, or one of `noticeKinds`. */
  readonly kind: string;
  readonly projectId: string;
  /** The row that it is about; both are left out where it is about none. */
  readonly tableId?: string;
  readonly rowKey?: string;
  /** What it is about instead: the title of a schedule. At most 120 characters of it are kept. */
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
