import { Readable } from 'node:stream';
import {
  mayRead,
  RowStoreToken,
  SchemaStoreToken,
  TransfersToken,
  type ScheduledAction,
  type ScheduledRun,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import { backupForm, keepProblems } from '../../shared/index.ts';
import { scheduleErrors, scheduleOutcomes, wordsOf } from '../schedule-errors.ts';
import { stamp } from '../stamp.ts';
import { zip, type ZipEntry } from './zip.ts';

interface BackupSettings {
  readonly keep?: number | null;
}

/** What the archive says of a table. */
interface TableEntry {
  readonly file: string;
  readonly rows: number;
  readonly table: Pick<TableSchema, 'id' | 'title' | 'tableName' | 'kind' | 'columns' | 'links' | 'views'>;
}

const slug = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N} _-]+/gu, '_')
    .trim()
    .slice(0, 80);

/** Writes a project as an archive: each table that the owner may export as CSV, and what columns, links and views it has as JSON. */
export function createBackupAction(ctx: ServerPluginContext): ScheduledAction<BackupSettings> {
  const transfers = ctx.get(TransfersToken);
  const rows = ctx.get(RowStoreToken);
  const schema = ctx.get(SchemaStoreToken);

  async function* entriesOf({
    scope,
    signal,
    tell,
    dueAt,
  }: ScheduledRun<BackupSettings>): AsyncGenerator<ZipEntry> {
    const { project, tables } = await schema.snapshot(scope);
    // Tables that only hold links are written as well: without them links between rows would be lost.
    const all = [...tables.values()].toSorted((a, b) => a.order - b.order);
    const may = all.filter(({ id }) => scope.inTable(id).may('exportCsv'));
    const listed: TableEntry[] = [];
    for (const [index, table] of may.entries()) {
      const { id, title, tableName, kind, columns, links, views } = table;
      await tell(wordsOf(scheduleOutcomes.create('SCHEDULE_BACKUP_AT', { done: index, total: may.length })));
      const handle = await schema.open(scope, id);
      const fields = columns.filter((column) => mayRead(scope, column)).map((column) => column.title);
      const stream = await rows.stream(handle, { fields }, signal);
      let count = 0;
      const batches = (async function* () {
        for await (const batch of stream.batches) {
          count += batch.length;
          yield batch;
        }
      })();
      const written = transfers.write('csv', { columns: stream.columns, batches }, { raw: true });
      if (written === undefined) throw scheduleErrors.create('SCHEDULE_FORMAT', { format: 'csv' });
      const file = `tables/${String(index + 1).padStart(3, '0')} ${slug(title)}.${written.extension}`;
      yield { path: file, body: written.body };
      listed.push({ file, rows: count, table: { id, title, tableName, kind, columns, links, views } });
    }
    const about = {
      format: 'trellis-backup',
      version: 1,
      made_at: new Date(dueAt).toISOString(),
      project: { id: project.id, title: project.title, description: project.description ?? null },
      left_out: all.length - may.length,
      tables: listed,
    };
    // Last, since it says how many rows were written.
    yield { path: 'trellis.json', body: [`${JSON.stringify(about, undefined, 2)}\n`] };
  }

  return {
    id: 'schedules.backup',
    ...backupForm,
    icon: 'box',
    target: 'none',
    permission: 'exportCsv',
    check: ({ keep }) => keepProblems(keep),
    async run(run) {
      const { scope, schedule, dueAt, signal, settings, keepFile } = run;
      const { project } = await schema.snapshot(scope);
      const name = `${slug(project.title)} ${stamp(dueAt, schedule.timeZone)}.zip`;
      const body = Readable.from(zip(entriesOf(run), new Date(dueAt)), { objectMode: false, signal });
      await keepFile(body, { name, type: 'application/zip' }, { newest: settings.keep ?? undefined });
      return wordsOf(scheduleOutcomes.create('SCHEDULE_FILE_KEPT'));
    },
  };
}
