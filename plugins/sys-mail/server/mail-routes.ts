import {
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  MailerToken,
  type Letters,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { mailObjectKind, type MailAnswer, type MailProblem } from '../shared/index.ts';
import type { LetterBox } from './letter-box.ts';
import type { Senders } from './senders.ts';

const path = '/api/v1/mail';
const sender: JsonSchema = { type: 'string', minLength: 1, maxLength: 100 };
const schemas = { body: { type: 'object', required: ['sender'], properties: { sender } } } as const;
type Named = { readonly sender: string };

/** List the senders of mail, choose one, and have one send a mail to the caller. */
export function mailRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly senders: Senders;
    readonly box: LetterBox;
    readonly lacks: Letters['lacks'];
    readonly problem: () => Promise<MailProblem | undefined>;
  },
): readonly RouteDefinition[] {
  const { senders, box, lacks, problem } = deps;
  const answer = async (): Promise<MailAnswer> => ({
    list: await senders.list(),
    waiting: await box.waiting(),
    needs_address: lacks() === 'address',
    problem: (await problem()) ?? null,
  });

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'mailUpdate',
      summary: 'List what sends mail, and how many letters wait',
      handle: () => answer(),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Named>({
      method: 'PUT',
      path: `${path}/default`,
      permission: 'mailUpdate',
      summary: 'Choose what sends mail; letters that wait go out by it as well',
      unknownKeys: 'refuse',
      schemas,
      async handle({ body, principal, ip, id: requestId }) {
        await senders.choose(body.sender);
        await box.hurry();
        const of = { person: principal.email, sender: body.sender };
        const description = auditText('{{person}} has mails sent by {{sender}}', of);
        await ctx.get(AuditLogToken).record({ type: 'META', subType: 'UPDATED', principal, ip, description });
        ctx
          .get(BusToken)
          .publish('objects.changed', { projectId: '', objectKind: mailObjectKind, requestId });
        return answer();
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Named>({
      method: 'POST',
      path: `${path}/trial`,
      permission: 'mailUpdate',
      summary: 'Send a mail to the caller, by whatever is named',
      unknownKeys: 'refuse',
      schemas,
      async handle({ body, principal }) {
        const { id, label } = senders.ready(body.sender);
        const text = `${label} sends the mails of this server to this address.`;
        const message = {
          to: [principal.email],
          subject: 'A mail to try it out',
          text,
          html: `<p>${text}</p>`,
        };
        await ctx.get(MailerToken).send(message, { by: id });
        return { to: principal.email };
      },
    }),
  ];
}
