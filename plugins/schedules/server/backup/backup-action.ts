import {
  AuditLogToken,
  auditText,
  mayRead,
  RowStoreToken,
  SchemaStoreToken,
  writeZip,
  type CellFile,
  type CellFiles,
  type ScheduledAction,
  type ScheduledRun,
  type ServerPluginContext,
  type TableSchema,
  type ZipEntry,
} from '@trellis/sdk/server';
import { backupForm, keepProblems } from '../../shared/index.ts';
import { scheduleOutcomes, wordsOf } from '../schedule-errors.ts';
import { stamp } from '../stamp.ts';
import { archiveFormat, archiveVersion, contentsPath, filePath, type ArchivedTable } from './archive.ts';
import { archivedTable } from './contents.ts';

interface BackupSettings {
  readonly keep?: number | null;
}

/** A title as a file name, cut between code points: half of a surrogate pair would change in the archive's file list. */
const slug = (title: string): string =>
  Array.from(title.replaceAll(/[^\p{L}\p{N} _-]+/gu, '_').trim())
    .slice(0, 80)
    .join('');

/** Files that are looked up at once. */
const filesAtOnce = 400;

/**
 * Writes a project as an archive: the rows of each table that the owner may export, the files of their cells, and the definitions
 * of columns, links and views.
 */
export function createBackupAction(ctx: ServerPluginContext): ScheduledAction<BackupSettings> {
  const rows = ctx.get(RowStoreToken);
  const schema = ctx.get(SchemaStoreToken);
  const types = ctx.registry('columnTypes');

  async function* entriesOf(
    { scope, signal, tell, dueAt }: ScheduledRun<BackupSettings>,
    absent: Set<string>,
  ): AsyncGenerator<ZipEntry> {
    const snapshot = await schema.snapshot(scope);
    const { project } = snapshot;
    // Junction tables are written as well: without them, links between rows would be lost.
    const all = [...snapshot.tables.values()].toSorted((a, b) => a.order - b.order);
    const may = all.filter(({ id }) => scope.inTable(id).may('exportCsv'));
    const listed: ArchivedTable[] = [];
    const holding: Holding[] = [];
    // From one snapshot, or a row could be in the archive without the rows that it names.
    const reading = rows.snapshot(signal);
    try {
      for (const [index, table] of may.entries()) {
        await tell(
          wordsOf(scheduleOutcomes.create('SCHEDULE_BACKUP_AT', { done: index, total: may.length })),
        );
        const columns = storedColumns(table).filter((column) => mayRead(scope, column));
        const titles = columns.map(({ title }) => title);
        const stream = await reading.stream(await schema.open(scope, table.id), { fields: titles });
        const own = columns.flatMap((column): Holding[] => {
          const files = types.get(column.type)?.server?.files;
          return files === undefined ? [] : [{ title: column.title, files, ids: new Set() }];
        });
        let count = 0;
        const body = (async function* () {
          for await (const batch of stream.batches) {
            count += batch.length;
            for (const { title, files, ids } of own)
              for (const row of batch) for (const id of files.idsOf(row[title] ?? null)) ids.add(id);
            yield batch
              .map((row) => `${JSON.stringify(titles.map((title) => row[title] ?? null))}\n`)
              .join('');
          }
        })();
        const file = `rows/${String(index + 1).padStart(3, '0')} ${slug(table.title)}.jsonl`;
        yield { path: file, body };
        holding.push(...own);
        const arranged = table.rowOrder !== undefined;
        const written = { file, columns: columns.map(({ id }) => id), count, arranged };
        listed.push(archivedTable(table, snapshot, written));
      }
    } finally {
      await reading.close();
    }
    const names = new Map<string, string>();
    for (const { ids } of holding) for (const id of ids) absent.add(id);
    for await (const found of filesOf(holding, project.id)) {
      if (names.has(found.id)) continue;
      const content = await found.read(signal);
      // A missing file must not prevent the backup of the rest.
      if (content === undefined) continue;
      names.set(found.id, found.name);
      absent.delete(found.id);
      yield { path: filePath(found.id), body: content };
    }
    const about = {
      format: archiveFormat,
      version: archiveVersion,
      made_at: new Date(dueAt).toISOString(),
      project: {
        title: project.title,
        description: project.description ?? null,
        color: project.color ?? null,
        meta: project.meta ?? null,
      },
      left_out: all.length - may.length,
      tables: listed,
      files: Object.fromEntries(names),
    };
    // Last, since it contains the number of rows written.
    yield { path: contentsPath, body: [`${JSON.stringify(about, undefined, 2)}\n`] };
  }

  return {
    id: 'schedules.backup',
    ...backupForm,
    icon: 'box',
    target: 'none',
    isLong: true,
    permission: 'exportCsv',
    check: ({ keep }) => keepProblems(keep),
    async run(run) {
      const { scope, schedule, dueAt, settings, keepFile } = run;
      const { project } = await schema.snapshot(scope);
      const name = `${slug(project.title)} ${stamp(dueAt, schedule.timeZone)}.zip`;
      /** Files that cells name and the archive lacks. */
      const absent = new Set<string>();
      const body = writeZip(entriesOf(run, absent), { at: new Date(dueAt) });
      await keepFile(body, { name, type: 'application/zip' }, { newest: settings.keep ?? undefined });
      await ctx.get(AuditLogToken).record({
        type: 'PROJECT',
        subType: 'EXPORT_TO_ZIP',
        principal: scope.principal,
        projectId: project.id,
        description: auditText('The project was backed up as {{file}}', { file: name }),
      });
      return wordsOf(
        absent.size === 0
          ? scheduleOutcomes.create('SCHEDULE_FILE_KEPT')
          : scheduleOutcomes.create('SCHEDULE_KEPT_WITHOUT', { count: absent.size }),
      );
    },
  };
}

/** The stored columns; computed ones are computed again. */
function storedColumns({ columns }: TableSchema) {
  return columns.filter(({ columnName }) => columnName !== '');
}

/** A column whose cells name files, and the files found so far. */
interface Holding {
  readonly title: string;
  readonly files: CellFiles;
  readonly ids: Set<string>;
}

async function* filesOf(holding: readonly Holding[], projectId: string): AsyncGenerator<CellFile> {
  for (const { files, ids } of holding) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += filesAtOnce)
      yield* await files.find(all.slice(from, from + filesAtOnce), projectId);
  }
}
