import type { SendMailOptions, Transporter } from 'nodemailer';
import type { MailMessage, Outbound } from '@trellis/sdk/server';
import { incomplete, toSmtpError } from './smtp-errors.ts';
import { isComplete, type SmtpSettings } from './smtp-settings.ts';

/** Milliseconds after which a silent server counts as unreachable. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Milliseconds after which an idle connection is closed: many servers close theirs soon after. */
const idleTimeout = 15_000;
/** How often a mail is given to another connection because its own closed before accepting it. */
const maxRequeues = 2;

/** Talks to the mail server of the settings, through the outbound gate. Connections are kept for further mails. */
export class SmtpClient {
  readonly #outbound: Pick<Outbound, 'resolve'>;
  /** The connections to a server with their settings; replaced when a mail is sent with other settings. */
  #pool: { readonly key: string; readonly transport: Transporter } | undefined;

  constructor(outbound: Pick<Outbound, 'resolve'>) {
    this.#outbound = outbound;
  }

  /** @throws TrellisError `SMTP_...`, and the errors of the outbound gate. */
  async send(settings: SmtpSettings, message: MailMessage, signal: AbortSignal): Promise<void> {
    const { to, subject, text, html, replyTo, attachments = [] } = message;
    const mail: SendMailOptions & { readonly signal: AbortSignal } = {
      // As objects, so that their texts are not parsed as lists of addresses.
      from: { name: settings.fromName, address: settings.from },
      to: to.map((address) => ({ name: '', address })),
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      subject,
      text,
      html,
      attachments: attachments.map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content: Buffer.from(content),
      })),
      signal,
    };
    await this.#at(settings, signal, async (address) => {
      const transport = await this.#pooled(settings, address);
      await transport.sendMail(mail);
    });
  }

  /** Signs in on a separate connection, and sends nothing. */
  async verify(settings: SmtpSettings, signal: AbortSignal): Promise<void> {
    await this.#at(settings, signal, async (address) => {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(optionsOf(settings, address));
      const end = (): void => transport.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        await transport.verify();
      } finally {
        signal.removeEventListener('abort', end);
        transport.close();
      }
    });
  }

  /** Closes the connections after the mails that are being sent. */
  dispose(): void {
    this.#pool?.transport.close();
    this.#pool = undefined;
  }

  /** @param work gets the address that passed the gate, which checks each mail again. */
  async #at(
    settings: SmtpSettings,
    signal: AbortSignal,
    work: (address: string) => Promise<void>,
  ): Promise<void> {
    if (!isComplete(settings)) throw incomplete();
    const { host, port } = settings;
    try {
      const { address } = await this.#outbound.resolve(host, port, {
        purpose: 'mail',
        isSetBySuperAdmin: true,
      });
      signal.throwIfAborted();
      await work(address);
    } catch (error) {
      signal.throwIfAborted();
      throw toSmtpError(error, settings);
    }
  }

  /** The package is loaded for the first mail: it is a third of the code of all plugins, and many servers send none. */
  async #pooled(settings: SmtpSettings, address: string): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const key = JSON.stringify([settings, address]);
    if (this.#pool?.key === key) return this.#pool.transport;
    this.#pool?.transport.close();
    const { connections } = settings;
    const options = {
      ...optionsOf(settings, address),
      maxConnections: connections,
      idleTimeout,
      maxRequeues,
    };
    const transport = createTransport({ ...options, pool: true });
    this.#pool = { key, transport };
    return transport;
  }
}

/** @param address the one that passed the gate; the certificate must still be for the name. */
function optionsOf(settings: SmtpSettings, address: string) {
  const { host, port, security, user, password, acceptsAnyCertificate, dkim } = settings;
  return {
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    ...(dkim !== undefined && {
      dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key },
    }),
    tls: {
      rejectUnauthorized: !acceptsAnyCertificate,
      // A certificate is for a name; an address has no server name.
      ...(/^[\d.]+$/.test(host) ? {} : { servername: host }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...patience,
  };
}
