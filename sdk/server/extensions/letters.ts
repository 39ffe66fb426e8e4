import { createToken } from '../../shared/index.ts';
import type { NewNotice } from './notices.ts';

/** A mail to one person: texts in their language, without markup. @public */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The button; its path is one of the page: `/user/password/reset/form`. */
  readonly action?: { readonly label: string; readonly path: string };
  /** Small text at the end. */
  readonly note?: string;
  /** Milliseconds since 1970, after which the letter is given up. Default: in two days. */
  readonly until?: number;
  /**
   * Notices for the page if the letter is given up because no mail server accepted it in time. The reason is the server's last
   * error.
   */
  readonly givenUp?: readonly Omit<NewNotice, 'reason' | 'letter'>[];
}

/**
 * Mails to people, stored until the mail server accepts them, so that an outage of an hour loses none. Provided by `sys-mail`.
 * @beta
 */
export interface Letters {
  /**
   * Whether a mail plugin is set up and this site's address is known, which links need.
   *
   * @param letter the letter to send: without an action, which contains a link, it does not need this site's address
   */
  canSend(letter?: Pick<Letter, 'action'>): boolean;
  /**
   * What is not set up: the sender, without which no mail is sent, or the address, without which links do not work; undefined if
   * nothing is missing.
   */
  lacks(): 'sender' | 'address' | undefined;
  /**
   * Stores a letter and tries to send it. Resolves to `waiting` if the mail server did not accept it within a few seconds; it is
   * then tried again. Throws 503 `LETTERS_OFF` if `canSend` returns false for the letter.
   */
  send(letter: Letter): Promise<'sent' | 'waiting'>;
}
/** Mails to people. @beta */
export const LettersToken = createToken<Letters>('letters');
