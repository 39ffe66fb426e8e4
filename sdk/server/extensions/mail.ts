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
 * Sends mail, for the registry `mailAdapters`. People see the message of a `TrellisError` that it throws; any other error is
 * charged to the plugin.
 * @public
 */
export interface MailAdapter {
  readonly id: string;
  readonly label: string;
  /** The lowest is tried first. Default 0. */
  readonly order?: number;
  /** Whether its settings are complete; an adapter that is not configured, or throws, is skipped. */
  isConfigured(): boolean;
  /** Has 30 seconds. */
  send(message: MailMessage, call: AdapterCall): Promise<void>;
  /** Throws the reason why it cannot send; sends nothing. */
  verify(call: AdapterCall): Promise<void>;
}

/** A mail adapter in its present state. @public */
export interface MailSender {
  /** The adapter's id. */
  readonly id: string;
  readonly label: string;
  /** The plugin that brings it. */
  readonly pluginId: string;
  /** Whether it is set up. */
  readonly isReady: boolean;
}

/** The adapter for a mail, for the hook `mail.willSend`. @public */
export interface MailChoice {
  /** The ids of the configured adapters; the first one is the default. */
  readonly ready: readonly string[];
  /** The id of the adapter to use; ignored if it is not configured. */
  readonly by?: string;
}

/**
 * Sends mail through the first configured adapter, or the one that the hook `mail.willSend` names. Throws 503 `MAIL_NOT_CONFIGURED` where there is none, 400 `MAIL_INVALID` for an
 * address or a subject with a line break, 502 `ADAPTER_FAILED` or 504 `ADAPTER_TIMEOUT` naming the plugin.
 * @beta
 */
export interface Mailer {
  isConfigured(): boolean;
  /**
   * @param options.by the id of the adapter that must send it, whatever the hook chooses; 503 `MAIL_NOT_CONFIGURED` if it is not
   * configured
   */
  send(message: MailMessage, options?: { readonly by?: string }): Promise<void>;
  verify(): Promise<void>;
  /** The adapters, in the order of preference. */
  senders(): readonly MailSender[];
}
/** Mails sent by things that members set up in a project, such as webhooks and automations. @beta */
export interface ProjectMails {
  /**
   * Sends a mail by the mailer, unless the project has reached the operator's limit of addresses within the hour.
   *
   * @throws TrellisError the errors of `Mailer.send`, 400 `MAIL_RECIPIENTS` for more than 50 addresses, final for this mail, and
   * 429 `MAIL_PROJECT_LIMIT` with `retryAfterMs` (see `retryAfterOf`)
   */
  send(projectId: string, message: MailMessage): Promise<void>;
}
/** Mails of projects. @beta */
export const ProjectMailsToken = createToken<ProjectMails>('project-mails');

/** The mail. @beta */
export const MailerToken = createToken<Mailer>('mailer');
