import type { Letters, Logger, Mailer, RateLimiter, SubmitContext } from '@trellis/sdk/server';
import type { CellValue, Row } from '@trellis/sdk/shared';
import { formOptions } from '../shared/index.ts';
import { fieldsOf, type ColumnTypes } from './form-fields.ts';

/** Mails of one form: strangers decide how many answers there are. */
const mailsOfForm = { name: 'form-mails', limit: 200, windowSeconds: 3600 };
/** Characters of one answer. */
const mostShown = 2000;

/**
 * Tells those of an answer whom the form names, each by a letter, which is tried again where the mail server does not take it. A mail that cannot
 * be sent is logged and keeps no other person from hearing of the answer, which is safe in the table.
 */
export function answerMails(of: {
  readonly mailer: Mailer;
  readonly letters: () => Letters | undefined;
  readonly limiter: RateLimiter;
  readonly types: ColumnTypes;
  readonly logger: Logger;
}): (row: Row, context: SubmitContext) => Promise<void> {
  return async (row, { view, table }) => {
    const { emails, heading } = formOptions(view.meta);
    const chosen = Object.entries(emails).flatMap(([address, isChosen]) => (isChosen ? [address] : []));
    if (chosen.length === 0 || !of.mailer.isConfigured()) return;
    const lines = fieldsOf(view, table, of.types).map(
      ({ label, type, context }) => `${label}: ${textOf(row[context.title] ?? null, type, context)}`,
    );
    const subject = `New answer: ${heading || view.title}`.replace(/\s+/gu, ' ').slice(0, 200);
    await Promise.all(
      chosen.map(async (to) => {
        try {
          await of.limiter.consume(mailsOfForm, view.id);
          const letters = of.letters();
          // Letters need the address of this site, and a mail does not.
          if (letters?.canSend() === true) await letters.send({ to, subject, paragraphs: lines });
          else await of.mailer.send({ to: [to], subject, text: lines.join('\n') });
        } catch (error) {
          of.logger.warn('The mail for an answer was not sent.', { view: view.id, error });
        }
      }),
    );
  };
}

type Field = ReturnType<typeof fieldsOf>[number];

function textOf(value: CellValue, type: Field['type'], context: Field['context']): string {
  return (type?.format(value, context) ?? '').slice(0, mostShown);
}
