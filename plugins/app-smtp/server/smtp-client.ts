import type { Transporter } from 'nodemailer';
import type { MailMessage, Outbound } from '@trellis/sdk/server';
import { incomplete, toSmtpError } from './smtp-errors.ts';
import { isComplete, type SmtpSettings } from './smtp-settings.ts';

/** Milliseconds: a server that answers nothing for so long is not there. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Speaks with the mail server of the settings; each call on a connection of its own, through the outbound gate. */
export class SmtpClient {
  readonly #outbound: Pick<Outbound, 'resolve'>;

  constructor(outbound: Pick<Outbound, 'resolve'>) {
    this.#outbound = outbound;
  }

  /** @throws TrellisError `SMTP_...`, and what the outbound gate throws. */
  async send(settings: SmtpSettings, message: MailMessage, signal: AbortSignal): Promise<void> {
    const { to, subject, text, html, replyTo, attachments = [] } = message;
    await this.#with(settings, signal, async (transport) => {
      await transport.sendMail({
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
      });
    });
  }

  /** Signs in and sends nothing. */
  async verify(settings: SmtpSettings, signal: AbortSignal): Promise<void> {
    await this.#with(settings, signal, async (transport) => {
      await transport.verify();
    });
  }

  async #with(
    settings: SmtpSettings,
    signal: AbortSignal,
    work: (transport: Transporter) => Promise<void>,
  ): Promise<void> {
    if (!isComplete(settings)) throw incomplete();
    const { host, port } = settings;
    try {
      const { address } = await this.#outbound.resolve(host, port, {
        purpose: 'mail',
        isSetBySuperAdmin: true,
      });
      signal.throwIfAborted();
      const transport = await connect(settings, address);
      const end = (): void => transport.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        await work(transport);
      } finally {
        signal.removeEventListener('abort', end);
        transport.close();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw toSmtpError(error, settings);
    }
  }
}

/**
 * The package is read when the first letter goes out: it is a third of the code of all plugins, and many servers send none.
 *
 * @param address the one that passed the gate; the name stays what the certificate must be for.
 */
async function connect(settings: SmtpSettings, address: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { host, port, security, user, password, acceptsAnyCertificate } = settings;
  return createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: {
      rejectUnauthorized: !acceptsAnyCertificate,
      // A certificate is for a name; an address has no server name.
      ...(/^[\d.]+$/.test(host) ? {} : { servername: host }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...patience,
  });
}
