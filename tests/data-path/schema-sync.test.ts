import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

const shop = `
  create table customer (id integer primary key, name text not null, mail text);
  create table orders (id integer primary key, customer_id integer references customer (id), total real, note text);
  create table product (id integer primary key, title text);
  insert into customer values (1, 'Ada', 'ada@x.co');
  insert into orders values (1, 1, 9.5, 'first');`;

describeEachMetadata('a project on a database that others change', (open) => {
  let folder: string;
  let closing: (() => Promise<unknown>)[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-sync-'));
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Another application. */
  function elsewhere(sql: string): void {
    const file = new SqliteFile(join(folder, 'shop.db'));
    file.exec(sql);
    file.close();
  }

  async function start() {
    elsewhere(shop);
    const path = await createDataPath(await open(), { sqliteFolder: folder });
    closing.push(() => path.dispose());
    const external = { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } } as const;
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external,
    });
    const scope = path.access.systemScope(project.id, 'test');
    const { sync } = path.schema;
    const changes = async () =>
      (await sync.differences(scope)).flatMap(({ name, differences }) =>
        differences.map(
          (of) =>
            `${name}: ${of.kind}${'column' in of ? ` ${of.column}` : ''}${'link' in of ? ` ${of.link}` : ''}`,
        ),
      );
    const table = (title: string) => path.schema.table(scope, title);
    return { ...path, scope, sync, changes, table };
  }

  test('differs in nothing as long as nobody changes the database, and after its own changes', async () => {
    const { schema, scope, changes, sync, table } = await start();
    expect(await changes()).toEqual([]);
    const customer = await table('Customer');
    await schema.createColumn(scope, customer.id, {
      title: 'Points',
      type: 'Number',
      required: true,
      defaultValue: '5',
    });
    await schema.createTable(scope, { title: 'Own', columns: [{ title: 'Title', type: 'SingleLineText' }] });
    await schema.deleteColumn(scope, customer.columnByTitle.get('Mail')?.id ?? '');
    await schema.deleteTable(scope, (await table('Product')).id);
    expect(await changes()).toEqual([]);
    await sync.apply(scope);
    expect((await table('Customer')).columns.map(({ title }) => title)).toEqual([
      'Id',
      'Name',
      'Orders List',
      'Points',
    ]);
  });

  test.each([
    ['the link', false],
    ['that there is a link', true],
  ])(
    'offers columns for links where it was opened before it knew how to show %s',
    async (_, isWithoutLinks) => {
      const { metadata, changes, sync, scope, table, schema } = await start();
      await metadata.database.write(async (unit) => {
        await unit.run(unit.knex('trellis_column').whereNotNull('link_id').delete());
        if (isWithoutLinks) await unit.run(unit.knex('trellis_link').delete());
        await metadata.generations.bump(unit, scope.projectId ?? '');
      });
      await metadata.generations.poll();
      expect(await changes()).toEqual(['customer: linkAdded hasMany', 'orders: linkAdded belongsTo']);
      await sync.apply(scope);
      const titles = async (title: string) => (await table(title)).columns.map((column) => column.title);
      expect(await titles('Customer')).toContain('Orders List');
      expect(await titles('Orders')).toContain('Customer');
      expect(await changes()).toEqual([]);
      expect((await schema.snapshot(scope)).links.size).toBe(2);
    },
  );

  test('takes over new tables and columns, with titles that are free and places in the views', async () => {
    const { schema, scope, changes, sync, table } = await start();
    const before = await table('Customer');
    elsewhere(`
      alter table customer add column city text;
      create table visit (id integer primary key, customer_id integer references customer (id), day date);
      create view rich as select id, name from customer`);
    expect(await changes()).toEqual([
      'customer: columnAdded city',
      'customer: linkAdded hasMany',
      'rich: tableAdded',
      'visit: tableAdded',
    ]);
    await sync.apply(scope);
    expect(await changes()).toEqual([]);
    const after = await table('Customer');
    expect(after.columns.map(({ id }) => id)).toEqual(
      expect.arrayContaining(before.columns.map(({ id }) => id)),
    );
    const list = after.columnByTitle.get('Visit List');
    expect(after.links.find(({ id }) => id === list?.linkId)?.kind).toBe('hasMany');
    const city = after.columnByTitle.get('City');
    expect(after.defaultView?.columns.map(({ columnId }) => columnId)).toContain(city?.id);
    const visit = await table('Visit');
    expect(visit.columnByTitle.get('Customer')?.linkId).toBe(visit.links[0]?.id);
    expect(visit.links.map(({ kind, toTableId }) => [kind, toTableId])).toEqual([['belongsTo', after.id]]);
    expect((await table('Rich')).kind).toBe('view');
    expect((await schema.snapshot(scope)).tables.size).toBe(5);
  });

  test('suggests what a table is called now only where nothing else looks the same', async () => {
    const { scope, sync } = await start();
    const suggested = async () =>
      (await sync.differences(scope)).flatMap(({ name, differences }) =>
        differences.flatMap((of) => ('renamedTo' in of ? [`${name} to ${of.renamedTo ?? ''}`] : [])),
      );
    elsewhere('alter table product rename to goods');
    expect(await suggested()).toEqual(['product to goods']);
    // Two that look the same came: nobody can tell which one it is.
    elsewhere('create table articles (id integer primary key, title text)');
    expect(await suggested()).toEqual([]);
    elsewhere('drop table articles; create view articles as select id, title from goods');
    expect(await suggested()).toEqual(['product to goods']);
    elsewhere('alter table goods add column price real');
    expect(await suggested()).toEqual([]);
  });

  test('gives a new table a title that no other database of the project has, new ones among them', async () => {
    const { schema, scope, sync } = await start();
    const second = new SqliteFile(join(folder, 'second.db'));
    closing.push(async () => second.close());
    second.exec('create table shelf (id integer primary key)');
    const config = { connection: { filename: 'second.db' } };
    await schema.bases.add(scope, { type: 'sqlite3', config });
    second.exec(
      'create table customer (id integer primary key); create table visit (id integer primary key)',
    );
    elsewhere('create table visit (id integer primary key)');
    await sync.apply(scope);
    const titles = [...(await schema.snapshot(scope)).tables.values()].map(({ title }) => title);
    expect(titles.toSorted()).toEqual([
      'Customer',
      'Customer1',
      'Orders',
      'Product',
      'Shelf',
      'Visit',
      'Visit1',
    ]);
  });

  test('puts what is gone into the trash, with a new column to name the rows', async () => {
    const { schema, scope, changes, sync, table } = await start();
    const customer = await table('Customer');
    expect(customer.displayColumn?.title).toBe('Name');
    elsewhere('alter table customer drop column name; drop table product');
    expect(await changes()).toEqual(['customer: columnRemoved name', 'product: tableRemoved']);
    await sync.apply(scope);
    expect((await table('Customer')).displayColumn?.title).toBe('Mail');
    const trash = await schema.trash.list(scope);
    expect(trash.map(({ title, own }) => `${title} ${own}`).toSorted()).toEqual([
      'Name false',
      'Product false',
    ]);
    const item = trash.find(({ kind }) => kind === 'table');
    await expect(schema.trash.restoreTable(scope, item?.id ?? '')).rejects.toMatchObject({
      code: 'TRASH_GONE',
    });
    elsewhere('create table product (id integer primary key, title text)');
    expect(await changes()).toEqual([]);
    expect((await schema.trash.restoreTable(scope, item?.id ?? '')).title).toBe('Product');
  });

  const dropped = `alter table customer drop column mail; drop table product; drop table orders;
    create table orders (id integer primary key, customer_id integer, total real, note text)`;

  test('gives a link back from the trash without what else was gone at the same moment', async () => {
    const { schema, rowStore, scope, sync, table } = await start();
    elsewhere(dropped);
    await sync.apply(scope);
    const trash = await schema.trash.list(scope);
    expect(trash.map(({ title }) => title).toSorted()).toEqual([
      'Customer',
      'Mail',
      'Orders List',
      'Product',
    ]);
    const link = trash.find(({ title }) => title === 'Orders List');
    await schema.trash.restoreColumn(scope, link?.id ?? '');
    const left = (await schema.trash.list(scope)).map(({ title }) => title);
    expect(left.toSorted()).toEqual(['Mail', 'Product']);
    const customers = await schema.open(scope, (await table('Customer')).id);
    expect(await rowStore.list(customers, {}, { limit: 5, offset: 0 })).toEqual([
      expect.objectContaining({ Id: 1, Name: 'Ada' }),
    ]);
  });

  test('deletes a link for good without what else was gone at the same moment', async () => {
    const { schema, scope, sync } = await start();
    elsewhere(dropped);
    await sync.apply(scope);
    const link = (await schema.trash.list(scope)).find(({ title }) => title === 'Orders List');
    await schema.trash.purgeColumn(scope, link?.id ?? '');
    const left = (await schema.trash.list(scope)).map(({ title }) => title);
    expect(left.toSorted()).toEqual(['Mail', 'Product']);
  });

  test('gives no column back whose link was deleted for good', async () => {
    const { schema, scope, sync, metadata } = await start();
    elsewhere(dropped);
    await sync.apply(scope);
    const link = (await schema.trash.list(scope)).find(({ title }) => title === 'Orders List');
    await metadata.database.write((unit) =>
      unit.run(
        unit
          .knex('trellis_link')
          .where({ project_id: scope.projectId ?? '' })
          .delete(),
      ),
    );
    await expect(schema.trash.restoreColumn(scope, link?.id ?? '')).rejects.toMatchObject({
      code: 'TRASH_LINK_GONE',
    });
  });

  test('gives a link back once the column that holds it is in the database again, and its table', async () => {
    const { schema, scope, sync, table } = await start();
    elsewhere(`drop table orders; create table orders (id integer primary key, total real, note text)`);
    await sync.apply(scope);
    const link = (await schema.trash.list(scope)).find(({ title }) => title === 'Orders List');
    const restore = () => schema.trash.restoreColumn(scope, link?.id ?? '');
    await expect(restore()).rejects.toMatchObject({ code: 'TRASH_GONE' });
    expect((await table('Customer')).columnByTitle.has('Orders List')).toBe(false);
    elsewhere('alter table orders add column customer_id integer references customer (id)');
    await restore();
    expect((await table('Orders')).columnByName.has('customer_id')).toBe(true);
    expect((await table('Orders')).links.map(({ kind }) => kind)).toEqual(['belongsTo']);
  });

  test('keeps links, views and ids where a table is made again with another type and another foreign key', async () => {
    const { schema, scope, changes, sync, table } = await start();
    const orders = await table('Orders');
    const [link] = orders.links;
    elsewhere(`
      pragma foreign_keys = off;
      create table orders_2 (id integer primary key, customer_id integer references customer (id) on delete cascade,
        total text, note text not null, product_id integer references product (id));
      insert into orders_2 (id, customer_id, total, note) select id, customer_id, total, note from orders;
      drop table orders;
      alter table orders_2 rename to orders`);
    expect((await changes()).toSorted()).toEqual([
      'orders: columnAdded product_id',
      'orders: columnRulesChanged note',
      'orders: columnTypeChanged total',
      'orders: linkAdded belongsTo',
      'product: linkAdded hasMany',
    ]);
    await sync.apply(scope);
    expect(await changes()).toEqual([]);
    const after = await table('Orders');
    expect(after.id).toBe(orders.id);
    expect(after.defaultView?.id).toBe(orders.defaultView?.id);
    expect(after.columnByTitle.get('Total')).toMatchObject({
      id: orders.columnByTitle.get('Total')?.id,
      storage: 'text',
      type: 'LongText',
    });
    expect(after.columnByTitle.get('Note')?.required).toBe(true);
    expect(after.links.map(({ id, onDelete }) => [id, onDelete])).toContainEqual([link?.id, 'cascade']);
    expect(after.links).toHaveLength(2);

    elsewhere(`
      pragma foreign_keys = off;
      create table orders_2 (id integer primary key, customer_id integer, total text, note text not null, product_id integer references product (id));
      drop table orders;
      alter table orders_2 rename to orders`);
    expect((await changes()).toSorted()).toEqual([
      'customer: linkRemoved hasMany',
      'orders: linkRemoved belongsTo',
    ]);
    await sync.apply(scope);
    expect((await table('Orders')).columnByTitle.has('Customer')).toBe(false);
    expect((await table('Customer')).columnByTitle.has('Orders List')).toBe(false);
    const trash = (await schema.trash.list(scope)).map(({ title }) => title);
    expect(trash.toSorted()).toEqual(['Customer', 'Orders List']);
    expect(await changes()).toEqual([]);
  });

  test('tells of another default, of what counts up and of what must be unique, and takes it over', async () => {
    const { scope, changes, sync, table } = await start();
    elsewhere(`
      pragma foreign_keys = off;
      create unique index one_mail on customer (mail);
      create table product_2 (id integer primary key, title text default 'new');
      insert into product_2 select * from product;
      drop table product;
      alter table product_2 rename to product`);
    expect((await changes()).toSorted()).toEqual([
      'customer: columnRulesChanged mail',
      'product: columnRulesChanged title',
    ]);
    await sync.apply(scope);
    expect(await changes()).toEqual([]);
    expect((await table('Customer')).columnByTitle.get('Mail')?.unique).toBe(true);
    expect((await table('Product')).columnByTitle.get('Title')?.defaultValue).toBe("'new'");
  });

  test('compares the databases that answer while another one is away, and says which is', async () => {
    const { schema, databases, scope, changes, sync } = await start();
    const second = new SqliteFile(join(folder, 'second.db'));
    second.exec('create table note (id integer primary key, body text)');
    second.close();
    const config = { connection: { filename: 'second.db' } };
    await schema.bases.add(scope, { type: 'sqlite3', alias: 'Notes', config });
    elsewhere('alter table product add column price real');
    const { bases } = await schema.snapshot(scope);
    const away = [...bases.values()].find(({ alias }) => alias === 'Notes')?.id ?? '';
    await databases.forget(away);
    await rm(join(folder, 'second.db'));
    expect(await changes()).toEqual(['product: columnAdded price']);
    const tables = await sync.differences(scope);
    expect(tables.filter(({ isAway }) => isAway).map(({ name }) => name)).toEqual(['note']);
    await sync.apply(scope);
    expect(await changes()).toEqual([]);
  });

  test('asks for the title of the project before most of its tables disappear', async () => {
    const { schema, scope, sync } = await start();
    elsewhere('pragma foreign_keys = off; drop table orders; drop table product');
    await expect(sync.apply(scope)).rejects.toMatchObject({ code: 'SYNC_SHRANK', status: 409 });
    expect((await schema.snapshot(scope)).tables.size).toBe(3);
    await expect(sync.apply(scope, { confirmed: 'shop' })).rejects.toMatchObject({ code: 'SYNC_SHRANK' });
    await sync.apply(scope, { confirmed: 'Shop' });
    expect((await schema.snapshot(scope)).tables.size).toBe(1);
  });
});
