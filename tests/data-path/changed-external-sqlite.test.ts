import { describe, expect, test } from '@jest/globals';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { Database } from '../../host-server/databases/index.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { singleSelect } from '../../plugins/columns-select/shared/index.ts';
import { definitionsIn, runIn, SqliteFiles } from './sqlite-files.ts';

describeEachMetadata('an existing SQLite database that is changed', (open) => {
  const files = new SqliteFiles(open);

  test('gains tables and columns, and keeps what is only deleted here', async () => {
    const { schema: store, rowStore, handleOf, scope, table, file } = await files.connect();
    const film = await table('Film');
    const after = await store.createColumn(scope, film.id, {
      title: 'Year',
      type: 'Number',
      defaultValue: '1979',
    });
    expect(after.columnByTitle.get('Year')?.columnName).toBe('year');
    expect((await rowStore.read(await handleOf(scope, film.id), '1'))?.Year).toBe(1979);
    const made = await store.createTable(scope, {
      title: 'Cinema',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
      ],
    });
    expect(made.tableName).toBe('cinema');
    await store.deleteColumn(scope, after.columnByTitle.get('Title')?.id ?? '');
    await rowStore.create(await handleOf(scope, film.id), { Length: 1 });
    await store.deleteTable(scope, (await table('Log')).id);
    const count = async (sql: string) =>
      Number((await file.read((unit) => unit.rows({ sql, bindings: [] }))).rows[0]?.[0]);
    expect(await count('select count(title) from film')).toBe(2);
    expect(await count('select count(*) from film')).toBe(3);
    expect(await count('select count(*) from log')).toBe(1);
  });

  test('keeps a table or column that was made behind our back', async () => {
    const { schema: store, scope, table, file } = await files.connect();
    await runIn(file, 'create table cinema (secret text)');
    await runIn(file, "insert into cinema values ('kept')");
    await runIn(file, 'alter table film add column year text');
    const made = await store.createTable(scope, {
      title: 'Cinema',
      columns: [{ title: 'Name', type: 'SingleLineText' }],
    });
    expect(made.tableName).toBe('cinema_2');
    const film = await store.createColumn(scope, (await table('Film')).id, { title: 'Year', type: 'Number' });
    expect(film.columnByTitle.get('Year')?.columnName).toBe('year_2');
    const { rows } = await file.read((unit) => unit.rows({ sql: 'select secret from cinema', bindings: [] }));
    expect(rows).toEqual([['kept']]);
  });

  test('changes what the database demands of a column, whatever default it has', async () => {
    const {
      schema: store,
      rowStore,
      handleOf,
      scope,
      table,
    } = await files.connect([
      "create table t (id integer primary key, a text default (lower('X')), b int)",
      'insert into t (b) values (1), (2)',
    ]);
    const of = await table('T');
    const a = of.columnByTitle.get('A')?.id ?? '';
    await store.updateColumn(scope, a, { unique: false, required: true });
    await rowStore.create(await handleOf(scope, of.id), { B: 3 });
    expect((await rowStore.read(await handleOf(scope, of.id), '3'))?.A).toBe('x');
    const b = of.columnByTitle.get('B')?.id ?? '';
    const text = await store.updateColumn(scope, b, { type: 'SingleLineText', meta: { acceptLoss: true } });
    expect(text.columnByTitle.get('B')?.storage).toBe('string');
    expect(await rowStore.list(await handleOf(scope, of.id), {}, { limit: 9, offset: 0 })).toMatchObject([
      { B: '1' },
      { B: '2' },
      { B: '3' },
    ]);
  });

  describe('a column that gets another type', () => {
    const shop = [
      'create table invoice (id integer primary key, "InvoiceDate" datetime not null collate nocase, total int not null default 7, state text check (state <> \'\'))',
      'create index invoice_date on invoice ("InvoiceDate")',
      'create unique index invoice_once on invoice (total) where id > 100',
      'create view recent as select "InvoiceDate" from invoice',
      'create trigger invoice_total after insert on invoice begin update invoice set total = 8 where id = new.id; end',
      "insert into invoice (id, \"InvoiceDate\", state) values (1, '2009-01-01 00:00:00', 'paid'), (2, '2009-01-02 00:00:00', '12')",
    ];
    const agreed = { meta: { acceptLoss: true } };
    /** What the other application does all day, as it was written years ago. */
    const ordinary =
      "insert into invoice (id, \"InvoiceDate\", state) values ((select max(id) + 1 from invoice), '2010-05-06', 'open')";
    const rowsOf = (file: Database, sql: string) =>
      file.read(async (unit) => (await unit.rows({ sql, bindings: [] })).rows);

    async function connectShop() {
      const shopData = await files.connect(shop);
      const invoice = await shopData.table('Invoice');
      const id = (name: string) => invoice.columnByName.get(name)?.id ?? '';
      return { ...shopData, id };
    }

    test('keeps its name, its rules and what hangs on it, for the application whose database it is', async () => {
      const { schema: store, scope, file, id, table, rowStore, handleOf } = await connectShop();
      await expect(store.updateColumn(scope, id('InvoiceDate'), { type: 'Date' })).rejects.toMatchObject({
        status: 409,
        code: 'RETYPE_OPENED',
        params: { kept: 'InvoiceDate_old' },
      });
      const attached = "select name, sql from sqlite_master where name <> 'invoice' order by name";
      const before = await rowsOf(file, attached);
      await store.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      await store.updateColumn(scope, id('total'), { type: 'SingleLineText', ...agreed });

      await runIn(file, ordinary);
      await expect(runIn(file, 'insert into invoice (id) values (9)')).rejects.toMatchObject({
        kind: 'notNull',
      });
      expect(await rowsOf(file, attached)).toEqual(before);
      expect(await rowsOf(file, 'select * from recent')).toEqual([
        ['2009-01-01'],
        ['2009-01-02'],
        ['2010-05-06'],
      ]);
      expect(await rowsOf(file, 'select "InvoiceDate_old", total from invoice order by id')).toEqual([
        ['2009-01-01 00:00:00', '8'],
        ['2009-01-02 00:00:00', '8'],
        [null, '8'],
      ]);
      const columns = await rowsOf(
        file,
        'select name, type, "notnull", dflt_value from pragma_table_xinfo(\'invoice\')',
      );
      expect(columns).toEqual([
        ['id', 'INTEGER', 0, null],
        ['InvoiceDate', 'date', 1, null],
        ['total', 'varchar', 1, "'7'"],
        ['state', 'TEXT', 0, null],
        ['InvoiceDate_old', 'datetime', 0, null],
        ['total_old', 'INT', 0, null],
      ]);
      const shown = await rowStore.list(
        await handleOf(scope, (await table('Invoice')).id),
        {},
        { limit: 5, offset: 0 },
      );
      expect(shown.map((row) => row.InvoiceDate)).toEqual(['2009-01-01', '2009-01-02', '2010-05-06']);
    });

    test('takes its default value and the filters of its views along to a renamed option', async () => {
      const {
        schema: store,
        columnTypes,
        views,
        scope,
        file,
        table,
      } = await files.connect([
        "create table task (id integer primary key, state text not null default 'it''s open')",
        'insert into task (id) values (1)',
      ]);
      columnTypes.register(singleSelect as ServerColumnType, 'columns-select');
      const [id, view] = [
        (await table('Task')).columnByTitle.get('State')?.id ?? '',
        (await table('Task')).views[0]?.id ?? '',
      ];
      const option = { id: 'open', title: "it's open", color: '#ffffff' };
      const type = 'SingleSelect';
      await store.updateColumn(scope, id, { type, meta: { options: [option], acceptLoss: true } });
      await views.createFilter(scope, view, { columnId: id, operator: 'neq', value: "it's open" });
      const options = [{ ...option, title: "it's ready" }];
      await store.updateColumn(scope, id, { type, meta: { options, acceptLoss: true } });
      await runIn(file, 'insert into task (id) values (2)');
      expect(await rowsOf(file, 'select state from task order by id')).toEqual([
        ["it's ready"],
        ["it's ready"],
      ]);
      expect((await table('Task')).views[0]?.filters).toMatchObject([{ value: "it's ready" }]);
    });

    test('is refused in words when its rules do not hold for the new values, and nothing is changed', async () => {
      const { schema: store, scope, file, id } = await connectShop();
      await runIn(file, "update invoice set state = 'paid'");
      const before = await definitionsIn(file);
      await expect(store.updateColumn(scope, id('state'), { type: 'Number' })).rejects.toMatchObject({
        code: 'RETYPE_OPENED_LOSES_VALUES',
        params: { lost: 2, total: 2, kept: 'state_old' },
      });
      await expect(
        store.updateColumn(scope, id('InvoiceDate'), { type: 'Number', ...agreed }),
      ).rejects.toMatchObject({ status: 400, code: 'RETYPE_EMPTIES_REQUIRED' });
      await expect(store.updateColumn(scope, id('total'), { type: 'Date', ...agreed })).rejects.toMatchObject(
        { status: 400, code: 'COLUMN_DEFAULT' },
      );
      expect(await definitionsIn(file)).toEqual(before);
    });

    test('does not set off the triggers of the other application, which stay', async () => {
      const { schema: store, file, scope, id } = await connectShop();
      await runIn(file, 'create table touched (id integer)');
      await runIn(
        file,
        'create trigger invoice_touched after update on invoice begin insert into touched values (old.id); end',
      );
      await store.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      expect(await rowsOf(file, 'select count(*) from touched')).toEqual([[0]]);
      await runIn(file, "update invoice set state = 'sent' where id = 1");
      expect(await rowsOf(file, 'select id from touched')).toEqual([[1]]);
    });

    test('has its former default, demand for a value and index when the change fails', async () => {
      const { schema: store, metadata, scope, file, id } = await connectShop();
      await runIn(file, 'update invoice set total = id');
      await store.updateColumn(scope, id('total'), { unique: true });
      const reach = (point: string) =>
        point === 'replaceColumn.replaced' ? Promise.reject(new Error('no more')) : Promise.resolve();
      const failing = await files.startPath(metadata.database, { reach });
      const before = await definitionsIn(file);
      const asText = { type: 'SingleLineText', ...agreed };
      const total = { ...asText, unique: false, defaultValue: 'none' };
      await expect(failing.schema.updateColumn(scope, id('total'), total)).rejects.toThrow('no more');
      const date = { ...asText, required: false };
      await expect(failing.schema.updateColumn(scope, id('InvoiceDate'), date)).rejects.toThrow('no more');
      const after = await definitionsIn(file);
      const inOneWay = (sql: unknown) =>
        String(sql)
          .replaceAll(/[\s"]+/g, ' ')
          .replaceAll(' (', '(')
          // The clauses of a column may stand in any order.
          .replace(' collate nocase', '')
          .toLowerCase();
      expect(after.map(([, , sql]) => inOneWay(sql))).toEqual(before.map(([, , sql]) => inOneWay(sql)));
    });

    test('is as it was when the change fails after the database was changed', async () => {
      const { metadata, scope, file, id } = await connectShop();
      const reach = (point: string) =>
        point === 'replaceColumn.replaced' ? Promise.reject(new Error('no more')) : Promise.resolve();
      const failing = await files.startPath(metadata.database, { reach });
      const before = await definitionsIn(file);
      const change = failing.schema.updateColumn(scope, id('InvoiceDate'), { type: 'Date', ...agreed });
      await expect(change).rejects.toThrow('no more');
      const after = await definitionsIn(file);
      expect(after.map(([, , sql]) => String(sql).replace('"invoice"', 'invoice'))).toEqual(
        before.map(([, , sql]) => sql),
      );
      expect(await rowsOf(file, 'select "InvoiceDate" from invoice where id = 1')).toEqual([
        ['2009-01-01 00:00:00'],
      ]);
    });
  });
});
