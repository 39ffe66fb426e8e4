import type { FileHolder, HeldFile, PluginDatabase, PluginUnit } from '@trellis/sdk/server';

/** What the references of a table point to. */
type Held = 'file' | 'preview';

/** The references of files in cells, or of their small pictures, for counting files or moving them to another storage. */
export class HeldFiles implements FileHolder {
  readonly id: string;
  readonly #db: PluginDatabase;
  readonly #held: Held;

  constructor(db: PluginDatabase, held: Held) {
    this.id = `column-attachment.${held}s`;
    this.#db = db;
    this.#held = held;
  }

  async count(place: string): Promise<{ readonly files: number; readonly bytes: number }> {
    const sum = await this.#db.read((unit) =>
      unit.first<{ readonly files: number | string; readonly bytes: number | string | null }>(
        this.#keptIn(unit, place).count({ files: '*' }).sum({ bytes: 'bytes' }),
      ),
    );
    return { files: Number(sum?.files ?? 0), bytes: Number(sum?.bytes ?? 0) };
  }

  async list(
    place: string,
    { after, most }: { readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly HeldFile[]> {
    const rows = await this.#db.read((unit) => {
      const some = this.#keptIn(unit, place).orderBy('ref').limit(most).select('ref', 'bytes');
      return unit.all<{ readonly ref: string; readonly bytes: number | string }>(
        after === undefined ? some : some.where('ref', '>', after),
      );
    });
    return rows.map(({ ref, bytes }) => ({ ref, size: Number(bytes) }));
  }

  /** A file marked for deletion is removed by the reference that the sweep has read. */
  async repoint(from: string, to: string): Promise<boolean> {
    const changed = await this.#db.write((unit) =>
      unit.run(this.#kept(unit).where({ ref: from }).update({ ref: to })),
    );
    return changed > 0;
  }

  async holds(ref: string): Promise<boolean> {
    const found = await this.#db.read((unit) =>
      unit.first<{ readonly ref: string }>(unit.table(this.#held).where({ ref }).select('ref')),
    );
    return found !== undefined;
  }

  #kept(unit: PluginUnit) {
    const held = unit.table(this.#held);
    return this.#held === 'file' ? held.whereNull('doomed_at') : held;
  }

  /** References begin with the id of a place, which contains no wildcard characters. */
  #keptIn(unit: PluginUnit, place: string) {
    return this.#kept(unit).where('ref', 'like', `${place}:%`);
  }
}
