import { expect, test } from '@jest/globals';
import { columnOf, describeLinks, type Row } from './atlas.ts';

/** Titles of linked rows, with those that letters, blanks and emptiness make hard to compare. */
const titles = ['b', 'a', 'A', 'a!', 'ab', 'é', null, '', 'Z', '10', '9', 'a b'] as const;

/** Whatever number comes after a seed, the same on every database. */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const byBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

function namesIn(cell: unknown): readonly string[] {
  return (cell as readonly Row[]).map(({ Title }) => (Title as string | null) ?? '');
}

/** Rows without a value first; lists by their first values, those that begin alike by the second ones, and so on; without regard to case. */
function byNames(left: readonly string[], right: readonly string[]): number {
  const texts = [left, right].map((names) => `${names.map((name) => `${name}\u0002`).join('')}\u0001`);
  const [one = '', other = ''] = texts;
  return byBytes(one.toLowerCase(), other.toLowerCase());
}

describeLinks('columns whose cells hold several linked rows', (atlas) => {
  /** Some countries with up to three cities each, over a junction table or by a foreign key. */
  async function linked(type: 'mm' | 'hm', countries: number) {
    const made = await atlas();
    const { client, data, link, country, city } = made;
    await client.delete(data('City/4'));
    for (const [at, Title] of titles.entries()) await client.post(data('City'), { Id: 100 + at, Title });
    const rows = Array.from({ length: countries }, (_, at) => ({ Id: 100 + at, Title: `Country ${at}` }));
    const bulk = data('').replace('/db/data/', '/db/data/bulk/');
    expect(await client.post(`${bulk}Country`, rows)).toMatchObject({ status: 200 });
    expect(await link(type)).toMatchObject({ status: 200 });
    const next = numbersFrom(7);
    const links = new Set<string>();
    if (type === 'hm') for (const at of titles.keys()) links.add(`${100 + next(6)}/hm/Cities/${100 + at}`);
    else
      for (let number = 0; number < 45; number += 1)
        links.add(`${100 + next(20)}/mm/Cities/${100 + next(titles.length)}`);
    for (const path of links)
      expect(await client.post(data(`Country/${path}`))).toMatchObject({ status: 200 });
    const ids = { country: country.id, city: city.id };
    return { ...made, ids };
  }

  test.each(['mm', 'hm'] as const)(
    'sort rows by the titles of the linked ones in their order (%s)',
    async (type) => {
      const { list } = await linked(type, 30);
      const all = (await list('Country?sort=Id&limit=100')).list;
      for (const sign of ['', '-']) {
        const expected = all
          .map((row) => ({ id: Number(row['Id']), names: namesIn(row['Cities']) }))
          .toSorted(
            (left, right) => byNames(left.names, right.names) * (sign === '' ? 1 : -1) || left.id - right.id,
          )
          .map(({ id, names }) => [id, ...names]);
        const shown = (rows: readonly Row[]) =>
          rows.map((row) => [Number(row['Id']), ...namesIn(row['Cities'])]);
        expect(shown((await list(`Country?sort=${sign}Cities&limit=100`)).list)).toEqual(expected);
        const some = (await list(`Country?sort=${sign}Cities,Id&limit=100&where=(Id,gt,0)`)).list;
        expect(shown(some)).toEqual(expected);
        const pages: Row[] = [];
        for (let offset = 0; offset < all.length; offset += 7)
          pages.push(...(await list(`Country?sort=${sign}Cities&limit=7&offset=${offset}`)).list);
        expect(shown(pages)).toEqual(expected);
      }
    },
  );

  test('sort pages far behind as those in front', async () => {
    const { list } = await linked('mm', 1060);
    const last = (await list('Country?sort=-Cities&limit=20&offset=1040')).list.map(({ Id }) => Number(Id));
    // Those without any come last, in the order of their keys: the last three are beyond the page.
    expect(last).toEqual(Array.from({ length: 20 }, (_, at) => 100 + 1060 - 23 + at));
  });

  test('sort rows by the numbers that they show of the linked ones, and not by the digits', async () => {
    const { client, column, data, list, link, table, country, city } = await atlas();
    await link('mm');
    for (const [id, Pop] of [
      [1, 9],
      [2, 10],
      [3, 100],
    ])
      await client.patch(data(`City/${id}`), { Pop });
    const way = {
      fk_relation_column_id: columnOf(await table(country.id), 'Cities').id,
      fk_lookup_column_id: columnOf(await table(city.id), 'Pop').id,
    };
    expect(await column(country.id, { title: 'Pops', uidt: 'Lookup', ...way })).toMatchObject({
      status: 200,
    });
    for (const [from, to] of [
      [1, 3],
      [2, 1],
      [3, 2],
    ])
      await client.post(data(`Country/${from}/mm/Cities/${to}`));
    const sorted = async (sort: string) =>
      (await list(`Country?sort=${sort}`)).list.map(({ Title }) => Title);
    expect(await sorted('Pops')).toEqual(['Peru', 'Chad', 'France']);
    expect(await sorted('-Pops')).toEqual(['France', 'Chad', 'Peru']);
  });

  test('count the cells with something in them, as filters find these, and give no other figure', async () => {
    const { client, column, data, list, ids, table } = await linked('mm', 30);
    const names = {
      fk_relation_column_id: columnOf(await table(ids.country), 'Cities').id,
      fk_lookup_column_id: columnOf(await table(ids.city), 'Title').id,
    };
    expect(await column(ids.country, { title: 'Names', uidt: 'Lookup', ...names })).toMatchObject({
      status: 200,
    });
    const rows = (await list('Country?sort=Id&limit=100')).list;
    const filled = {
      Cities: rows.filter(({ Cities }) => namesIn(Cities).length > 0).length,
      Names: rows.filter(({ Cities }) => namesIn(Cities).some((name) => name !== '')).length,
    };
    expect(filled.Names).toBeLessThan(rows.length);
    const figures = [
      'count',
      'filled',
      'empty',
      'percent-filled',
      'percent-empty',
      'unique',
      'sum',
      'median',
    ];
    const aggregations = (of: string) =>
      encodeURIComponent(JSON.stringify(figures.map((aggregation) => ({ column: of, aggregation }))));
    for (const title of ['Cities', 'Names'] as const) {
      const { body } = await client.get<{ list: readonly { value: unknown }[] }>(
        data(`Country/aggregate?aggregations=${aggregations(title)}`),
      );
      const told = body.list.map(({ value }) => (value === null ? null : Number(value)));
      const share = (100 * filled[title]) / rows.length;
      expect([title, told.slice(0, 3), told.slice(5)]).toEqual([
        title,
        [rows.length, filled[title], rows.length - filled[title]],
        [null, null, null],
      ]);
      expect(told[3]).toBeCloseTo(share, 3);
      expect(told[4]).toBeCloseTo(100 - share, 3);
      const found = async (operator: string) =>
        (await list(`Country?limit=1&where=(${title},${operator},)`)).pageInfo.totalRows;
      expect([await found('notblank'), await found('blank')].map(Number)).toEqual(told.slice(1, 3));
    }
  });

  test('count a row that is linked to one without a name as filled, as filters do', async () => {
    const { client, data, link, list } = await atlas();
    await link('bt');
    await client.post(data('Country'), { Id: 50, Title: null });
    await client.post(data('City/1/bt/Land/50'));
    await client.post(data('City/2/bt/Land/1'));
    const aggregations = encodeURIComponent(JSON.stringify([{ column: 'Land', aggregation: 'filled' }]));
    const { body } = await client.get<{ list: readonly { value: unknown }[] }>(
      data(`City/aggregate?aggregations=${aggregations}`),
    );
    expect(Number(body.list[0]?.value)).toBe(2);
    const titlesOf = async (where: string) =>
      (await list(`City?sort=Id&where=${where}`)).list.map(({ Title }) => Title);
    expect(await titlesOf('(Land,notblank,)')).toEqual(['Paris', 'Lyon']);
    expect(await titlesOf('(Land,blank,)')).toEqual(['Lima', 'Nowhere']);
  });
});
