import type { AccessService, Letter, Letters, Logger, RateLimiter, SubmitContext } from '@trellis/sdk/server';
import type { CellValue, Row } from '@trellis/sdk/shared';
import { formOptions } from '../shared/index.ts';
import { formMailNotice } from '../shared/notices.ts';
import { fieldsOf, type ColumnTypes } from './form-fields.ts';

/** Limits the mails of one form, since visitors determine the number of answers. */
const mailsOfForm = { name: 'form-mails', limit: 200, windowSeconds: 3600 };
/** The most characters of one answer. */
const mostShown = 2000;

/**
 * Sends the mails about an answer to the people whom the form names, each as a letter, which is retried if the mail server refuses
 * it. If that fails, the form's author is told once a day. A mail that cannot be stored is logged and does not stop the others; the
 * answer itself is in the table.
 */
export function answerMails(of: {
  readonly letters: () => Letters | undefined;
  readonly access: Pick<AccessService, 'members'>;
  readonly limiter: RateLimiter;
  readonly types: ColumnTypes;
  readonly logger: Logger;
}): (row: Row, context: SubmitContext) => Promise<void> {
  /** The form's author; if that is no member of the project any more, the project's owners. */
  async function keepersOf({ madeBy }: SubmitContext['view'], projectId: string): Promise<readonly string[]> {
    const members = await of.access.members(projectId);
    const makers = members.filter(({ userId }) => userId === madeBy);
    const keepers = makers.length > 0 ? makers : members.filter(({ role }) => role === 'owner');
    return keepers.map(({ userId }) => userId);
  }

  async function noticesOf({ view, table }: SubmitContext): Promise<Letter['givenUp']> {
    const { projectId } = table;
    return (await keepersOf(view, projectId)).map((accountId) => ({
      accountId,
      kind: formMailNotice.id,
      projectId,
      tableId: table.id,
      opens: view.id,
      title: view.title,
      about: `${view.id}:${new Date().toISOString().slice(0, 10)}`,
      actor: '',
      requestId: `form:${view.id}`,
    }));
  }

  return async (row, context) => {
    const { view, table } = context;
    const { emails, heading } = formOptions(view.meta);
    const chosen = Object.entries(emails).flatMap(([address, isChosen]) => (isChosen ? [address] : []));
    const letters = of.letters();
    if (chosen.length === 0 || letters?.canSend({}) !== true) return;
    const paragraphs = fieldsOf(view, table, of.types).map(
      ({ label, type, context: cell }) => `${label}: ${textOf(row[cell.title] ?? null, type, cell)}`,
    );
    const subject = `New answer: ${heading || view.title}`.replace(/\s+/gu, ' ').slice(0, 200);
    const warn = (error: unknown) =>
      of.logger.warn('The mail for an answer was not sent.', { view: view.id, error });
    try {
      const givenUp = await noticesOf(context);
      const sent = chosen.map(async (to) => {
        await of.limiter.consume(mailsOfForm, view.id);
        await letters.send({ to, subject, paragraphs, ...(givenUp && { givenUp }) });
      });
      for (const end of await Promise.allSettled(sent)) if (end.status === 'rejected') warn(end.reason);
    } catch (error) {
      warn(error);
    }
  };
}

type Field = ReturnType<typeof fieldsOf>[number];

function textOf(value: CellValue, type: Field['type'], context: Field['context']): string {
  return (type?.format(value, context) ?? '').slice(0, mostShown);
}
