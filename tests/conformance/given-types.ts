import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CellValue, ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import type { ColumnTypeGround, TestClient, TestServer } from '@trellis/sdk/testing/server';

type Row = Readonly<Record<string, CellValue>>;
type Value = string | number;

/** A column that people cannot fill, and its cells row by row: no value, one value, or several. */
interface GivenColumn {
  readonly uidt: string;
  readonly cells: readonly (readonly Value[])[];
  /** Whether a cell contains a list, even with one value. */
  readonly isList?: boolean;
  /** The keys of linked rows, if cells contain such. */
  readonly keys?: readonly (readonly number[])[];
  /** The cells in a file, if they are not the values joined by commas. */
  readonly csv?: readonly string[];
  /** Whether rows can be sorted by it. */
  readonly hasOrder?: false;
}

const email = 'person1@example.com';
const each = <T>(...cells: readonly T[]) => cells.map((cell) => [cell]);

/** The columns of the tested table, by title. Their types are all those that people cannot fill. */
const given: Readonly<Record<string, GivenColumn>> = {
  Id: { uidt: 'ID', cells: each(1, 2, 3, 4) },
  Nr: { uidt: 'AutoNumber', cells: each(1, 2, 3, 4) },
  Made: {
    uidt: 'CreateTime',
    cells: each('2001-02-03 04:05:06', '2001-02-03 04:05:07', '2026-03-29 02:30:05', '2001-02-03 04:05:06'),
  },
  Changed: {
    uidt: 'LastModifiedTime',
    cells: each('2002-02-03 04:05:06', '2002-02-03 00:00:00', '2026-03-29 23:59:59', '2003-01-01 00:00:00'),
  },
  Maker: { uidt: 'CreatedBy', cells: each(email, email, email, email) },
  Changer: { uidt: 'LastModifiedBy', cells: each(email, email, email, email) },
  Places: {
    uidt: 'LinkToAnotherRecord',
    cells: [['Kiel', 'Bonn'], ['Rom'], [], ['Ulm']],
    keys: [[1, 2], [3], [], [4]],
    isList: true,
  },
  Home: {
    uidt: 'LinkToAnotherRecord',
    cells: [['Kiel'], [], ['Bonn'], ['Kiel']],
    keys: [[1], [], [2], [1]],
  },
  Sizes: { uidt: 'Lookup', cells: [[10, 20], [0], [], [5]], isList: true },
  'Home size': { uidt: 'Lookup', cells: [[10], [], [20], [10]] },
  'Home name': { uidt: 'Lookup', cells: [['Kiel'], [], ['Bonn'], ['Kiel']] },
  Sum: { uidt: 'Rollup', cells: [[30], [0], [], [5]] },
  Number: { uidt: 'Count', cells: each(2, 1, 0, 1) },
  Twice: { uidt: 'Formula', cells: [[8], [], [15], [8]] },
  Name: { uidt: 'Formula', cells: each('ada!', 'bob!', 'cy!', 'ada!') },
  Page: {
    uidt: 'Button',
    cells: each('https://a.test/1', 'https://a.test/2', 'https://a.test/3', 'https://a.test/4'),
    hasOrder: false,
  },
};

/** A second implementation of each operator: for a cell's values and the filter's. */
const finds: Readonly<
  Record<string, (cell: readonly Value[], named: readonly Value[], isList: boolean) => boolean>
> = {
  eq: (cell, [one]) => cell.some((value) => value === one),
  neq: (cell, [one], isList) => (isList || cell.length > 0) && cell.every((value) => value !== one),
  gt: (cell, [one = '']) => cell.some((value) => value > one),
  gte: (cell, [one = '']) => cell.some((value) => value >= one),
  lt: (cell, [one = '']) => cell.some((value) => value < one),
  lte: (cell, [one = '']) => cell.some((value) => value <= one),
  btw: (cell, [low = '', high = '']) => cell.some((value) => value >= low && value <= high),
  in: (cell, named) => cell.some((value) => named.includes(value)),
  anyof: (cell, named) => cell.some((value) => named.includes(value)),
  noneof: (cell, named) => !cell.some((value) => named.includes(value)),
  like: (cell, [one]) => cell.some((value) => String(value).includes(String(one))),
  nlike: (cell, [one], isList) =>
    (isList || cell.length > 0) && cell.every((value) => !String(value).includes(String(one))),
  // For a single text, `empty` means, as in the v1 API, that it exists and has no characters: `null` finds cells without one.
  empty: (cell, [one], isList) => cell.length === 0 && (isList || typeof one === 'number'),
  null: (cell) => cell.length === 0,
  notempty: (cell) => cell.length > 0,
  notnull: (cell) => cell.length > 0,
  blank: (cell) => cell.length === 0,
  notblank: (cell) => cell.length > 0,
  linkedto: (cell, named) => cell.some((value) => named.includes(value)),
  notlinkedto: (cell, named) => !cell.some((value) => named.includes(value)),
};

