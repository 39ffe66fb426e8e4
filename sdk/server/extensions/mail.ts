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

/**
 * Sends mail through the first configured adapter. Throws 503 `MAIL_NOT_CONFIGURED` where there is none, 400 `MAIL_INVALID` for an
 * address or a subject with a line break, 502 `ADAPTER_FAILED` or 504 `ADAPTER_TIMEOUT` naming the plugin.
 * @beta
 */
export interface Mailer {
  isConfigured(): boolean;
  send(message: MailMessage): Promise<void>;
  verify(): Promise<void>;
}
/** The mail. @beta */
export const MailerToken = createToken<Mailer>('mailer');
