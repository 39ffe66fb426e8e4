import { setTimeout } from 'node:timers/promises';
import {
  defineServerPlugin,
  LettersToken,
  MailerToken,
  ProjectMailsToken,
  SecretsToken,
  ServerInfoToken,
  tellPerson,
  type Letters,
  type PluginMigration,
} from '@trellis/sdk/server';
import { defineErrors, TrellisError } from '@trellis/sdk/shared';
import type { MailProblem } from '../shared/index.ts';
import { toMessage } from './letter-text.ts';
import { LetterBox } from './letter-box.ts';
import { mailRoutes } from './mail-routes.ts';
import { createProjectMails, type MailSettings } from './project-mails.ts';
import { Senders } from './senders.ts';

const letterErrors = defineErrors({
  MAIL_FAILED: { status: 502, message: 'This server failed to hand over the mail.' },
  LETTERS_OFF: {
    status: 503,
    message:
      'This server cannot send mails yet: set up a mail plugin, and the address of this site in the plugin Letters.',
  },
});

const problemKey = 'problem';

/** The problem shown to people: the text of an untyped error would not help them. */
function problemOf(error: unknown): MailProblem {
  const at = new Date().toISOString();
  const { code, message, params } =
    error instanceof TrellisError ? error : letterErrors.create('MAIL_FAILED');
  return { code, msg: message, params: { ...params }, at };
}

/** Milliseconds that a caller waits for the mail server. */
const patience = 8000;

const migrations: readonly PluginMigration[] = [
  {
    id: '001-letters',
    async up(schema) {
      await schema.createTable('letter', {
        columns: {
          id: { kind: 'string', length: 40, required: true },
          sealed: { kind: 'text', required: true },
          attempts: { kind: 'integer', required: true },
          next_at: { kind: 'bigint', required: true },
          until: { kind: 'bigint', required: true },
        },
        key: ['id'],
        indexes: [['next_at'], ['until']],
      });
    },
  },
  // JSON of the `MailProblem` of the last attempt.
  { id: '002-problems', up: (schema) => schema.addColumn('letter', 'problem', { kind: 'text' }) },
];

export default defineServerPlugin<MailSettings>({
  migrations,
  setup(ctx) {
    const mailer = ctx.get(MailerToken);
    const info = ctx.get(ServerInfoToken);

    function siteUrl(): string | undefined {
      const { siteUrl: setting = '' } = ctx.settings.current;
      const known = info.siteUrl ?? setting.replace(/\/+$/, '');
      return known === '' ? undefined : known;
    }

    const lacks: Letters['lacks'] = () =>
      mailer.isConfigured() ? (siteUrl() === undefined ? 'address' : undefined) : 'sender';
    const canSend: Letters['canSend'] = (letter) => {
      const lack = lacks();
      return (
        lack === undefined || (lack === 'address' && letter !== undefined && letter.action === undefined)
      );
    };

    const box = new LetterBox({
      db: ctx.db,
      secrets: ctx.get(SecretsToken),
      logger: ctx.logger,
      deliver: (letter) => mailer.send(toMessage(letter, siteUrl() ?? '')),
      async gaveUp({ givenUp = [] }, problem) {
        for (const notice of givenUp)
          await tellPerson(ctx, { ...notice, ...(problem !== undefined && { reason: problem }) });
      },
      problemOf,
      async tried(problem) {
        if (problem !== undefined) await ctx.kv.set(problemKey, problem);
        else if ((await ctx.kv.get(problemKey)) !== undefined) await ctx.kv.delete(problemKey);
      },
    });
    const senders = new Senders({ mailer, kv: ctx.kv });

    ctx.register('permissions', {
      id: 'mailUpdate',
      label: 'Choose what sends mail',
      roles: [],
      scope: 'account',
    });
    ctx.tap('mail.willSend', async (choice) => {
      const by = await senders.chosen();
      return by === undefined ? choice : { ...choice, by };
    });
    ctx.routes(
      ...mailRoutes(ctx, { senders, box, lacks, problem: () => ctx.kv.get<MailProblem>(problemKey) }),
    );

    ctx.provide(ProjectMailsToken, () => createProjectMails(ctx));
    ctx.provide(LettersToken, () => ({
      canSend,
      lacks,
      async send(letter) {
        if (!canSend(letter)) throw letterErrors.create('LETTERS_OFF');
        return (await within(patience, box.post(letter))) === true ? 'sent' : 'waiting';
      },
    }));
    ctx.register('jobs', { id: 'sys-mail.send', every: 30, run: ({ signal }) => box.sendDue(signal) });
  },
});

/** The result of the work, or undefined if it takes longer; the work then continues. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, setTimeout(milliseconds, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
