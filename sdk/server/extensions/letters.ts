import { createToken } from '../../shared/index.ts';
import type { NewNotice } from './notices.ts';

/** A mail to one person: texts in their language, without any markup. @public */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do; its path is one of the page: `/user/password/reset/form`. */
  readonly action?: { readonly label: string; readonly path: string };
  /** Stands small below all. */
  readonly note?: string;
  /** Milliseconds since 1970 after which nobody needs the letter any more. Default: in two days. */
  readonly until?: number;
  /** Who is told in the page once the letter was given up: no mail server took it until then. The reason is what the last one said. */
  readonly givenUp?: readonly Omit<NewNotice, 'reason' | 'letter'>[];
}

/**
 * Mails to people, kept until the mail server has taken them: one that is away for an hour loses none. Provided by `sys-mail`.
 * @beta
 */
export interface Letters {
  /**
   * Whether a mail plugin is set up and the address of this site is known, without which no link leads here.
   *
   * @param letter one that is to be sent: without an action, in which a link stands, it needs no address of this site
   */
  canSend(letter?: Pick<Letter, 'action'>): boolean;
  /** What is not set up, without which links in mails lead nowhere or no mail goes out at all; undefined where nothing is lacking. */
  lacks(): 'sender' | 'address' | undefined;
  /**
   * Keeps a letter and tries to send it. Resolves to `waiting` when the mail server did not take it within a few seconds; it is
   * tried again then. Throws 503 `LETTERS_OFF` where `canSend` says no to the letter.
   */
  send(letter: Letter): Promise<'sent' | 'waiting'>;
}
/** Mails to people. @beta */
export const LettersToken = createToken<Letters>('letters');
