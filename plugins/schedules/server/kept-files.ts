import type { FileHolder, HeldFile, PluginDatabase, PluginUnit, StoredFile } from '@trellis/sdk/server';

type Query = ReturnType<PluginUnit['table']>;

/** The tables that name files: the runs that created them, and restores of their backups and of uploaded files. */
const tables = ['run', 'restore'] as const;

interface Naming {
  readonly table: (typeof tables)[number];
  readonly id: string;
  readonly file: Pick<StoredFile, 'ref' | 'size'>;
  /** Whether a restore is reading the file, by the reference with which it began. */
  readonly isRead: boolean;
}

/**
 * The files of runs and uploaded backups, for counting files or moving them to another storage. A run and restores of its backup
 * share one file.
 */
export class KeptFiles implements FileHolder {
  readonly id = 'schedules.files';
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async count(place: string): Promise<{ readonly files: number; readonly bytes: number }> {
    const sizes = new Map((await this.#in(place)).map(({ file }) => [file.ref, file.size]));
    return { files: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
  }

  /** Without those that a restore is reading, which are moved the next time. */
  async list(
    place: string,
    { after = '', most }: { readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly HeldFile[]> {
    const named = await this.#in(place);
    const read = new Set(named.flatMap(({ file, isRead }) => (isRead ? [file.ref] : [])));
    const sizes = new Map(named.map(({ file }) => [file.ref, file.size]));
    return [...sizes]
      .filter(([ref]) => ref > after && !read.has(ref))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, most)
      .map(([ref, size]) => ({ ref, size }));
  }

  async repoint(from: string, to: string): Promise<boolean> {
    return this.#db.write(async (unit) => {
      const named = await namings(unit, wholeRef(from), (query) => query.forUpdate());
      if (named.length === 0 || named.some(({ isRead }) => isRead)) return false;
      for (const { table, id, file } of named)
        await unit.run(
          unit
            .table(table)
            .where({ id })
            .update({ file: JSON.stringify({ ...file, ref: to }) }),
        );
      return true;
    });
  }

  async holds(ref: string): Promise<boolean> {
    return (await this.#db.read((unit) => namings(unit, wholeRef(ref)))).length > 0;
  }

  #in(place: string): Promise<readonly Naming[]> {
    return this.#db.read((unit) => namings(unit, `${place}:`));
  }
}

/** The form of a reference in the stored JSON of a file, with its closing quote. */
const wholeRef = (ref: string): string => `${ref}"`;

/**
 * Rows that name files whose references begin like this. A reference is first in the stored JSON of its file, and contains no
 * wildcard characters, nor does the id of a place.
 */
async function namings(
  unit: PluginUnit,
  begin: string,
  narrow: (query: Query) => Query = (query) => query,
): Promise<readonly Naming[]> {
  const found: Naming[] = [];
  for (const table of tables) {
    const rows = await unit.all<{ readonly id: string; readonly file: string; readonly state: string }>(
      narrow(unit.table(table).where('file', 'like', `{"ref":"${begin}%`).select('id', 'file', 'state')),
    );
    for (const { id, file, state } of rows)
      found.push({
        table,
        id,
        file: JSON.parse(file) as Naming['file'],
        isRead: table === 'restore' && state === 'running',
      });
  }
  return found;
}
