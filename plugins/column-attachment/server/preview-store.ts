import type { PluginDatabase } from '@trellis/sdk/server';
import type { PreviewSize } from '../shared/index.ts';

/** The stored bytes of a small picture; without a reference, none can be made. */
export interface KeptPreview {
  readonly size: PreviewSize;
  /** The reference of the bytes for `Files`. */
  readonly ref: string | undefined;
  readonly bytes: number;
}

interface PreviewRow {
  readonly size: PreviewSize;
  readonly ref: string | null;
  readonly bytes: number | string;
}

/** The stored small pictures of files. */
export class PreviewStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async find(fileId: string, size: PreviewSize): Promise<KeptPreview | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<PreviewRow>(unit.table('preview').where({ file_id: fileId, size })),
    );
    return row && { size: row.size, ref: row.ref ?? undefined, bytes: Number(row.bytes) };
  }

  /** Stores all small pictures of a file; false if it is marked for deletion, or has some already. */
  async add(fileId: string, previews: readonly KeptPreview[]): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const file = await unit.first(
        unit.table('file').where({ id: fileId }).whereNull('doomed_at').forUpdate().select('id'),
      );
      const known = await unit.first(unit.table('preview').where({ file_id: fileId }).select('file_id'));
      if (file === undefined || known !== undefined) return false;
      const rows = previews.map(({ size, ref, bytes }) => ({
        file_id: fileId,
        size,
        ref: ref ?? null,
        bytes,
      }));
      await unit.run(unit.table('preview').insert(rows));
      return true;
    });
  }

  async refsOf(fileId: string): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly ref: string }>(
        unit.table('preview').where({ file_id: fileId }).whereNotNull('ref').select('ref'),
      ),
    );
    return rows.map(({ ref }) => ref);
  }

  /** Deletes the entries of small pictures whose bytes were removed, and of those that could not be made. */
  async forget(fileId: string, refs: readonly string[]): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('preview')
          .where({ file_id: fileId })
          .where((of) => void of.whereNull('ref').orWhereIn('ref', refs))
          .delete(),
      ),
    );
  }
}
