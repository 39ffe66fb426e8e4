import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnTypeDefinition, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import fc from 'fast-check';
import { describeEachHome } from './each-home.ts';
import { basicTypes, switchableTypes } from './filled-types.ts';

/** Clients read a row, change a cell and send all of it back: nothing of what was read is refused, and nothing else changes. */

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? 20_261_128);

/** What names rows of other tables is read as a link, and a password is never read. */
const leftOut = new Set(['ForeignKey', 'Password']);
/** Files are uploaded first, and people are members. */
const named = new Set(['Attachment', 'Collaborator']);
const types = [...basicTypes, ...Object.values(switchableTypes).flat()].filter(
  ({ id }) => !leftOut.has(id) && !named.has(id),
);

type Row = Readonly<Record<string, unknown>> & { readonly Id: number };

/** Cells that a type may take, of which those are left out that it refuses. */
function cellsOf({ examples }: ColumnTypeDefinition): readonly unknown[] {
  const generated = fc.sample(
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map((value) => `${value}.000000000001`),
      fc.constantFrom(1e20, -1.7e308, 5e-324, 2 ** 53, '1e+300', '0.1', 0, -0),
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
      fc
        .date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      fc.json(),
    ),
    { seed, numRuns: 60 },
  );
  return [...examples.map(({ input }) => input as unknown), ...generated];
}

describeEachHome('rows that are sent back', (start) => {
  let server: TestServer;
  let client: TestClient;
  let projectId: string;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
    const { body } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Back' });
    projectId = body.id;
  });
  afterAll(() => server?.dispose());

  async function tableOf(title: string, columns: readonly object[]): Promise<string> {
    const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title,
      columns: [{ title: 'Id', uidt: 'ID' }, ...columns],
    });
    expect([title, made.status]).toEqual([title, 200]);
    return `/api/v1/db/data/noco/Back/${title}`;
  }

  /** Sends each row back as it is read; gives those that are refused, or are others afterwards. */
  async function changedByThat(path: string): Promise<readonly unknown[]> {
    const { body } = await client.get<{ list: readonly Row[] }>(`${path}?sort=Id&limit=1000`);
    expect(body.list.length).toBeGreaterThan(0);
    const changed: unknown[] = [];
    for (const row of body.list) {
      const { status, body: answer } = await client.patch(`${path}/${row.Id}`, row);
      const after = (await client.get<Row>(`${path}/${row.Id}`)).body;
      if (status !== 200 || !isDeepStrictEqual(after, row)) changed.push({ row, status, answer, after });
    }
    return changed;
  }

  test.each(types.map((type) => [type.id, type] as const))(
    'are taken as they were read, whatever stands in a cell of %s',
    async (id, type) => {
      const isSelect = id === 'SingleSelect' || id === 'MultiSelect';
      const options = type.examples.flatMap(({ value }) =>
        typeof value === 'string' ? value.split(',') : [],
      );
      const colOptions = { options: [...new Set(options)].map((title) => ({ title })) };
      const path = await tableOf(id, [{ title: 'Cell', uidt: id, ...(isSelect && { colOptions }) }]);
      for (const Cell of cellsOf(type)) await client.post(path, { Cell });
      expect(await changedByThat(path)).toEqual([]);
    },
  );

  test('are taken with what is computed and linked in them', async () => {
    const path = await tableOf('Whole', [
      { title: 'Title', uidt: 'SingleLineText', pv: true },
      { title: 'Share', uidt: 'Percent' },
      { title: 'Nr', uidt: 'AutoNumber' },
      { title: 'Made', uidt: 'CreateTime' },
      { title: 'Maker', uidt: 'CreatedBy' },
    ]);
    const tables = await client.get<{ list: readonly TableEntity[] }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
    );
    const id = tables.body.list.find(({ title }) => title === 'Whole')?.id ?? '';
    const add = async (body: object) =>
      expect(await client.post(`/api/v1/db/meta/tables/${id}/columns`, body)).toMatchObject({ status: 200 });
    const ends = { uidt: 'LinkToAnotherRecord', parentId: id, childId: id };
    await add({ ...ends, title: 'Parts', type: 'hm' });
    await add({ ...ends, title: 'Friends', type: 'mm' });
    await add({ title: 'Twice', uidt: 'Formula', formula: '{Share} * 2' });
    await client.post(path, { Title: 'a', Share: 1e300 });
    await client.post(path, { Title: 'b', Share: 12.5 });
    expect(await client.post(`${path}/1/hm/Parts/2`)).toMatchObject({ status: 200 });
    expect(await client.post(`${path}/1/mm/Friends/2`)).toMatchObject({ status: 200 });
    expect(await changedByThat(path)).toEqual([]);
  });
});
