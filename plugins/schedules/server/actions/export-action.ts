import { Readable } from 'node:stream';
import {
  MailerToken,
  mayRead,
  RowStoreToken,
  TransfersToken,
  type ScheduledAction,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { exportForm, keepProblems, problemWords } from '../../shared/index.ts';
import { scheduleErrors, scheduleOutcomes, wordsOf } from '../schedule-errors.ts';
import { stamp } from '../stamp.ts';

interface ExportSettings {
  readonly format?: string;
  readonly to?: string;
  readonly keep?: number | null;
}

const megabyte = 1024 * 1024;
/** What most mail servers take. */
const largestMail = 10;
const mostAddresses = 20;

function addressesOf(to: string | undefined): readonly string[] {
  return (to ?? '')
    .split(/[,;\s]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/** The columns that the view shows, or those of the table, as far as the scope may read them. */
function fieldsOf({ scope, table, view }: TableHandle): readonly string[] {
  const columns =
    view === undefined
      ? table.columns.filter((column) => !column.system || column.primaryKey)
      : view.columns
          .filter(({ show }) => show)
          .toSorted((a, b) => a.order - b.order)
          .flatMap(({ columnId }) => table.columnById.get(columnId) ?? []);
  return columns.filter((column) => mayRead(scope, column)).map(({ title }) => title);
}

/** Writes the rows of a view as a file: kept with the run, and mailed where addresses are named. */
export function createExportAction(ctx: ServerPluginContext): ScheduledAction<ExportSettings> {
  const transfers = ctx.get(TransfersToken);
  const rows = ctx.get(RowStoreToken);
  const mailer = ctx.get(MailerToken);
  const formats = () => transfers.exporters().filter(({ isForPrograms }) => isForPrograms !== true);
  const { label, description } = exportForm([]);

  return {
    id: 'schedules.export',
    label,
    description,
    // Plugins that bring formats come and go.
    get settings() {
      return exportForm(formats()).settings;
    },
    icon: 'download',
    target: 'view',
    permission: 'exportCsv',
    check({ to, keep }) {
      const addresses = addressesOf(to);
      const problem =
        addresses.length > mostAddresses
          ? problemWords.many
          : addresses.some((address) => !/^[^@\s]+@[^@\s]+$/.test(address))
            ? problemWords.to
            : addresses.length > 0 && !mailer.isConfigured()
              ? problemWords.noMail
              : undefined;
      return {
        ...keepProblems(keep),
        ...(problem !== undefined && { '/to': problem }),
      };
    },
    async run({ handle, settings, signal, schedule, dueAt, keepFile }) {
      if (handle === undefined) throw scheduleErrors.create('SCHEDULE_NOT_FOUND');
      const format = settings.format ?? 'csv';
      // It may have been set when every format was taken.
      if (!formats().some(({ id }) => id === format))
        throw scheduleErrors.create('SCHEDULE_FORMAT', { format });
      const stream = await rows.stream(handle, { fields: fieldsOf(handle) }, signal);
      const title = handle.view?.title ?? handle.table.title;
      const written = transfers.write(format, stream, { raw: false, title });
      if (written === undefined) throw scheduleErrors.create('SCHEDULE_FORMAT', { format });
      const name = `${title} ${stamp(dueAt, schedule.timeZone)}.${written.extension}`;
      const facts = { name, type: written.mediaType };
      const kept = { newest: settings.keep ?? undefined };
      const to = addressesOf(settings.to);
      if (to.length === 0) {
        await keepFile(Readable.from(written.body, { objectMode: false, signal }), facts, kept);
        return wordsOf(scheduleOutcomes.create('SCHEDULE_FILE_KEPT'));
      }
      const content = await gathered(written.body);
      await keepFile(content, facts, kept);
      await mailer.send({
        to,
        subject: `${schedule.title}: ${name}`,
        text: `The rows of ${title} are attached, as the schedule “${schedule.title}” asks for.`,
        attachments: [{ ...facts, content }],
      });
      return wordsOf(scheduleOutcomes.create('SCHEDULE_FILE_MAILED_TO', { addresses: to.join(', ') }));
    },
  };
}

/** @throws TrellisError for a file that is too large for a mail. */
async function gathered(body: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    const bytes = Buffer.from(part as string);
    size += bytes.length;
    if (size > largestMail * megabyte)
      throw scheduleErrors.create('SCHEDULE_MAIL_LARGE', { megabytes: largestMail });
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
