import { MailerToken, type AutomationStep, type ServerPluginContext } from '@trellis/sdk/server';
import { mailSend } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';

/** Sends a mail by the mail server of this server. */
export function sendMailStep(ctx: ServerPluginContext): AutomationStep {
  const mailer = ctx.get(MailerToken);
  return {
    ...mailSend,
    prepare({ settings, fill }) {
      const to = fill(settings.to)
        .split(/[,;]/)
        .map((address) => address.trim())
        .filter((address) => address !== '');
      if (to.length === 0) throw automationErrors.create('AUTOMATION_MAIL_TO');
      // A line break in a subject would begin another header.
      const message = { to, subject: fill(settings.subject).replace(/\s+/g, ' '), text: fill(settings.text) };
      return Promise.resolve({
        shown: message,
        expected: {},
        async take() {
          if (!mailer.isConfigured()) throw automationErrors.create('AUTOMATION_MAIL_OFF');
          await mailer.send(message);
          return { output: {} };
        },
      });
    },
  };
}
