import { expect, test } from '@jest/globals';
import type { Predicate } from '@trellis/sdk/shared';
import { describeEachDatabase } from '../databases/testing.ts';
import { library, links } from './testing/library.ts';
import { createReference } from './testing/reference.ts';
import { selectAll, type CompiledQuery } from './select.ts';
import { columnId, createTables } from './testing/tables.ts';
import { deleteMatching, updateMatching } from './write.ts';

describeEachDatabase('a write over a condition', (open) => {
  /** Books of authors of whom another book has no price: a condition that reads the table that is written. */
  const predicate: Predicate = {
    kind: 'some',
    linkId: 'author',
    where: {
      kind: 'some',
      linkId: 'books',
      where: { kind: 'isNull', item: { kind: 'column', columnId: columnId('book', 'price') } },
    },
  };

  async function start() {
    const database = await open();
    const { context } = await createTables(database, library, links);
    const query: CompiledQuery = { ...context('book'), predicate, order: [] };
    const { table } = query;
    const column = (name: string) => table.columns.filter(({ title }) => title === name);
    const cells = async (name: string) => {
      const statement = selectAll({ ...query, predicate: undefined }, [...table.primaryKey, ...column(name)]);
      const { rows } = await database.read((unit) => unit.rows(statement));
      return new Map(rows.map(([id, cell]) => [Number(id), cell]));
    };
    const meant = (library['book']?.rows ?? []).flatMap((row, index) =>
      createReference(library).evaluatePredicate(predicate, { table: 'book', index }) === true
        ? [Number(row[0])]
        : [],
    );
    return { database, query, column, cells, meant };
  }

  test('that leads over links back to its own table deletes the rows that meet it', async () => {
    const { database, query, cells, meant } = await start();
    const before = [...(await cells('title')).keys()];
    const { changes } = await database.write((unit) => unit.run(deleteMatching(query)));
    expect(changes).toBe(meant.length);
    expect(meant.length).toBeGreaterThan(0);
    const left = new Set((await cells('title')).keys());
    expect(left).toEqual(new Set(before.filter((id) => !meant.includes(id))));
  });

  test('that leads over links back to its own table updates the rows that meet it', async () => {
    const { database, query, column, cells, meant } = await start();
    const [title] = column('title');
    if (title === undefined) throw new Error('The books have no title.');
    await database.write((unit) => unit.run(updateMatching(query, [[title, 'changed']])));
    const changed = [...(await cells('title'))].filter(([, value]) => value === 'changed').map(([id]) => id);
    expect(new Set(changed)).toEqual(new Set(meant));
  });
});
