import type { FileHolder, HeldFile, PluginDatabase, PluginUnit } from '@trellis/sdk/server';

/** The references of the files in cells, for whoever counts files or moves them to another storage. */
export class HeldFiles implements FileHolder {
  readonly id = 'column-attachment.files';
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async count(place: string): Promise<{ readonly files: number; readonly bytes: number }> {
    const sum = await this.#db.read((unit) =>
      unit.first<{ readonly files: number | string; readonly bytes: number | string | null }>(
        keptIn(unit, place).count({ files: '*' }).sum({ bytes: 'bytes' }),
      ),
    );
    return { files: Number(sum?.files ?? 0), bytes: Number(sum?.bytes ?? 0) };
  }

  async list(
    place: string,
    { after, most }: { readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly HeldFile[]> {
    const rows = await this.#db.read((unit) => {
      const some = keptIn(unit, place).orderBy('ref').limit(most).select('ref', 'bytes');
      return unit.all<{ readonly ref: string; readonly bytes: number | string }>(
        after === undefined ? some : some.where('ref', '>', after),
      );
    });
    return rows.map(({ ref, bytes }) => ({ ref, size: Number(bytes) }));
  }

  /** One that was decided to go is removed by the reference that the sweep has read. */
  async repoint(from: string, to: string): Promise<boolean> {
    const changed = await this.#db.write((unit) =>
      unit.run(unit.table('file').where({ ref: from }).whereNull('doomed_at').update({ ref: to })),
    );
    return changed > 0;
  }

  async holds(ref: string): Promise<boolean> {
    const found = await this.#db.read((unit) =>
      unit.first<{ readonly ref: string }>(unit.table('file').where({ ref }).select('ref')),
    );
    return found !== undefined;
  }
}

/** References begin with the id of a place, which has no sign that stands for others. */
function keptIn(unit: PluginUnit, place: string) {
  return unit.table('file').where('ref', 'like', `${place}:%`).whereNull('doomed_at');
}
