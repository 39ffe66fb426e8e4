import { defineErrors, type RegistryEntry, type RegistryView } from '@trellis/core';
import type { MailAdapter, Mailer, MailMessage } from '@trellis/sdk/server';
import type { AdapterCalls } from './adapter-calls.ts';

const mailErrors = defineErrors({
  MAIL_NOT_CONFIGURED: {
    status: 503,
    message: 'This server cannot send mail yet: no mail plugin is switched on and set up.',
  },
  MAIL_INVALID: { status: 400, message: "'{value}' cannot be used in a mail." },
});

const limit = 30_000;
/** An address as one header takes it; whether it exists is the mail server's business. */
const address = /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,253}$/;

/** See `Mailer`. */
export function createMailer(deps: {
  readonly adapters: RegistryView<MailAdapter>;
  readonly calls: AdapterCalls;
}): Mailer {
  function configured(): RegistryEntry<MailAdapter> | undefined {
    return deps.adapters.entries().find((entry) => deps.calls.isReady(entry));
  }

  function adapter(): RegistryEntry<MailAdapter> {
    const found = configured();
    if (found === undefined) throw mailErrors.create('MAIL_NOT_CONFIGURED');
    return found;
  }

  return {
    isConfigured: () => configured() !== undefined,
    async send(message) {
      const { item, owner } = adapter();
      assertOneLine(message);
      const run = (signal: AbortSignal) => item.send(message, { signal });
      await deps.calls.call({ owner, what: 'send mail', limit, run });
    },
    async verify() {
      const { item, owner } = adapter();
      const run = (signal: AbortSignal) => item.verify({ signal });
      await deps.calls.call({ owner, what: 'reach the mail server', limit, run });
    },
  };
}

/** A line break in a header would let its sender add headers of their own. @throws TrellisError `MAIL_INVALID`. */
function assertOneLine({ to, replyTo, subject }: MailMessage): void {
  const addresses = [...to, ...(replyTo === undefined ? [] : [replyTo])];
  const wrong = addresses.find((of) => !address.test(of)) ?? (/[\r\n]/.test(subject) ? subject : undefined);
  if (to.length === 0 || wrong !== undefined)
    throw mailErrors.create('MAIL_INVALID', { value: wrong?.slice(0, 200) ?? '' });
}
