import {
  createMailRecipients,
  MailerToken,
  mailSubject,
  ProjectMailsToken,
  type AutomationStep,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { mailSend } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';

/** Sends a mail through this server's mail adapter. */
export function sendMailStep(ctx: ServerPluginContext): AutomationStep {
  const mailer = ctx.get(MailerToken);
  const mails = ctx.get(ProjectMailsToken);
  const recipients = createMailRecipients(ctx);
  return {
    ...mailSend,
    async prepare({ settings, fill, isOpen, scope }) {
      const to = await recipients(settings.to, fill, scope.projectId ?? '');
      if (to === undefined) throw automationErrors.create('AUTOMATION_MAIL_SEVERAL');
      if (to.length === 0 && !isOpen(settings.to)) throw automationErrors.create('AUTOMATION_MAIL_TO');
      const message = { to, subject: mailSubject(fill(settings.subject)), text: fill(settings.text) };
      return {
        shown: message,
        expected: {},
        async take() {
          if (!mailer.isConfigured()) throw automationErrors.create('AUTOMATION_MAIL_OFF');
          await mails.send(scope.projectId ?? '', message);
          return { output: {} };
        },
      };
    },
  };
}
