import type { FileHolder, PluginDatabase, PluginUnit } from '@trellis/sdk/server';

interface RefRow {
  readonly ref: string;
}

/** The references of people's pictures, for whoever counts files or moves them to another storage. How large they are is not kept. */
export function heldPictures(db: PluginDatabase): FileHolder {
  const keptIn = (unit: PluginUnit, place: string) =>
    unit.table('picture').where('ref', 'like', `${place}:%`);
  return {
    id: 'sys-users.pictures',
    async count(place) {
      const sum = await db.read((unit) =>
        unit.first<{ readonly files: number | string }>(keptIn(unit, place).count({ files: '*' })),
      );
      return { files: Number(sum?.files ?? 0), bytes: 0 };
    },
    list: (place, { after, most }) =>
      db.read((unit) => {
        const some = keptIn(unit, place).orderBy('ref').limit(most).select('ref');
        return unit.all<RefRow>(after === undefined ? some : some.where('ref', '>', after));
      }),
    async repoint(from, to) {
      const changed = await db.write((unit) =>
        unit.run(unit.table('picture').where({ ref: from }).update({ ref: to })),
      );
      return changed > 0;
    },
    async holds(ref) {
      const found = await db.read((unit) =>
        unit.first<RefRow>(unit.table('picture').where({ ref }).select('ref')),
      );
      return found !== undefined;
    },
  };
}