/** The number of an operator's values, if it is not one. */
const arities: Readonly<Record<string, number>> = { btw: 2, in: 2, linkedto: 2, notlinkedto: 2 };

/** A cell's value in the form of the tables above: databases return 12 or "12", and moments with or without a T. */
function plain(value: unknown): Value {
  if (typeof value === 'object' && value !== null) return plain(Object.values(value).at(-1));
  const text = String(value as Value);
  if (/^\d{4}-\d\d-\d\d[T ]/.test(text)) return text.replace('T', ' ').slice(0, 19);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

const endsOf = (numbers: readonly number[]) => ({
  minimum: Math.min(...numbers),
  maximum: Math.max(...numbers),
});

const valuesOf = (cell: unknown): readonly Value[] =>
  (Array.isArray(cell) ? cell : [cell]).filter((value) => value !== null && value !== undefined).map(plain);

/**
 * What must hold on every database for types whose cells come from the database, the server or a computation: their contents, each
 * filter operator, sorts, groups, figures, files, and undo.
 */
export function describeGivenTypes(ground: ColumnTypeGround): void {
  describe(`columns that nobody fills on ${ground.name}`, () => {
    let server: TestServer;
    let client: TestClient;
    let table: TableEntity;
    const meta = '/api/v1/db/meta';
    const path = '/api/v1/db/data/noco/Given/Samples';

    const titles = Object.keys(given);
    const columnOf = (title: string) => table.columns?.find((one) => one.title === title) as ColumnEntity;
    const list = async (query: string) => {
      const answer = await client.get<{ list: readonly Row[] }>(`${path}?limit=100&${query}`);
      if (answer.status !== 200) throw new Error(`${query}: ${JSON.stringify(answer.body)}`);
      return answer.body.list;
    };
    const idsOf = (rows: readonly Row[]) => rows.map(({ Id }) => Number(Id));

    beforeAll(async () => {
      server = await ground.start();
      client = await server.signUp();
      const project = await client.post<{ id: string }>(`${meta}/projects`, { title: 'Given' });
      const make = async (title: string, columns: readonly object[]) => {
        const body = { title, columns: [{ title: 'Id', uidt: 'ID' }, ...columns] };
        const made = await client.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, body);
        expect(made).toMatchObject({ status: 200 });
        return made.body;
      };
      const places = await make('Places', [
        { title: 'Title', uidt: 'SingleLineText', pv: true },
        { title: 'Size', uidt: 'Number' },
      ]);
      table = await make('Samples', [
        { title: 'Title', uidt: 'SingleLineText', pv: true },
        { title: 'Amount', uidt: 'Decimal' },
        { title: 'Nr', uidt: 'AutoNumber' },
        { title: 'Made', uidt: 'DateTime' },
        { title: 'Changed', uidt: 'DateTime' },
        { title: 'Maker', uidt: 'CreatedBy' },
        { title: 'Changer', uidt: 'LastModifiedBy' },
      ]);
      const add = async (body: object) => {
        const added = await client.post<TableEntity>(`${meta}/tables/${table.id}/columns`, body);
        expect({ asked: body, ...added }).toMatchObject({ status: 200 });
        table = added.body;
      };
      const placeOf = (title: string) => places.columns?.find((one) => one.title === title)?.id;
      const link = { uidt: 'LinkToAnotherRecord' };
      await add({ ...link, title: 'Places', type: 'hm', parentId: table.id, childId: places.id });
      await add({ ...link, title: 'Home', type: 'bt', parentId: places.id, childId: table.id });
      for (const [title, relation, of] of [
        ['Sizes', 'Places', 'Size'],
        ['Home size', 'Home', 'Size'],
        ['Home name', 'Home', 'Title'],
      ] as const) {
        const way = { fk_relation_column_id: columnOf(relation).id, fk_lookup_column_id: placeOf(of) };
        await add({ title, uidt: 'Lookup', ...way });
      }
      const way = { fk_relation_column_id: columnOf('Places').id };
      const sum = { fk_rollup_column_id: placeOf('Size'), rollup_function: 'sum' };
      await add({ title: 'Sum', uidt: 'Rollup', ...way, ...sum });
      await add({ title: 'Number', uidt: 'Count', ...way });
      await add({ title: 'Twice', uidt: 'Formula', formula: '{Amount} * 2' });
      await add({ title: 'Name', uidt: 'Formula', formula: 'CONCAT(LOWER({Title}), "!")' });
      const formula = 'CONCAT("https://a.test/", {Id})';
      await add({ title: 'Page', uidt: 'Button', meta: { action: 'link', formula } });

      const bulk = (of: string) => `/api/v1/db/data/bulk/noco/Given/${of}`;
      const towns = [
        ['Kiel', 10],
        ['Bonn', 20],
        ['Rom', 0],
        ['Ulm', 5],
      ];
      const rows = [
        ['Ada', '4'],
        ['Bob', null],
        ['Cy', '7.5'],
        ['ADA', '4'],
      ];
      await client.post(
        bulk('Places'),
        towns.map(([Title, Size]) => ({ Title, Size })),
      );
      await client.post(
        bulk('Samples'),
        rows.map(([Title, Amount]) => ({ Title, Amount })),
      );
      for (const [title, way] of [
        ['Places', 'hm'],
        ['Home', 'bt'],
      ] as const)
        for (const [at, keys] of (given[title]?.keys ?? []).entries())
          for (const key of keys) await client.post(`${path}/${at + 1}/${way}/${title}/${key}`);
      // Moments are written while people may, so that their values are known.
      const moments = ['Made', 'Changed'] as const;
      const cell = (title: string, at: number) => given[title]?.cells[at]?.[0];
      const written = rows.map((_, at) => ({
        Id: at + 1,
        ...Object.fromEntries(moments.map((title) => [title, cell(title, at)])),
      }));
      expect(await client.patch(bulk('Samples'), written)).toMatchObject({ status: 200 });
      for (const title of moments) {
        const body = { title, uidt: given[title]?.uidt };
        const retyped = await client.patch(`${meta}/columns/${columnOf(title).id}`, body);
        expect(retyped).toMatchObject({ status: 200 });
      }
      table = (await client.get<TableEntity>(`${meta}/tables/${table.id}`)).body;
    });

    test('are of these types, and show what they are given', async () => {
      const rows = await list('sort=Id');
      for (const title of titles) {
        expect([title, columnOf(title).uidt]).toEqual([title, given[title]?.uidt]);
        expect([title, rows.map((row) => valuesOf(row[title]))]).toEqual([title, given[title]?.cells]);
      }
      const one = await client.get<Row>(`${path}/1`);
      expect(one.body).toEqual(rows[0]);
    });

    test.each(titles)('%s: each filter operator finds what it says', async (title) => {
      const { uidt, cells, keys, isList = false } = given[title] as GivenColumn;
      const type = server.host.registries.get('columnTypes').get(uidt);
      const column = columnOf(title);
      for (const operator of [...(type?.operators ?? []), 'blank', 'notblank']) {
        const found = finds[operator];
        if (found === undefined) throw new Error(`Nothing here says what '${operator}' finds.`);
        const compared = (operator.endsWith('linkedto') ? keys : cells) ?? [];
        const values = [...new Set(compared.flat())].toSorted((a, b) => (a < b ? -1 : 1));
        const arity = arities[operator] ?? 1;
        const from = Math.max(0, Math.min(Math.floor(values.length / 2), values.length - arity));
        const named = values.slice(from, from + arity);
        const filter = [
          { fk_column_id: column.id, comparison_op: operator, value: named.join(','), logical_op: 'and' },
        ];
        const rows = await list(`sort=Id&filterArrJson=${encodeURIComponent(JSON.stringify(filter))}`);
        const expected = compared.flatMap((cell, at) => (found(cell, named, isList) ? [at + 1] : []));
        expect({ operator, named, found: idsOf(rows) }).toEqual({ operator, named, found: expected });
      }
    });

    test('sort and group rows by their values, empty ones first, and lists by what stands first in them', async () => {
      for (const title of titles) {
        const { cells, hasOrder, isList } = given[title] as GivenColumn;
        const groupArrJson = encodeURIComponent(
          JSON.stringify([{ fk_column_id: columnOf(title).id, direction: 'asc' }]),
        );
        const grouped = await client.get<{
          levels: readonly (readonly { values: readonly CellValue[]; count: number }[])[];
        }>(`${path}/groups?groupArrJson=${groupArrJson}`);
        const sorted = await client.get<{ list: readonly Row[] }>(
          `${path}?sort=${encodeURIComponent(title)},Id`,
        );
        if (hasOrder === false || isList === true) expect([title, grouped.status]).toEqual([title, 400]);
        if (hasOrder === false) continue;
        const key = (cell: readonly Value[] | undefined) => cell?.[0];
        const order = cells
          .map((cell, at) => ({ value: key(cell), id: at + 1 }))
          .toSorted(({ value: a }, { value: b }) => {
            if (a === b) return 0;
            if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
            return a < b ? -1 : 1;
          });
        expect([title, idsOf(sorted.body.list)]).toEqual([title, order.map(({ id }) => id)]);
        const back = await list(`sort=-${encodeURIComponent(title)},-Id`);
        expect([title, idsOf(back)]).toEqual([title, order.map(({ id }) => id).toReversed()]);
        if (isList === true) continue;
        const values = [...new Set(order.map(({ value }) => value))];
        expect([
          title,
          grouped.body.levels[0]?.map((group) => [valuesOf(group.values)[0], group.count]),
        ]).toEqual([
          title,
          values.map((value) => [value, order.filter((row) => row.value === value).length]),
        ]);
      }
    });

    test('give figures as of any column, and where a cell may hold several values how many cells there are and are filled', async () => {
      for (const title of titles) {
        const { cells, isList = false } = given[title] as GivenColumn;
        const numbers = cells.flat().filter((value) => typeof value === 'number');
        const sum = numbers.reduce((all, value) => all + value, 0);
        const ofNumbers = { sum, average: sum / numbers.length, ...endsOf(numbers) };
        const filled = cells.filter((cell) => cell.length > 0).length;
        const figures: Readonly<Record<string, number | null>> = {
          count: cells.length,
          filled,
          empty: cells.length - filled,
          ...(numbers.length > 0 ? ofNumbers : { sum: null, average: null, minimum: null, maximum: null }),
        };
        const ids = Object.keys(figures);
        const asked = ids.map((aggregation) => ({ column: columnOf(title).id, aggregation }));
        const query = encodeURIComponent(JSON.stringify(asked));
        const answer = await client.get<{ list: readonly { value: CellValue }[] }>(
          `${path}/aggregate?aggregations=${query}`,
        );
        const told = answer.body.list.map(({ value }) => (value === null ? null : Number(value)));
        const ofLists = ['count', 'filled', 'empty'];
        const expected = ids.map((id) => (isList && !ofLists.includes(id) ? null : (figures[id] ?? null)));
        expect([title, told]).toEqual([title, expected]);
      }
    });

    test('are written to files as they are shown', async () => {
      const fields = titles.map(encodeURIComponent).join(',');
      const csv = await client.get<string>(`${path}/export/csv?fields=${fields}&sort=Id`);
      expect(csv.body.split('\r\n')).toEqual([
        'Id,Nr,Made,Changed,Maker,Changer,Places,Home,Sizes,Home size,Home name,Sum,Number,Twice,Name,Page',
        `1,1,2001-02-03 04:05:06,2002-02-03 04:05:06,${email},${email},"Kiel, Bonn",Kiel,"10, 20",10,Kiel,30,2,8,ada!,https://a.test/1`,
        `2,2,2001-02-03 04:05:07,2002-02-03 00:00,${email},${email},Rom,,0,,,0,1,,bob!,https://a.test/2`,
        `3,3,2026-03-29 02:30:05,2026-03-29 23:59:59,${email},${email},,Bonn,,20,Bonn,,0,15,cy!,https://a.test/3`,
        `4,4,2001-02-03 04:05:06,2003-01-01 00:00,${email},${email},Ulm,Kiel,5,10,Kiel,5,1,8,ada!,https://a.test/4`,
        '',
      ]);
    });

    test('are as they were where a row is deleted and comes back, but for who changed it last and when', async () => {
      const before = (await client.get<Row>(`${path}/3`)).body;
      const gone = await client.delete(`${path}/3`);
      expect(gone.status).toBe(200);
      const undo = `/api/v1/db/data/operations/Given/${gone.headers.get('x-trellis-operation')}/undo`;
      expect(await client.post(undo)).toMatchObject({ status: 200 });
      const after = (await client.get<Row>(`${path}/3`)).body;
      expect({ ...after, Changed: before.Changed }).toEqual(before);
      expect(after.Changed).not.toEqual(before.Changed);
    });

    test('take nothing that somebody writes into them', async () => {
      const before = (await client.get<Row>(`${path}/1`)).body;
      for (const title of titles.filter((one) => one !== 'Id')) {
        const [value] = given[title]?.cells[2] ?? [];
        await client.patch(`${path}/1`, { [title]: value ?? 7 });
        const after = (await client.get<Row>(`${path}/1`)).body;
        expect([title, { ...after, Changed: before.Changed }]).toEqual([title, before]);
      }
    });
  });
}
