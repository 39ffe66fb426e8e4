import type { AccessScope, CellFiles, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import { filePath } from '../backup/archive.ts';
import type { OpenArchive } from './open-archive.ts';

/** Columns of a table whose cells name files. */
type Holding = readonly (readonly [columnId: string, files: CellFiles])[];

/** Stores the files of cells from an archive, each once. */
export function restoreCellFiles(open: OpenArchive, signal: AbortSignal) {
  const kept = new Map<string, string>();
  const absent = new Set<string>();

  async function keep(
    id: string,
    files: CellFiles,
    place: { readonly scope: AccessScope; readonly table: TableSchema },
  ): Promise<void> {
    if (kept.has(id) || absent.has(id)) return;
    const name = open.contents.files.get(id);
    const content = name === undefined ? undefined : await open.read(filePath(id));
    if (name === undefined || content === undefined) {
      absent.add(id);
      return;
    }
    try {
      kept.set(id, await files.keep({ name, content, signal }, place));
    } finally {
      content.destroy();
    }
  }

  return {
    /** The number of files that cells name and the archive lacks. */
    get missing(): number {
      return absent.size;
    },

    /** The rows with references to their stored files. */
    async replaced(
      batch: readonly ValuesByColumn[],
      holding: Holding,
      place: { readonly scope: AccessScope; readonly table: TableSchema },
    ): Promise<readonly ValuesByColumn[]> {
      for (const [columnId, files] of holding)
        for (const row of batch)
          for (const id of files.idsOf(row[columnId] ?? null)) await keep(id, files, place);
      return batch.map((row) => ({
        ...row,
        ...Object.fromEntries(
          holding.map(([columnId, files]) => [columnId, files.replaced(row[columnId] ?? null, kept)]),
        ),
      }));
    },
  };
}
