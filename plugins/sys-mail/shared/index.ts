/** What sends mail, as the card of its plugin shows it. */
export interface MailSenderEntity {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  readonly plugin_id: string;
  /** Whether it is set up. */
  readonly is_ready: boolean;
  /** Whether mails go out by it. */
  readonly is_default: boolean;
}

/** The kind of the live event that tells that another adapter sends mail. */
export const mailObjectKind = 'mail';

/** The answer of `GET /api/v1/mail`. */
export interface MailAnswer {
  readonly list: readonly MailSenderEntity[];
  /** Letters that nobody has taken yet. */
  readonly waiting: number;
  /** Whether mails with links wait for the address of this site to be set. */
  readonly needs_address: boolean;
  /** Why the last letter could not be sent, in English, with the code under which pages have it in other languages; null once one was. */
  readonly problem: MailProblem | null;
}

export interface MailProblem {
  readonly code: string;
  readonly msg: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** ISO 8601 in UTC. */
  readonly at: string;
}
