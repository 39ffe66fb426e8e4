import { defineErrors, type RegistryEntry, type RegistryView } from '@trellis/core';
import type { MailAdapter, MailChoice, Mailer, MailMessage } from '@trellis/sdk/server';
import type { AdapterCalls } from './adapter-calls.ts';

const mailErrors = defineErrors({
  MAIL_NOT_CONFIGURED: {
    status: 503,
    message: 'This server cannot send mail yet: no mail plugin is switched on and set up.',
  },
  MAIL_INVALID: { status: 400, message: "'{value}' cannot be used in a mail." },
});

const limit = 30_000;
/** An address that fits one header; whether it exists is for the mail server to decide. */
const address = /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,253}$/;

/** See `Mailer`. */
export function createMailer(deps: {
  readonly adapters: RegistryView<MailAdapter>;
  readonly calls: AdapterCalls;
  /** Chooses the adapter for a mail; see the hook `mail.willSend`. */
  readonly chosen: (choice: MailChoice, what: 'send' | 'verify') => Promise<MailChoice>;
}): Mailer {
  const isReady = (entry: RegistryEntry<MailAdapter>): boolean => deps.calls.isReady(entry);

  async function adapter(what: 'send' | 'verify', only?: string): Promise<RegistryEntry<MailAdapter>> {
    const ready = deps.adapters.entries().filter(isReady);
    const choice = { ready: ready.map(({ item }) => item.id) };
    const by = only ?? (await deps.chosen(choice, what)).by;
    const named = ready.find(({ item }) => item.id === by);
    const found = only === undefined ? (named ?? ready[0]) : named;
    if (found === undefined) throw mailErrors.create('MAIL_NOT_CONFIGURED');
    return found;
  }

  return {
    isConfigured: () => deps.adapters.entries().some(isReady),
    senders: () =>
      deps.adapters.entries().map((entry) => {
        const { item, owner } = entry;
        return { id: item.id, label: item.label, pluginId: owner, isReady: isReady(entry) };
      }),
    async send(message, { by } = {}) {
      assertOneLine(message);
      const { item, owner } = await adapter('send', by);
      const run = (signal: AbortSignal) => item.send(message, { signal });
      await deps.calls.call({ owner, what: 'send mail', limit, run });
    },
    async verify() {
      const { item, owner } = await adapter('verify');
      const run = (signal: AbortSignal) => item.verify({ signal });
      await deps.calls.call({ owner, what: 'reach the mail server', limit, run });
    },
  };
}

/** A line break in a header would let its author add headers. @throws TrellisError `MAIL_INVALID`, final for this mail. */
function assertOneLine({ to, replyTo, subject }: MailMessage): void {
  const addresses = [...to, ...(replyTo === undefined ? [] : [replyTo])];
  const wrong = addresses.find((of) => !address.test(of)) ?? (/[\r\n]/.test(subject) ? subject : undefined);
  if (to.length === 0 || wrong !== undefined)
    throw mailErrors.create('MAIL_INVALID', { value: wrong?.slice(0, 200) ?? '', final: 'message' });
}
