import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { definitionsIn, films, SqliteFiles } from './sqlite-files.ts';

describeEachMetadata('an existing SQLite database', (open) => {
  const files = new SqliteFiles(open);

  test('becomes tables and views with titles, keys and types, and stays as it was', async () => {
    const file = await files.openFile('shop.db', films);
    const before = await definitionsIn(file);
    const { tables } = (await files.connectFile('shop.db')).snapshot;
    expect([...tables.values()].map(({ title, tableName, kind }) => [title, tableName, kind])).toEqual([
      ['Actor', 'actor', 'table'],
      ['Film', 'film', 'table'],
      ['FilmActor', 'film_actor', 'table'],
      ['FilmActor1', 'filmActor', 'table'],
      ['Log', 'log', 'table'],
      ['Nameless', 'nameless', 'table'],
      ['Review', 'review', 'table'],
      ['we"ird; drop table film -- ?', 'we"ird; drop table film -- ?', 'table'],
      ['LongFilms', 'long_films', 'view'],
    ]);
    expect(await definitionsIn(file)).toEqual(before);

    const columns = (title: string) =>
      [...tables.values()]
        .find((table) => table.title === title)
        ?.columns.map((column) =>
          [
            column.title,
            column.type,
            column.primaryKey && 'key',
            column.required && 'required',
            column.generated && 'generated',
            column.display && 'display',
            column.system && 'system',
          ]
            .filter(Boolean)
            .join(' '),
        );
    expect(columns('Film')).toEqual([
      'FilmId Number key system',
      'Title LongText required display',
      'Length Number',
      expect.stringMatching(/^Poster \w+ generated$/),
      'FilmActor List LinkToAnotherRecord',
      'Review List LinkToAnotherRecord',
    ]);
    expect(columns('Actor')).toEqual([
      'ActorId Number key system',
      'FirstName LongText',
      'FullName LongText generated display',
      'FilmActor List LinkToAnotherRecord',
    ]);
    expect(columns('FilmActor')?.map((column) => column.split(' ').slice(0, 3).join(' '))).toEqual([
      'FilmId Number key',
      'ActorId Number key',
      'Role LongText display',
      'Film LinkToAnotherRecord',
      'Actor LinkToAnotherRecord',
    ]);
    expect(columns('Review')?.[1]).toBe('FilmId ForeignKey required system');
    // A number names no row, so the key does.
    expect(columns('Review')?.[0]).toMatch(/^Id .*display/);
    expect(columns('Review')?.[2]).toBe('Stars Decimal');
    expect(columns('LongFilms')).toEqual([expect.stringMatching(/^FilmId/), expect.stringMatching(/^Title/)]);
    const film = [...tables.values()].find((table) => table.title === 'Film');
    expect(film?.defaultView?.columns.every(({ show }) => show)).toBe(true);
  });

  test('shows its keys in new views as in the first one', async () => {
    const { scope, table, views } = await files.connect();
    const film = await table('Film');
    const made = await views.create(scope, film.id, { title: 'Mine', type: 'grid' });
    expect(made.columns.every(({ show }) => show)).toBe(true);
  });

  test('has rows that are read and written by their key, of one column or of several', async () => {
    const { rowStore, handleOf, scope, table, file } = await files.connect();
    const film = await table('Film');
    const made = await rowStore.create(await handleOf(scope, film.id), { Title: 'Solaris' });
    expect(made.result).toMatchObject({ FilmId: 3, Title: 'Solaris', Length: 90 });
    const cast = await table('FilmActor');
    await rowStore.create(await handleOf(scope, cast.id), { FilmId: 3, ActorId: 1, Role: 'guest' });
    await rowStore.update(await handleOf(scope, cast.id), '3___1', { Role: 'lead' });
    expect(await rowStore.read(await handleOf(scope, cast.id), '3___1')).toMatchObject({ Role: 'lead' });
    expect((await rowStore.delete(await handleOf(scope, cast.id), '1___1')).result).toBe(1);
    expect(await rowStore.list(await handleOf(scope, cast.id), {}, { limit: 9, offset: 0 })).toHaveLength(1);
    const actor = await table('Actor');
    await rowStore.create(await handleOf(scope, actor.id), { FirstName: 'Ash', FullName: 'ignored' });
    expect(
      await rowStore.list(await handleOf(scope, actor.id), { sort: ['-ActorId'] }, { limit: 1, offset: 0 }),
    ).toMatchObject([{ FirstName: 'Ash', FullName: 'ASH' }]);
    await expect(rowStore.delete(await handleOf(scope, actor.id), '1')).rejects.toMatchObject({
      code: 'ROW_IN_USE',
      message: "Rows of 'FilmActor' still point to this row of 'Actor', so it cannot be deleted.",
    });
    const review = { FilmId: 99, Stars: '3' };
    await expect(
      rowStore.create(await handleOf(scope, (await table('Review')).id), review),
    ).rejects.toMatchObject({
      code: 'LINKED_ROW_MISSING',
      message: "'FilmId' names a row that does not exist in 'Film'.",
    });
    await rowStore.delete(await handleOf(scope, film.id), '3');
    expect(await rowStore.list(await handleOf(scope, cast.id), {}, { limit: 9, offset: 0 })).toEqual([]);
    const checks = await file.read((unit) => unit.rows({ sql: 'pragma foreign_key_check', bindings: [] }));
    expect(checks.rows).toEqual([]);
  });

  test('has rows of long keys that are told apart when something is taken back', async () => {
    const { rowStore, handleOf, scope, table } = await files.connect([
      'create table page (address text primary key, words int)',
    ]);
    const page = await table('Page');
    const start = '\u{1F3B5}'.repeat(200);
    const [one, other] = [`${start}one`, `${start}other`];
    await rowStore.createMany(
      await handleOf(scope, page.id),
      [one, other].map((Address) => ({ Address, Words: 1 })),
    );
    const changed = await rowStore.update(await handleOf(scope, page.id), other, { Words: 2 });
    await rowStore.update(await handleOf(scope, page.id), one, { Words: 3 });
    await rowStore.undo(scope, changed.operationId ?? '');
    const words = async (key: string) =>
      (await rowStore.read(await handleOf(scope, page.id), key))?.['Words'];
    expect([await words(one), await words(other)]).toEqual([3, 1]);
    const gone = await rowStore.delete(await handleOf(scope, page.id), one);
    await rowStore.undo(scope, gone.operationId ?? '');
    expect(await words(one)).toBe(3);
  });

  test('has rows that are back or deleted for good, not both, where both are asked for at once', async () => {
    const { rowStore, handleOf, scope, table } = await files.connect([
      'create table page (address text primary key, words int)',
    ]);
    const page = await handleOf(scope, (await table('Page')).id);
    for (let round = 1; round <= 6; round += 1) {
      const key = `page ${round}`;
      await rowStore.create(page, { Address: key, Words: round });
      const { operationId = '' } = await rowStore.delete(page, key);
      const calls = [() => rowStore.purge(scope, operationId), () => rowStore.undo(scope, operationId)];
      const [first, second] = round % 2 === 0 ? calls : calls.toReversed();
      const done = await Promise.allSettled([first?.(), second?.()]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const isBack = (await rowStore.read(page, key)) !== undefined;
      const [entry] = await rowStore.history(page, key, { limit: 1 });
      expect(entry?.change.isPurged ?? false).toBe(!isBack);
    }
  });

  test('keeps whole numbers of 64 bits in a column of decimals, and refuses what the file would round', async () => {
    const { rowStore, handleOf, scope, table } = await files.connect([
      'create table coin (id integer primary key, worth decimal(19,2))',
    ]);
    const coins = await handleOf(scope, (await table('Coin')).id);
    await rowStore.createMany(coins, [
      { Worth: '9223372036854775807' },
      { Worth: '9223372036854775806' },
      { Worth: 12.5 },
    ]);
    const worth = async (where: string) =>
      (await rowStore.list(coins, { where }, { limit: 10, offset: 0 })).map(({ Worth }) => Worth);
    expect(await worth('(Worth,gt,12)')).toEqual(['9223372036854775807', '9223372036854775806', '12.5']);
    expect(await worth('(Worth,eq,9223372036854775806)')).toEqual(['9223372036854775806']);
    for (const Worth of ['9223372036854775808', '1234567890123456.78'])
      await expect(rowStore.create(coins, { Worth })).rejects.toMatchObject({ status: 400 });
  });

  test('says why rows without a key and rows of views are only read', async () => {
    const { rowStore, handleOf, scope, table } = await files.connect();
    for (const [title, reason] of [
      ['Log', /no primary key/],
      ['LongFilms', /view of the database/],
    ] as const) {
      const of = await table(title);
      expect(of.readOnlyReason).toMatch(reason);
      expect(await rowStore.list(await handleOf(scope, of.id), {}, { limit: 10, offset: 0 })).toHaveLength(1);
      await expect(rowStore.create(await handleOf(scope, of.id), { Title: 'x' })).rejects.toThrow(reason);
    }
  });

  test('may name its tables and columns as it likes', async () => {
    const { rowStore, handleOf, schema: store, scope, table, file } = await files.connect();
    const odd = await table('we"ird; drop table film -- ?');
    const titles = odd.columns.slice(1).map((column) => column.title);
    expect(titles).toEqual(['?', 'x as y', 'Select', 'Proto', 'Tr"ick']);
    const values = Object.fromEntries(titles.map((title) => [title, `value of ${title}`]));
    await rowStore.create(await handleOf(scope, odd.id), { [odd.columns[0]?.title ?? '']: 7, ...values });
    const row = await rowStore.read(await handleOf(scope, odd.id), '7');
    for (const title of titles) expect([title, row?.[title]]).toEqual([title, `value of ${title}`]);
    const [first] = titles;
    const found = await rowStore.list(
      await handleOf(scope, odd.id),
      { sort: titles.map((title) => `-${title}`), filters: [] },
      { limit: 5, offset: 0 },
    );
    expect(found).toHaveLength(1);
    const column = odd.columnByTitle.get(first ?? '')?.id ?? '';
    await store.updateColumn(scope, column, { required: true, defaultValue: "it's" });
    await rowStore.create(await handleOf(scope, odd.id), { [odd.columns[0]?.title ?? '']: 8 });
    expect((await rowStore.read(await handleOf(scope, odd.id), '8'))?.[first ?? '']).toBe("it's");
    expect(await file.schema((changer) => changer.hasTable('film'))).toBe(true);

    // A column without a name cannot be shown; its table can.
    const nameless = await table('Nameless');
    expect(nameless.columns.map((of) => of.title)).toEqual(['Id', 'Note']);
    expect((await rowStore.create(await handleOf(scope, nameless.id), { Note: 'x' })).result).toMatchObject({
      Note: 'x',
    });
  });
});
