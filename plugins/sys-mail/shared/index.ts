/** A sender of mail, as its plugin's card shows it. */
export interface MailSenderEntity {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  readonly plugin_id: string;
  /** Whether it is set up. */
  readonly is_ready: boolean;
  /** Whether it is in use. */
  readonly is_default: boolean;
}

/** The kind of the live event for a change of the sender. */
export const mailObjectKind = 'mail';

/** The answer of `GET /api/v1/mail`. */
export interface MailAnswer {
  readonly list: readonly MailSenderEntity[];
  /** The number of unsent letters. */
  readonly waiting: number;
  /** Whether mails with links wait for this site's address to be set. */
  readonly needs_address: boolean;
  /** Why the last letter could not be sent, in English, with the code by which pages translate it; null once a letter was sent. */
  readonly problem: MailProblem | null;
}

export interface MailProblem {
  readonly code: string;
  readonly msg: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** ISO 8601 in UTC. */
  readonly at: string;
}
