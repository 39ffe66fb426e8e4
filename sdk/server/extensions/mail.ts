import { createToken } from '../../shared/index.ts';

/** A mail to send. @public */
export interface MailMessage {
  /** Addresses, one each. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly type: string;
    readonly content: Uint8Array;
  }[];
}

/** A text as the subject of a mail: one line, since a line break would begin another header. @public */
export function mailSubject(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** How an adapter is called. @public */
export interface AdapterCall {
  /** Aborts when the call took too long, the plugin is disabled or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Sends mail, for the registry `mailAdapters`. A `TrellisError` that it throws is told to people; anything else is an error of the
 * plugin.
 * @public
 */
export interface MailAdapter {
  readonly id: string;
  readonly label: string;
  /** Lower is asked first. Default 0. */
  readonly order?: number;
  /** Whether its settings name a server; one that is not configured, or throws, is passed over. */
  isConfigured(): boolean;
  /** Has 30 seconds. */
  send(message: MailMessage, call: AdapterCall): Promise<void>;
  /** Throws what keeps it from sending; sends nothing. */
  verify(call: AdapterCall): Promise<void>;
}

/** What sends mail: an adapter, as it is now. @public */
export interface MailSender {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  /** The plugin that brings it. */
  readonly pluginId: string;
  /** Whether it is set up. */
  readonly isReady: boolean;
}

/** Which adapter a mail goes out by, for the hook `mail.willSend`. @public */
export interface MailChoice {
  /** The ids of the adapters that are set up, the first of which sends where nothing else is said. */
  readonly ready: readonly string[];
  /** The id of the one that sends; passed over where it is not set up. */
  readonly by?: string;
}

/**
 * Sends mail through the first configured adapter, or the one that the hook `mail.willSend` names. Throws 503 `MAIL_NOT_CONFIGURED` where there is none, 400 `MAIL_INVALID` for an
 * address or a subject with a line break, 502 `ADAPTER_FAILED` or 504 `ADAPTER_TIMEOUT` naming the plugin.
 * @beta
 */
export interface Mailer {
  isConfigured(): boolean;
  /** @param options.by the id of an adapter that has to send it, whichever is chosen; 503 `MAIL_NOT_CONFIGURED` where it is not set up */
  send(message: MailMessage, options?: { readonly by?: string }): Promise<void>;
  verify(): Promise<void>;
  /** What can send, in the order in which it is asked. */
  senders(): readonly MailSender[];
}
/** Mails that members of a project have sent by what they set up in it, such as webhooks and automations. @beta */
export interface ProjectMails {
  /**
   * Sends a mail by the mailer, as long as the project has not written to as many addresses within the hour as the operator allows.
   *
   * @throws TrellisError what `Mailer.send` throws, 400 `MAIL_RECIPIENTS` for more than 50 addresses, final for this mail, and 429
   * `MAIL_PROJECT_LIMIT` with `retryAfterMs` (see `retryAfterOf`)
   */
  send(projectId: string, message: MailMessage): Promise<void>;
}
/** Mails of projects. @beta */
export const ProjectMailsToken = createToken<ProjectMails>('project-mails');

/** The mail. @beta */
export const MailerToken = createToken<Mailer>('mailer');
