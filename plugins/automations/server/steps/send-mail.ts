import {
  AccessServiceToken,
  AccountStoreToken,
  filledAddresses,
  MailerToken,
  type AccessScope,
  type AutomationStep,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { mailSend } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';

/** Sends a mail by the mail server of this server. */
export function sendMailStep(ctx: ServerPluginContext): AutomationStep {
  const mailer = ctx.get(MailerToken);
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);

  /** Whether all of them are people of the project, as a cell may name several. */
  async function areMembers(addresses: readonly string[], { projectId = '' }: AccessScope): Promise<boolean> {
    const members = new Set((await access.members(projectId)).map(({ userId }) => userId));
    if (addresses.length > members.size) return false;
    for (const address of addresses) {
      const account = await accounts.byEmail(address);
      if (account === undefined || !members.has(account.id)) return false;
    }
    return true;
  }

  return {
    ...mailSend,
    async prepare({ settings, fill, scope }) {
      const to = filledAddresses(settings.to, fill);
      if (to.length === 0) throw automationErrors.create('AUTOMATION_MAIL_TO');
      // Strangers who fill in a form would have this server send mails to anybody.
      for (const several of to.filter(({ length }) => length > 1))
        if (!(await areMembers(several, scope))) throw automationErrors.create('AUTOMATION_MAIL_SEVERAL');
      // A line break in a subject would begin another header.
      const subject = fill(settings.subject).replace(/\s+/g, ' ');
      const message = { to: to.flat(), subject, text: fill(settings.text) };
      return {
        shown: message,
        expected: {},
        async take() {
          if (!mailer.isConfigured()) throw automationErrors.create('AUTOMATION_MAIL_OFF');
          await mailer.send(message);
          return { output: {} };
        },
      };
    },
  };
}
