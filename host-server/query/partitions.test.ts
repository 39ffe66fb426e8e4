import { expect, test } from '@jest/globals';
import type { LinkSchema } from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import { describeEachDatabase } from '../databases/testing.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import { selectGroupPages, selectLinked } from './partitions.ts';
import { library, links } from './testing/library.ts';
import { createReference } from './testing/reference.ts';
import type { CompiledQuery } from './select.ts';
import { columnId, createTables } from './testing/tables.ts';

const { evaluate, linkedRows } = createReference(library);

async function numbers(database: Database, statement: SqlFragment): Promise<(number | null)[][]> {
  const { rows } = await database.read((unit) => unit.rows(statement));
  return rows.map((cells) => cells.map((cell) => (cell === null ? null : Number(cell))));
}

describeEachDatabase('parts of a table', (open) => {
  async function start() {
    const database = await open();
    const { context } = await createTables(database, library, links);
    const query = (table: string): CompiledQuery => {
      const of = context(table);
      return {
        ...of,
        predicate: undefined,
        order: of.table.primaryKey.map((column) => ({ column, direction: 'asc' })),
      };
    };
    return { database, query };
  }

  test('are its groups by any kind of column, each with its first rows and its size', async () => {
    const { database, query } = await start();
    const author = query('author');
    const columns = Object.keys(library['author']?.columns ?? {});
    for (const name of columns) {
      const by = author.table.columnById.get(columnId('author', name));
      if (by === undefined) throw new Error(`The table has no column '${name}'.`);
      const statement = selectGroupPages(author, author.table.primaryKey, { by, perGroup: 2, limit: 100 });
      const { rows } = await database.read((unit) => unit.rows(statement));
      const groups = new Map<string, number[]>();
      for (const [index, row] of (library['author']?.rows ?? []).entries()) {
        const value = evaluate({ kind: 'column', columnId: by.id }, { table: 'author', index });
        const key = value === undefined ? 'null' : String(value.value);
        groups.set(key, [...(groups.get(key) ?? []), Number(row[0])]);
      }
      const expected = [...groups.values()].flatMap((ids) =>
        ids.slice(0, 2).map((id, index) => [id, ids.length, index + 1]),
      );
      const found = rows.map(([id, , count, place]) => [Number(id), Number(count), Number(place)]);
      const byId = (left: number[], right: number[]) => (left[0] ?? 0) - (right[0] ?? 0);
      expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
    }
  });

  test.each([...links])(
    'are the rows that the link $id leads to from each of several rows',
    async (fixture) => {
      const { database, query } = await start();
      const link = { title: fixture.id, ...fixture } as unknown as LinkSchema;
      const there = query(link.toTableId);
      const starts = (library[link.tableId]?.rows ?? []).map((_, index) => ({ table: link.tableId, index }));
      const valueAt = (place: (typeof starts)[number], id: string) => {
        const value = evaluate({ kind: 'column', columnId: id }, place);
        return value === undefined ? undefined : Number(value.value);
      };
      const keyed = starts.flatMap((place) => {
        const key = valueAt(place, link.columnIds[0] ?? '');
        return key === undefined ? [] : [{ place, key }];
      });
      const keys = [...new Set(keyed.map(({ key }) => key))];
      const statement = selectLinked(there, there.table.primaryKey, {
        link,
        keys: keys.map((key) => [key]),
        perRow: 2,
        limit: 100,
      });
      const expected = keys.flatMap((key) => {
        const place = keyed.find((one) => one.key === key)?.place;
        const found = place === undefined ? [] : linkedRows(place, link.id, undefined);
        return found
          .slice(0, 2)
          .map((other, index) => [key, valueAt(other, columnId(link.toTableId, 'id')) ?? null, index + 1]);
      });
      const sorted = (rows: readonly (readonly (number | null)[])[]) =>
        rows.map((row) => JSON.stringify(row)).toSorted();
      expect(sorted(await numbers(database, statement))).toEqual(sorted(expected));
      const ofOne = async (key: number, perRow: number) => {
        const asked = { link, keys: [[key]], perRow, limit: 100 };
        return sorted(await numbers(database, selectLinked(there, there.table.primaryKey, asked)));
      };
      // The text is the same for all keys, and another one for another number of rows.
      for (const key of keys) {
        const own = expected.filter(([of]) => of === key);
        expect(await ofOne(key, 2)).toEqual(sorted(own));
        expect(await ofOne(key, 1)).toEqual(sorted(own.slice(0, 1)));
      }
      const none = selectLinked(there, there.table.primaryKey, { link, keys: [], perRow: 2, limit: 100 });
      expect(await numbers(database, none)).toEqual([]);
    },
  );
});
