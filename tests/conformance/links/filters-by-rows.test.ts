import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnOf, describeLinks } from './atlas.ts';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? 20_261_127);

/** Which cities each country has, by their keys. */
type Linked = ReadonlyMap<number, ReadonlySet<number>>;

/** The keys of the countries whose cities are asked for so. */
function expected(linked: Linked, operator: string, keys: readonly number[]): readonly number[] {
  return [...linked].flatMap(([country, cities]) => {
    const hasAny = keys.some((key) => cities.has(key));
    return hasAny === (operator === 'linkedto') ? [country] : [];
  });
}

describeLinks('filters by the rows that others are linked to', (atlas) => {
  test.each(['hm', 'mm'] as const)('give the rows that such links lead from (%s)', async (type) => {
    const { client, data, link, list } = await atlas();
    const column = columnOf((await link(type)).body, 'Cities');
    const pairs = type === 'hm' ? ['1/1', '1/2', '2/3'] : ['1/1', '1/2', '2/2', '2/3', '2/4'];
    const linked = new Map([1, 2, 3].map((country) => [country, new Set<number>()]));
    for (const pair of pairs) {
      const [country = 0, city = 0] = pair.split('/').map(Number);
      linked.get(country)?.add(city);
      const made = await client.post(data(`Country/${country}/${type}/Cities/${city}`));
      expect(made.status).toBe(200);
    }
    const keys = fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 99), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('linkedto', 'notlinkedto'), keys, async (operator, asked) => {
        const filter = { fk_column_id: column.id, comparison_op: operator, value: asked.join(',') };
        const query = new URLSearchParams({ filterArrJson: JSON.stringify([filter]), sort: 'Id' });
        const found = (await list(`Country?${query.toString()}`)).list.map(({ Id }) => Number(Id));
        expect(found).toEqual(expected(linked, operator, asked));
        const inWhere = (await list(`Country?where=(Cities,${operator},${asked.join(',')})&sort=Id`)).list;
        expect(inWhere.map(({ Id }) => Number(Id))).toEqual(found);
      }),
      { seed, numRuns: 20 },
    );
  });

  test('give the rows of a link to one row; what can be no key names none', async () => {
    const { client, data, link, list } = await atlas();
    const column = columnOf((await link('bt')).body, 'Land');
    for (const [city, country] of [
      [1, 1],
      [2, 1],
      [3, 2],
    ])
      await client.post(data(`City/${city}/bt/Land/${country}`));
    const titles = async (operator: string, value: unknown) => {
      const filter = { fk_column_id: column.id, comparison_op: operator, value };
      const query = new URLSearchParams({ filterArrJson: JSON.stringify([filter]), sort: 'Id' });
      return (await list(`City?${query.toString()}`)).list.map(({ Title }) => Title);
    };
    expect(await titles('linkedto', '1')).toEqual(['Paris', 'Lyon']);
    expect(await titles('linkedto', ['1', '2'])).toEqual(['Paris', 'Lyon', 'Lima']);
    expect(await titles('notlinkedto', '1')).toEqual(['Lima', 'Nowhere']);
    expect(await titles('linkedto', 'France,2')).toEqual(['Lima']);
    expect(await titles('linkedto', "1' or 1=1 --")).toEqual([]);
    expect(await titles('notlinkedto', 'France')).toEqual(['Paris', 'Lyon', 'Lima', 'Nowhere']);
  });

  test('are refused for columns that are no links, and for more rows than anybody picks', async () => {
    const { client, data, link, table, city } = await atlas();
    const column = columnOf((await link('bt')).body, 'Land');
    const title = columnOf(await table(city.id), 'Title');
    const ask = (id: string, value: string) => {
      const filter = JSON.stringify([{ fk_column_id: id, comparison_op: 'linkedto', value }]);
      return client.get<{ msg: string }>(
        data(`City?${new URLSearchParams({ filterArrJson: filter }).toString()}`),
      );
    };
    expect(await ask(title.id, '1')).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining("'Title' is no link") },
    });
    const many = Array.from({ length: 501 }, (_, index) => index).join(',');
    expect(await ask(column.id, many)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining("'Land' has more than 500 rows") },
    });
  });

  test('stay with a view, by its link as well', async () => {
    const { client, data, link, list, city, table } = await atlas();
    const column = columnOf((await link('bt')).body, 'Land');
    await client.post(data('City/1/bt/Land/1'));
    await client.post(data('City/3/bt/Land/2'));
    const view = (await table(city.id)).views?.[0];
    const saved = await client.post(`/api/v1/db/meta/views/${view?.id}/filters`, {
      fk_column_id: column.id,
      comparison_op: 'linkedto',
      value: '2',
    });
    expect(saved.status).toBe(200);
    expect((await list(`City/views/${view?.id}`)).list.map(({ Title }) => Title)).toEqual(['Lima']);
    const shared = await client.post<{ uuid: string }>(`/api/v1/db/meta/views/${view?.id}/share`);
    const rows = await client.get<{ data: { list: readonly { Title: string }[] } }>(
      `/api/v1/db/public/shared-view/${shared.body.uuid}/rows`,
    );
    expect(JSON.stringify(rows.body)).toContain('Lima');
    expect(JSON.stringify(rows.body)).not.toContain('Paris');
  });
});
