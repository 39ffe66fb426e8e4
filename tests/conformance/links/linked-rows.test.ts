import { expect, test } from '@jest/globals';
import { columnOf, describeLinks, type List, type Row } from './atlas.ts';

describeLinks('linked rows', (atlas) => {
  test('show the first rows of each cell, however many are linked to another row of the page', async () => {
    const { client, country, link, data, list } = await atlas();
    await link('hm');
    const key = `${country.table_name}_id`;
    const towns = Array.from({ length: 1100 }, (_, index) => ({ Title: `Town ${index}`, [key]: 2 }));
    await client.post(data('City').replace('/data/', '/data/bulk/'), towns);
    await client.patch(data('City/4'), { [key]: 1 });
    const cells = async () =>
      (await list('Country?sort=Id')).list.map(({ Cities }) =>
        (Cities as readonly { Id: number }[]).map(({ Id }) => Id),
      );
    const first = Array.from({ length: 25 }, (_, index) => index + 5);
    expect(await cells()).toEqual([[4], first, []]);
    await client.delete(`${data('City').replace('/data/', '/data/bulk/')}/all?where=(Id,gt,40)`);
    expect(await cells()).toEqual([[4], first, []]);
  });

  test('show what is linked in a page of rows, and shape it as it is asked for', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm');
    for (const city of [1, 2]) {
      const linked = await client.post(data(`Country/1/hm/Cities/${city}`));
      expect([linked.status, linked.body]).toEqual([200, { msg: 'success' }]);
    }
    expect((await list('Country')).list.map(({ Title, Cities }) => [Title, Cities])).toEqual([
      [
        'France',
        [
          { Id: 1, Title: 'Paris' },
          { Id: 2, Title: 'Lyon' },
        ],
      ],
      ['Peru', []],
      ['Chad', []],
    ]);
    expect((await list('City')).list.map(({ Country }) => Country)).toEqual([
      { Id: 1, Title: 'France' },
      { Id: 1, Title: 'France' },
      null,
      null,
    ]);
    const nested = 'nested[Cities][fields]=Title,Pop&nested[Cities][sort]=-Title&nested[Cities][limit]=1';
    expect((await list(`Country?${nested}`)).list[0]?.Cities).toEqual(
      [{ Title: 'Paris', Pop: 2_000_000 }].map((row) => expect.objectContaining({ Title: row.Title })),
    );
    const large = async (more = '') =>
      (await list(`Country?nested[Cities][where]=(Pop,gt,600000)${more}`)).list.map(({ Cities }) => Cities);
    expect(await large()).toEqual([[{ Id: 1, Title: 'Paris' }], [], []]);
    await client.post(data('Country/1/hm/Cities/3'));
    expect(await large('&nested[Cities][sort]=-Pop')).toEqual([
      [
        { Id: 3, Title: 'Lima' },
        { Id: 1, Title: 'Paris' },
      ],
      [],
      [],
    ]);
    expect(await large('&nested[Cities][limit]=1&nested[Cities][offset]=1')).toEqual([
      [{ Id: 3, Title: 'Lima' }],
      [],
      [],
    ]);
    await client.delete(data('Country/1/hm/Cities/3'));
    const one = await client.get<Row>(data('Country/1'));
    expect(one.body.Cities).toHaveLength(2);
    const csv = await client.get<string>(data('Country/export/csv?fields[]=Title&fields[]=Cities'));
    expect(csv.body).toContain('"Paris, Lyon"');
  });

  test('are listed, and what could be linked is; linking again changes nothing, and linking moves', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm');
    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/1/hm/Cities/1'));
    const linked = await list('Country/1/hm/Cities');
    expect(linked).toMatchObject({ list: [{ Id: 1, Title: 'Paris' }], pageInfo: { totalRows: 1 } });
    expect(Object.keys(linked.list[0] ?? {})).not.toContain('Country');
    const others = await list('Country/1/hm/Cities/exclude?where=(Title,like,i)&limit=1');
    expect(others).toMatchObject({ list: [{ Title: 'Lima' }], pageInfo: { totalRows: 1 } });
    await client.post(data('Country/2/hm/Cities/1'));
    expect((await list('Country')).list.map(({ Cities }) => Cities)).toMatchObject([[], [{ Id: 1 }], []]);
    await client.post(data('City/2/bt/Country/3'));
    expect((await list('City/2/bt/Country/exclude')).list.map(({ Title }) => Title)).toEqual([
      'France',
      'Peru',
    ]);
    await client.delete(data('City/1/bt/Country/1'));
    expect((await list('City')).list.map(({ Country }) => Country)).toMatchObject([
      { Id: 2 },
      { Id: 3 },
      null,
      null,
    ]);
    await client.delete(data('City/1/bt/Country/2'));
    expect((await list('City')).list[0]?.Country).toBeNull();
    expect((await client.post(data('Country/99/hm/Cities/1'))).status).toBe(404);
    expect((await client.post(data('Country/1/hm/Cities/99'))).status).toBe(404);
    expect((await client.post(data('Country/1/hm/Title/1'))).status).toBe(404);
  });

  test('both ways stand in a junction table, which steps back', async () => {
    const { client, project, city, country, data, link, list, table } = await atlas();
    const made = await link('mm', { title: 'Tours' });
    const options = columnOf(made.body, 'Tours').colOptions;
    expect(options).toMatchObject({ type: 'mm', fk_related_model_id: city.id });
    const junction = await table(String(options.fk_mm_model_id));
    expect(junction).toMatchObject({ mm: true, title: expect.stringMatching(/_nc_m2m_\w{10}$/) });
    expect(junction.columns?.filter(({ pk }) => pk).map(({ column_name }) => column_name)).toEqual([
      'table2_id',
      'table1_id',
    ]);
    const tables = await client.get<List>(`/api/v1/db/meta/projects/${project}/tables`);
    expect(tables.body.list.map(({ title }) => title)).toEqual(['Country', 'City']);
    const bridge = columnOf(await table(country.id), `${junction.title} List`);
    expect(bridge).toMatchObject({
      system: true,
      colOptions: { type: 'hm', fk_related_model_id: junction.id },
    });
    for (const [from, to] of [
      [1, 1],
      [1, 3],
      [2, 3],
      [1, 1],
    ]) {
      const answer = await client.post(data(`Country/${from}/mm/Tours/${to}`));
      expect([answer.status, answer.body]).toEqual([200, { msg: 'success' }]);
    }
    expect((await list('Country?fields=Tours')).list).toEqual([
      {
        Tours: [
          { Id: 1, Title: 'Paris' },
          { Id: 3, Title: 'Lima' },
        ],
      },
      { Tours: [{ Id: 3, Title: 'Lima' }] },
      { Tours: [] },
    ]);
    expect((await list('City/3/mm/Country List')).list.map(({ Title }) => Title)).toEqual(['France', 'Peru']);
    const others = await list('Country/1/mm/Tours/exclude');
    expect(others).toMatchObject({
      list: [{ Title: 'Lyon' }, { Title: 'Nowhere' }],
      pageInfo: { totalRows: 2 },
    });
    const taken = await client.delete(data('Country/1/mm/Tours/3'));
    expect(taken.body).toEqual({ msg: 'success' });
    expect((await list('Country/1/mm/Tours')).list.map(({ Title }) => Title)).toEqual(['Paris']);
    const operation = taken.headers.get('x-trellis-operation') ?? '';
    const undone = await client.post(`/api/v1/db/data/operations/${project}/${operation}/undo`, {});
    expect(undone.status).toBe(200);
    expect((await list('Country/1/mm/Tours')).list.map(({ Title }) => Title)).toEqual(['Paris', 'Lima']);
    expect((await list('City/3/mm/Country List')).list.map(({ Title }) => Title)).toEqual(['France', 'Peru']);
  });

  test('are filtered by what they lead to', async () => {
    const { client, data, link, list } = await atlas();
    await link('hm');
    for (const [country, city] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ])
      await client.post(data(`Country/${country}/hm/Cities/${city}`));
    const titles = async (where: string, of = 'Country') =>
      (await list(`${of}?where=${encodeURIComponent(where)}`)).list.map(({ Title }) => Title);
    expect(await titles('(Cities,eq,Paris)')).toEqual(['France']);
    expect(await titles('(Cities,like,l)')).toEqual(['France', 'Peru']);
    expect(await titles('(Cities,neq,Paris)')).toEqual(['Peru', 'Chad']);
    expect(await titles('(Cities,nlike,l)')).toEqual(['Chad']);
    expect(await titles('(Cities,empty,x)')).toEqual(['Chad']);
    expect(await titles('(Cities,notempty,x)')).toEqual(['France', 'Peru']);
    expect(await titles('(Country,eq,France)', 'City')).toEqual(['Paris', 'Lyon']);
    expect(await titles('(Country,neq,France)', 'City')).toEqual(['Lima']);
    expect(await titles('(Country,null,x)', 'City')).toEqual(['Nowhere']);
    expect(await titles('(Country,notnull,x)', 'City')).toEqual(['Paris', 'Lyon', 'Lima']);
    expect((await list('City?sort=-Country,Title')).list.map(({ Title }) => Title)).toEqual(
      expect.arrayContaining(['Lima', 'Lyon', 'Paris', 'Nowhere']),
    );
    const sorted = (await list('City?sort=-Country,Title&where=(Country,notnull,x)')).list;
    expect(sorted.map(({ Title }) => Title)).toEqual(['Lima', 'Lyon', 'Paris']);
  });

  test('of a table to itself name both ends apart', async () => {
    const { client, country, data, column, list } = await atlas();
    const self = { uidt: 'LinkToAnotherRecord', parentId: country.id, childId: country.id };
    const made = await column(country.id, { ...self, title: 'Colonies', type: 'hm' });
    expect(made.status).toBe(200);
    await column(country.id, { ...self, title: 'Friends', type: 'mm' });
    await client.post(data('Country/1/hm/Colonies/3'));
    await client.post(data('Country/1/mm/Friends/2'));
    const rows = (await list('Country')).list;
    expect(rows[0]).toMatchObject({
      Colonies: [{ Title: 'Chad' }],
      Country: null,
      Friends: [{ Title: 'Peru' }],
      'Country List': [],
    });
    expect(rows[1]).toMatchObject({ 'Country List': [{ Title: 'France' }], Friends: [] });
    expect(rows[2]).toMatchObject({ Country: { Title: 'France' } });
  });
});
