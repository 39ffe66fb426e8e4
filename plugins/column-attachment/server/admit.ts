import type { AttachedFile } from '@trellis/sdk/shared';
import type { CellWrite, ColumnAdoption, ColumnTypeServerPart } from '@trellis/sdk/server';
import { cellOf, fileIdOf, fileProblem, filesOf, type AttachmentOptions } from '../shared/index.ts';
import { attachedFile } from './addresses.ts';
import { fileErrors, refusal } from './file-errors.ts';
import type { FileRecord, FileStore } from './file-store.ts';
import { senderOf } from './uploads.ts';

/**
 * Checks the files for cells, and fills in their stored properties: only the title is taken from the sender. A file must belong to
 * the project, or have been uploaded by the caller without a project, and then belongs to this one. Addresses elsewhere are links:
 * they keep only address and title. A file that the cell already holds stays, whatever its state.
 */
export function admitFiles(
  store: FileStore,
  siteOf: () => string,
): NonNullable<ColumnTypeServerPart['admit']> {
  return async (writes, place) => {
    const { scope, column } = place;
    const cells = writes.map(({ value }) => filesOf(value));
    const { principal } = scope;
    const into = {
      projectId: scope.projectId ?? '',
      principalId: senderOf(principal),
      isStranger: principal.kind === 'sharedView',
      column,
    };
    const checking: Checking = {
      ...(await knownFiles(cells, into, { store, site: siteOf() })),
      taken: new Map(),
    };
    const kept: { value: string | null }[] = [];
    for (const [at, write] of writes.entries())
      kept.push({ value: cellOf(await keptFiles(cells[at] ?? [], write, checking)) });
    const attached = await store.attach([...checking.taken.keys()], into.projectId);
    for (const [id, title] of checking.taken)
      if (!attached.has(id)) throw fileErrors.create('FILE_NOT_HERE', { title });
    return kept;
  };
}

/** Files named by cells, and the target. */
export interface KnownFiles {
  readonly known: ReadonlyMap<string, FileRecord>;
  readonly into: Pick<ColumnAdoption, 'projectId' | 'principalId' | 'column'> & {
    /** Whether the cells come from a visitor, who may name only files from the same sender. */
    readonly isStranger?: boolean;
  };
  readonly site: string;
}

/** Looks up the stored properties of files in cells. */
export async function knownFiles(
  cells: readonly (readonly AttachedFile[])[],
  into: KnownFiles['into'],
  { store, site }: { readonly store: FileStore; readonly site: string },
): Promise<KnownFiles> {
  const ids = cells.flat().flatMap(({ url }) => fileIdOf(url) ?? []);
  const known = ids.length === 0 ? new Map<string, FileRecord>() : await store.byIds(ids);
  return { known, into, site };
}

interface Checking extends KnownFiles {
  /** The titles of the files for the cells, by id. */
  readonly taken: Map<string, string>;
}

async function keptFiles(
  files: readonly AttachedFile[],
  write: CellWrite,
  checking: Checking,
): Promise<readonly AttachedFile[]> {
  const kept: AttachedFile[] = [];
  let former: readonly AttachedFile[] | undefined;
  for (const file of files) {
    const id = ownId(file.url, checking);
    const found = id === undefined ? undefined : checking.known.get(id);
    const isLink = id === undefined && checking.into.isStranger !== true;
    const problem = isLink ? undefined : problemOf(file, found, checking.into);
    if (problem === undefined) {
      if (found === undefined) kept.push({ url: file.url, title: file.title });
      else {
        checking.taken.set(found.id, file.title);
        kept.push(attachedFile(found, file.title, checking.site));
      }
      continue;
    }
    former ??= filesOf(await write.former());
    const held = former.find(({ url }) => fileIdOf(url) === id);
    if (held === undefined) throw problem;
    kept.push({ ...held, title: file.title });
  }
  return kept;
}

/** The file id in an address of this server: without a host, under its public address, or of a file that exists here. */
export function ownId(url: string, { known, site }: KnownFiles): string | undefined {
  const id = fileIdOf(url);
  if (id === undefined) return undefined;
  const isOurs = url.startsWith('/') || (site !== '' && url.startsWith(`${site}/`)) || known.has(id);
  return isOurs ? id : undefined;
}

/** Why a file of ours is refused. */
export function problemOf(
  { title }: AttachedFile,
  found: FileRecord | undefined,
  { projectId, principalId, isStranger = false, column }: KnownFiles['into'],
): Error | undefined {
  const isHere =
    found !== undefined &&
    (found.projectId === undefined ? found.uploaderId === principalId : found.projectId === projectId) &&
    (!isStranger || found.uploaderId === principalId);
  if (!isHere) return fileErrors.create('FILE_NOT_HERE', { title });
  const problem = fileProblem(found, column.options as AttachmentOptions);
  return problem && refusal(title, column.title, problem);
}
