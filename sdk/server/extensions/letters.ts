import { createToken } from '../../shared/index.ts';

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
}

/**
 * Mails to people, kept until the mail server has taken them: one that is away for an hour loses none. Provided by `sys-mail`.
 * @beta
 */
export interface Letters {
  /** Whether a mail plugin is set up and the address of this site is known, without which no link leads here. */
  canSend(): boolean;
  /**
   * Keeps a letter and tries to send it. Resolves to `waiting` when the mail server did not take it within a few seconds; it is
   * tried again then. Throws 503 `LETTERS_OFF` where `canSend` says no.
   */
  send(letter: Letter): Promise<'sent' | 'waiting'>;
}
/** Mails to people. @beta */
export const LettersToken = createToken<Letters>('letters');
