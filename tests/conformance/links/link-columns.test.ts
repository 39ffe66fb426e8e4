import { expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { columnOf, describeLinks, type List, type Row } from './atlas.ts';

describeLinks('columns of links', (atlas) => {
  test('of a row to many make a foreign key and a column at both ends', async () => {
    const { country, city, link, table } = await atlas();
    const made = await link('hm');
    expect(made.status).toBe(200);
    const cities = columnOf(made.body, 'Cities');
    const child = await table(city.id);
    const back = columnOf(child, 'Country');
    const key = child.columns?.find(({ uidt }) => uidt === 'ForeignKey');
    expect(key).toMatchObject({ title: `${country.table_name}_id`, column_name: `${country.table_name}_id` });
    const shared = {
      fk_child_column_id: key?.id,
      fk_parent_column_id: columnOf(made.body, 'Id').id,
      fk_mm_model_id: null,
    };
    expect(cities).toMatchObject({
      uidt: 'LinkToAnotherRecord',
      column_name: null,
      colOptions: { type: 'hm', fk_column_id: cities.id, fk_related_model_id: city.id, ...shared },
    });
    expect(back.colOptions).toMatchObject({ type: 'bt', fk_related_model_id: country.id, ...shared });
    // People are offered the link in the place of the key that was made for it.
    const internal = child.columns?.flatMap((of) => (of.internal === true ? [of.title] : []));
    expect(internal).toEqual([key?.title]);
  });

  test('keep the foreign key out of views that are made later, as the first view does', async () => {
    const { client, city, link, table } = await atlas();
    await link('hm');
    const key = (await table(city.id)).columns?.find(({ uidt }) => uidt === 'ForeignKey');
    const path = `/api/v1/db/meta/tables/${city.id}/grids`;
    const made = await client.post<{ readonly id: string }>(path, { title: 'Second' });
    const places = await client.get<readonly Row[]>(`/api/v1/db/meta/views/${made.body.id}/columns`);
    expect(places.body.find(({ fk_column_id: of }) => of === key?.id)).toMatchObject({ show: false });
  });

  test.each(['hm', 'bt', 'mm'] as const)(
    'go with both ends and all that hangs on them (%s)',
    async (type) => {
      const { client, city, country, data, link, list, table, column } = await atlas();
      const made = await link(type, { onDelete: 'restrict' });
      const own = columnOf(made.body, type === 'bt' ? 'Land' : 'Cities');
      const parent = await table(country.id);
      const title = columnOf(await table(city.id), 'Title');
      const relation = parent.columns?.find(({ uidt, system }) => uidt === 'LinkToAnotherRecord' && !system);
      await client.post(data(`Country/1/${type === 'mm' ? 'mm' : 'hm'}/${relation?.title}/1`));
      await column(country.id, {
        title: 'Names',
        uidt: 'Lookup',
        fk_relation_column_id: relation?.id,
        fk_lookup_column_id: title.id,
      });
      const refused = await client.delete<Row>(`/api/v1/db/meta/tables/${city.id}`);
      expect(refused).toMatchObject({ status: 400 });
      expect(refused.body.msg).toMatch(
        /^Table can't be deleted since Table is being referred in following tables : .*Country/,
      );
      const inUse = await client.delete<Row>(data('Country/1'));
      expect(inUse.body).toEqual({
        message: [expect.stringContaining('1. Country.')],
      });
      const links = await client.get<{ links: readonly { title: string; table: string }[] }>(
        `/api/v1/db/meta/tables/${city.id}/uses`,
      );
      expect(new Set(links.body.links.map(({ table: of }) => of))).toContain('Country');
      const uses = await client.get<{
        columns: readonly { title: string; table: string; goes: boolean }[];
      }>(`/api/v1/db/meta/columns/${own.id}/uses`);
      // Neither a junction table nor a key that holds a link is anything that people know.
      const hanging = uses.body.columns;
      expect(hanging.map(({ title: of }) => of)).toContain('Names');
      expect(hanging).toHaveLength(2);
      expect(hanging.every(({ goes }) => goes)).toBe(true);
      const named = (await table(city.id)).columns?.find(({ pv }) => pv === true);
      const usesOfName = await client.get<{ columns: readonly { table: string }[] }>(
        `/api/v1/db/meta/columns/${named?.id}/uses`,
      );
      expect(usesOfName.body.columns.filter(({ table: of }) => !['City', 'Country'].includes(of))).toEqual(
        [],
      );
      const gone = await client.delete<TableEntity>(`/api/v1/db/meta/columns/${own.id}`);
      expect([gone.status, gone.status === 200 ? '' : gone.body]).toEqual([200, '']);
      for (const id of [city.id, country.id]) {
        const left = (await table(id)).columns ?? [];
        expect(left.map(({ uidt }) => uidt).filter((uidt) => /Link|Lookup|ForeignKey/.test(uidt))).toEqual(
          [],
        );
      }
      expect((await list('City')).pageInfo.totalRows).toBe(4);
      expect((await client.delete(data('Country/1'))).body).toBe(1);
      expect((await client.delete(`/api/v1/db/meta/tables/${city.id}`)).body).toBe(true);
      // The same link can be made again.
      expect(
        (
          await column(country.id, {
            title: 'Again',
            uidt: 'LinkToAnotherRecord',
            parentId: country.id,
            childId: country.id,
            type,
          })
        ).status,
      ).toBe(200);
    },
  );

  test.each(['hm', 'mm'] as const)(
    'come back from the trash whole, with what they linked (%s)',
    async (type) => {
      const { client, project, city, country, data, link, list, table } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      await client.post(data(`Country/1/${type}/Cities/1`));
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      const trash = `/api/v1/db/meta/projects/${project}/trash`;
      const items = (await client.get<List>(trash)).body.list;
      expect(items.map(({ kind, title }) => `${String(kind)} ${String(title)}`).toSorted()).toEqual([
        'column Cities',
        type === 'hm' ? 'column Country' : 'column Country List',
      ]);
      const restored = await client.post(`${trash}/columns/${own.id}/restore`);
      expect([restored.status, restored.status === 200 ? '' : restored.body]).toEqual([200, '']);
      expect((await list('Country')).list[0]?.Cities).toEqual([{ Id: 1, Title: 'Paris' }]);
      expect((await table(city.id)).columns?.some(({ uidt }) => uidt === 'LinkToAnotherRecord')).toBe(true);
      expect((await client.delete(data('Country/1'))).body).toEqual({ message: [expect.any(String)] });
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      await client.delete(data('Country/1'));
      // A row that was linked to is gone: the link comes back without the database's watch over it.
      expect((await client.post(`${trash}/columns/${own.id}/restore`)).status).toBe(200);
      expect((await list('City')).list[0]?.Title).toBe('Paris');
      expect((await client.delete(`/api/v1/db/meta/columns/${own.id}`)).status).toBe(200);
      expect((await client.delete(`${trash}/columns/${own.id}`)).status).toBeLessThan(300);
      expect((await client.get<List>(trash)).body.list).toEqual([]);
      expect((await client.delete(`/api/v1/db/meta/tables/${country.id}`)).body).toBe(true);
    },
  );

  test.each(['hm', 'mm'] as const)(
    'leave nothing in the trash once a table that they led to is deleted for good (%s)',
    async (type) => {
      const { client, project, city, country, link } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      await client.delete(`/api/v1/db/meta/tables/${country.id}`);
      const trash = `/api/v1/db/meta/projects/${project}/trash`;
      const [other] = (await client.get<List>(trash)).body.list.filter(({ kind }) => kind === 'column');
      expect(await client.post(`${trash}/columns/${String(other?.id)}/restore`)).toMatchObject({
        status: 409,
        body: { code: 'TRASH_TABLE_DELETED' },
      });
      expect((await client.delete(`${trash}/tables/${country.id}`)).status).toBe(200);
      expect((await client.get<List>(trash)).body.list).toEqual([]);
      expect((await client.post(`${trash}/columns/${String(other?.id)}/restore`)).status).toBe(404);
      expect((await client.delete(`/api/v1/db/meta/tables/${city.id}`)).body).toBe(true);
    },
  );

  test('do with the linked rows what was chosen when a row is deleted', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm', { onDelete: 'set null', onUpdate: 'cascade' });
    await client.post(data('Country/1/hm/Cities/1'));
    expect((await client.delete(data('Country/1'))).body).toBe(1);
    expect((await list('City')).list[0]).toMatchObject({ Title: 'Paris', Country: null });
  });

  test.each([
    ['cascade', 'deleted from', ['Lima', 'Nowhere']],
    ['set null', 'updated in', ['Paris', 'Lyon', 'Lima', 'Nowhere']],
  ])(
    'tell what became of linked rows where so many go that nobody remembers which (%s)',
    async (onDelete, verb, left) => {
      const { client, project, country, data, link, list } = await atlas();
      await link('hm', { onDelete });
      const bulk = data('Country').replace('/data/', '/data/bulk/');
      const many = Array.from({ length: 10_001 }, () => ({ Title: 'Many' }));
      await client.post(bulk, many);
      const key = `${country.table_name}_id`;
      const [one] = (await list('Country?where=(Title,eq,Many)&limit=1')).list;
      for (const row of [1, 2]) await client.patch(data(`City/${row}`), { [key]: one?.Id });
      await client.patch(data('City/3'), { [key]: 1 });
      expect((await client.delete(`${bulk}/all?where=(Title,eq,Many)`)).body).toBe(10_001);
      expect((await list('City?sort=Id')).list.map(({ Title }) => Title)).toEqual(left);
      const told = await client.get<{ list: readonly { description: string }[] }>(
        `/api/v1/db/meta/projects/${project}/audits?limit=2`,
      );
      expect(told.body.list.map(({ description }) => description).toSorted()).toEqual([
        '10001 rows bulk deleted from Country',
        `2 rows bulk ${verb} City`,
      ]);
    },
  );

  test('follow a row that gets another key where that was chosen, and else keep it from getting one', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm', { onUpdate: 'cascade' });
    await client.post(data('Country/1/hm/Cities/1'));
    expect(await client.patch(data('Country/1'), { Id: 50 })).toMatchObject({
      status: 200,
      body: { Id: 50 },
    });
    expect((await list('City?sort=Id&limit=1')).list).toMatchObject([
      { Country: { Id: 50, Title: 'France' } },
    ]);
    const other = await atlas();
    await other.link('hm');
    await client.post(other.data('Country/1/hm/Cities/1'));
    const refused = await client.patch(other.data('Country/1'), { Id: 50 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect((await other.list('City?sort=Id&limit=1')).list).toMatchObject([{ Country: { Id: 1 } }]);
  });

  // No key that is made here has a default value but none.
  test('set the key of linked rows to its default, which is none, where that was chosen', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm', { onDelete: 'set default' });
    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/2/hm/Cities/3'));
    expect((await client.delete(data('Country/1'))).body).toBe(1);
    expect((await list('City?sort=Id')).list.map(({ Country }) => Country)).toEqual([
      null,
      null,
      { Id: 2, Title: 'Peru' },
      null,
    ]);
  });

  test.each(['hm', 'mm'] as const)(
    'do something else with the linked rows once somebody says so, from either end (%s)',
    async (type) => {
      const { client, city, data, link, list, table } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      const back = (await table(city.id)).columns?.find(
        ({ uidt, system }) => uidt === 'LinkToAnotherRecord' && !system,
      );
      for (const row of [1, 2]) await client.post(data(`Country/${row}/${type}/Cities/${row}`));
      const change = (column: ColumnEntity, body: object) =>
        client.patch<TableEntity & { code?: string }>(`/api/v1/db/meta/columns/${column.id}`, {
          title: column.title,
          uidt: column.uidt,
          ...body,
        });
      const changed = await change(own, { colOptions: { ...own.colOptions, onDelete: 'cascade' } });
      expect(columnOf(changed.body, 'Cities').colOptions).toMatchObject({ dr: 'cascade', ur: null });
      expect((await client.delete(data('Country/1'))).body).toBe(1);
      const left = async () => (await list('City?sort=Id')).list.map(({ Title }) => Title);
      // Of a junction table it is the links that go.
      expect(await left()).toEqual(['Paris', 'Lyon', 'Lima', 'Nowhere'].slice(type === 'hm' ? 1 : 0));
      expect((await change(back as ColumnEntity, { meta: { link: { onDelete: 'restrict' } } })).status).toBe(
        200,
      );
      const refused = await client.delete<{ message?: unknown }>(data('Country/2'));
      expect(refused.body.message).toEqual([expect.stringContaining('Country')]);
      expect(await change(own, { meta: { link: { onDelete: 'explode' } } })).toMatchObject({
        status: 400,
        body: { code: 'LINK_ACTION_UNKNOWN' },
      });
      expect(await change(own, { meta: { link: { onDelete: 'cascade', childId: city.id } } })).toMatchObject({
        status: 501,
      });
    },
  );

  test('that the database does not hold have nothing done with their rows', async () => {
    const { client, link } = await atlas();
    const own = columnOf((await link('hm', { virtual: true })).body, 'Cities');
    const path = `/api/v1/db/meta/columns/${own.id}`;
    const body = { title: own.title, uidt: own.uidt, meta: { link: { onDelete: 'cascade' } } };
    expect(await client.patch(path, body)).toMatchObject({ status: 400, body: { code: 'LINK_NOT_HELD' } });
  });

  test('keep a row from being deleted that others point to, and say which columns do', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm');
    await client.post(data('Country/1/hm/Cities/1'));
    const refused = await client.delete(data('Country/1'));
    expect([refused.status, refused.body]).toEqual([
      200,
      { message: ['1. Country.Cities is a LinkToAnotherRecord of City'] },
    ]);
    expect((await list('Country')).list).toHaveLength(3);
  });

  test('keep their column when it is renamed, and what they are made of', async () => {
    const { client, city, data, link, list, table } = await atlas();
    const made = await link('hm');
    const own = columnOf(made.body, 'Cities');
    const path = `/api/v1/db/meta/columns/${own.id}`;
    const renamed = await client.patch<TableEntity>(path, { ...own, title: 'Towns' });
    expect(columnOf(renamed.body, 'Towns')).toMatchObject({
      id: own.id,
      colOptions: { ...own.colOptions, updated_at: expect.any(String) },
    });
    expect(await client.patch(path, { uidt: 'SingleLineText', title: 'Towns' })).toMatchObject({
      status: 501,
      body: { msg: 'Updating LinkToAnotherRecord => SingleLineText is not implemented' },
    });
    const key = (await table(city.id)).columns?.find(({ uidt }) => uidt === 'ForeignKey');
    const keyPath = `/api/v1/db/meta/columns/${key?.id}`;
    expect((await client.delete(keyPath)).status).toBe(501);
    // What holds the link keeps the type of the key that it names.
    const asText = { title: key?.title, uidt: 'SingleLineText' };
    const refused = { status: 400, body: { code: 'RETYPE_LINKING' } };
    expect(await client.post(`${keyPath}/trial`, asText)).toMatchObject(refused);
    expect(await client.patch(keyPath, asText)).toMatchObject(refused);
    await client.post(data('Country/1/hm/Towns/1'));
    expect((await list('Country?limit=1')).list).toMatchObject([{ Towns: [{ Id: 1 }] }]);
  });
});
