import type { SendMailOptions, Transporter } from 'nodemailer';
import type { MailMessage, Outbound } from '@trellis/sdk/server';
import { incomplete, toSmtpError } from './smtp-errors.ts';
import { isComplete, type SmtpSettings } from './smtp-settings.ts';

/** Milliseconds: a server that answers nothing for so long is not there. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** A connection that has nothing to do for so many milliseconds is closed: many servers close theirs soon after. */
const idleTimeout = 15_000;
/** Times that a mail is given to another connection because its own was closed before it was taken. */
const maxRequeues = 2;

/** Speaks with the mail server of the settings, through the outbound gate. Connections are kept for the mails that come next. */
export class SmtpClient {
  readonly #outbound: Pick<Outbound, 'resolve'>;
  /** The connections to a server with the settings they were made with; they go when a mail is sent by others. */
  #pool: { readonly key: string; readonly transport: Transporter } | undefined;

  constructor(outbound: Pick<Outbound, 'resolve'>) {
    this.#outbound = outbound;
  }

  /** @throws TrellisError `SMTP_...`, and what the outbound gate throws. */
  async send(settings: SmtpSettings, message: MailMessage, signal: AbortSignal): Promise<void> {
    const { to, subject, text, html, replyTo, attachments = [] } = message;
    const mail: SendMailOptions & { readonly signal: AbortSignal } = {
      // As objects, so that nothing in them is read as a list of addresses.
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

  /** Signs in, on a connection of its own, and sends nothing. */
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

  /** Closes the connections; a mail that is on its way is handed over first. */
  dispose(): void {
    this.#pool?.transport.close();
    this.#pool = undefined;
  }

  /** @param work takes the address that passed the gate, which is asked again for each mail. */
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

  /** The package is read when the first letter goes out: it is a third of the code of all plugins, and many servers send none. */
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

/** @param address the one that passed the gate; the name stays what the certificate must be for. */
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
