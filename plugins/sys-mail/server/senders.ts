import type { Mailer, MailSender, PluginKeyValue } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import type { MailSenderEntity } from '../shared/index.ts';

const senderErrors = defineErrors({
  MAIL_SENDER_UNKNOWN: { status: 404, message: "Nothing here sends mail by '{sender}'." },
  MAIL_SENDER_NOT_READY: { status: 409, message: "'{label}' is not set up yet." },
});

const chosenKey = 'sender';

/** The senders of mail, and the one in use. */
export class Senders {
  readonly #mailer: Pick<Mailer, 'senders'>;
  readonly #kv: PluginKeyValue;

  constructor(deps: { readonly mailer: Pick<Mailer, 'senders'>; readonly kv: PluginKeyValue }) {
    this.#mailer = deps.mailer;
    this.#kv = deps.kv;
  }

  /** The chosen one; undefined for the first that is set up. */
  chosen(): Promise<string | undefined> {
    return this.#kv.get<string>(chosenKey);
  }

  /** @throws TrellisError `MAIL_SENDER_UNKNOWN`, `MAIL_SENDER_NOT_READY`. */
  async choose(id: string): Promise<void> {
    await this.#kv.set(chosenKey, this.ready(id).id);
  }

  /** @throws TrellisError `MAIL_SENDER_UNKNOWN`, `MAIL_SENDER_NOT_READY`. */
  ready(id: string): MailSender {
    const sender = this.#mailer.senders().find((one) => one.id === id);
    if (sender === undefined) throw senderErrors.create('MAIL_SENDER_UNKNOWN', { sender: id });
    if (!sender.isReady) throw senderErrors.create('MAIL_SENDER_NOT_READY', { label: sender.label });
    return sender;
  }

  async list(): Promise<readonly MailSenderEntity[]> {
    const senders = this.#mailer.senders();
    const chosen = await this.chosen();
    const ready = senders.filter(({ isReady }) => isReady);
    const sending = ready.find(({ id }) => id === chosen) ?? ready[0];
    return senders.map(({ id, label, pluginId, isReady }) => ({
      id,
      label,
      plugin_id: pluginId,
      is_ready: isReady,
      is_default: id === sending?.id,
    }));
  }
}
