import type {
  AccessService,
  Files,
  Logger,
  ProjectSnapshot,
  RowStore,
  SchemaStore,
  TableSchema,
} from '@trellis/sdk/server';
import { TrellisError, type FilterNode } from '@trellis/sdk/shared';
import { attachment, fileIdOf, filesOf, waitingMs } from '../shared/index.ts';
import type { FileStore, Waiting } from './file-store.ts';
import type { PreviewStore } from './preview-store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The services that the sweeps use. */
export interface SweepServices {
  readonly access: AccessService;
  readonly schema: SchemaStore;
  readonly rows: RowStore;
  readonly files: Files;
  readonly store: FileStore;
  readonly previews: PreviewStore;
  /** Days for which a file is kept after the last cell dropped it. */
  keepDays(): number;
}

/** One run of a sweep. */
export interface SweepRun {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Milliseconds since 1970; set by tests. */
  readonly now?: number;
}

/**
 * Removes uploads that no row took in time, and what an earlier sweep could not remove. A change of type brings files into cells
 * without writing rows, so the cells of a project are scanned before its uploads are removed.
 */
export async function sweepUploads(services: SweepServices, run: SweepRun): Promise<void> {
  const now = run.now ?? Date.now();
  await doomWaiting(services, { before: now - waitingMs.stranger, isOfStrangers: true }, { ...run, now });
  await doomWaiting(services, { before: now - waitingMs.member, isOfStrangers: false }, { ...run, now });
  await removeDoomed(services, run);
}

async function doomWaiting(
  services: SweepServices,
  waiting: Waiting,
  run: SweepRun & { readonly now: number },
): Promise<void> {
  const { store } = services;
  const unread: string[] = [];
  for (const projectId of await store.projectsWaiting(waiting))
    if (!(await isLookedThrough(services, projectId, run))) unread.push(projectId);
  await store.doomWaiting(waiting, unread);
}

/**
 * Scans the cells of all projects for files, and removes those that no cell has held for so long that nothing restores them: no
 * undo, and no table or column from the trash. The scan is authoritative, so files of rows that others deleted in the database are
 * removed as well. The files of a project that cannot be read now are kept.
 */
export async function sweepFiles(services: SweepServices, run: SweepRun): Promise<void> {
  const { store, keepDays } = services;
  const now = run.now ?? Date.now();
  for (const projectId of await store.projects()) {
    if (!(await isLookedThrough(services, projectId, { ...run, now }))) continue;
    await store.missed(projectId, now);
    await store.doomUnseen(projectId, now - keepDays() * dayMs);
  }
  await removeDoomed(services, run);
}

/** Records which files the cells of a project hold; false if the project cannot be read now. */
async function isLookedThrough(
  services: SweepServices,
  projectId: string,
  { signal, logger, now }: SweepRun & { readonly now: number },
): Promise<boolean> {
  signal.throwIfAborted();
  try {
    await seeFilesOf(services, { projectId, now, signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('The files of a project were not looked through', { projectId, error });
    return false;
  }
}

/** A scan of the cells of one project. */
interface Look {
  readonly projectId: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

async function seeFilesOf(services: SweepServices, look: Look): Promise<void> {
  const { access, schema } = services;
  const { projectId } = look;
  const scope = access.systemScope(projectId, 'column-attachment.sweep');
  let snapshot: ProjectSnapshot;
  try {
    snapshot = await schema.snapshot(scope);
  } catch (error) {
    // A deleted project holds nothing.
    if (error instanceof TrellisError && error.status === 404) return;
    throw error;
  }
  for (const table of snapshot.tables.values()) await seeFilesIn(services, table, look);
}

async function seeFilesIn(
  { access, schema, rows, store }: SweepServices,
  table: TableSchema,
  { projectId, now, signal }: Look,
): Promise<void> {
  const columns = table.columns.filter(({ type }) => type === attachment.id);
  const scope = access.systemScope(projectId, 'column-attachment.sweep');
  for (const { id, title } of columns) {
    const handle = await schema.open(scope, table.id);
    const isFilled: FilterNode = {
      kind: 'condition',
      logicalOp: 'and',
      columnId: id,
      operator: 'notnull',
      value: undefined,
    };
    const { batches } = await rows.stream(handle, { fields: [title], filters: [isFilled] }, signal);
    for await (const batch of batches) {
      const ids = batch.flatMap((row) => filesOf(row[title]).flatMap(({ url }) => fileIdOf(url) ?? []));
      await store.see(ids, { projectId, at: now });
    }
  }
}

/** Bytes first: what cannot be removed now is tried again by the next sweep. */
async function removeDoomed(services: SweepServices, { signal, logger }: SweepRun): Promise<void> {
  const { files, store } = services;
  let after = '';
  for (;;) {
    const doomed = await store.doomed(after);
    for (const { id, ref } of doomed) {
      signal.throwIfAborted();
      after = id;
      try {
        await removePreviews(services, id);
        await files.remove(ref);
        await store.forget(id);
      } catch (error) {
        logger.warn('A file was not removed', { id, error });
      }
    }
    if (doomed.length === 0) return;
  }
}

/** Repeated until there is none: one that is moved to another storage meanwhile has a new reference. */
async function removePreviews({ files, previews }: SweepServices, fileId: string): Promise<void> {
  for (let isMore = true; isMore;) {
    const refs = await previews.refsOf(fileId);
    for (const ref of refs) await files.remove(ref);
    await previews.forget(fileId, refs);
    isMore = refs.length > 0;
  }
}
