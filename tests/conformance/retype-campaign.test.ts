import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, ColumnTrial, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import fc from 'fast-check';
import { basicTypes, switchableTypes } from './filled-types.ts';
import { describeEachHome } from './each-home.ts';

/**
 * Any type becomes any other one: what was said before is what happens, and what was there before can be had back. A sample of a
 * campaign, which `TRELLIS_TEST_RETYPES` makes as long as one likes and `TRELLIS_TEST_SEED` another one.
 */
const runs = Number(process.env['TRELLIS_TEST_RETYPES'] ?? 12);
const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? 20_261_124);

/** What names people, files or rows is proved by suites of its own, and a password is never given back. */
const leftOut = new Set(['ForeignKey', 'Attachment', 'Collaborator', 'Password']);
const types = [...basicTypes, ...Object.values(switchableTypes).flat()].filter(({ id }) => !leftOut.has(id));

/** Texts that types may take for something, or trip over. */
const hostile = [
  '0',
  '-0',
  '12',
  ' 1,234.50 ',
  '1e309',
  '1e-320',
  '99999999999999999999999999.000000000001',
  'true',
  'NaN',
  'null',
  '{}',
  '[1, {"a": null}]',
  '2024-02-30',
  '2024-02-29',
  '0000-00-00',
  '9999-12-31 23:59:59',
  '24:00',
  '12:30',
  'a,b,,c',
  ',',
  '   ',
  '100%',
  '$ 5',
  'x@example.com',
  'https://example.com/?a=1&b=2',
  "Robert'); drop table t; --",
  '=1+1',
  'ÄÖ 東京 😀',
  '\u202eabc',
  'a\nb\tc',
  'y'.repeat(300),
];

type Row = Readonly<Record<string, unknown>>;

/** What a retype is tried with: cells as people wrote them, by a type that took them. */
interface Case {
  readonly from: string;
  readonly to: string;
  readonly cells: readonly unknown[];
}

const cases: fc.Arbitrary<Case> = fc
  .record({ from: fc.constantFrom(...types), to: fc.constantFrom(...types) })
  .filter(({ from, to }) => from !== to)
  .chain(({ from, to }) =>
    fc.record({
      from: fc.constant(from.id),
      to: fc.constant(to.id),
      cells: fc.array(
        fc.oneof(
          fc.constantFrom(...from.examples.map(({ input }) => input as unknown), null),
          fc.constantFrom(...to.examples.map(({ input }) => input as unknown)),
          fc.constantFrom(...hostile),
        ),
        { minLength: 3, maxLength: 12 },
      ),
    }),
  );

function describeRetypes(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let projectId: string;
  let count = 0;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const { body } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Types' });
    projectId = body.id;
  });
  afterAll(() => server?.dispose());

  /** A table with the cells that the type takes: what it refuses is left out. */
  async function tableWith({ from, cells }: Case) {
    const title = `T${(count += 1)}`;
    const options = cells.filter(
      (cell) => typeof cell === 'string' && cell.trim() !== '' && !cell.includes(','),
    );
    const named = [...new Set(options)].map((option) => ({ title: option }));
    const isSelect = from === 'SingleSelect' || from === 'MultiSelect';
    const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title,
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Cell', uidt: from, ...(isSelect && { colOptions: { options: named } }) },
      ],
    });
    expect([from, made]).toMatchObject([from, { status: 200 }]);
    const rows = `/api/v1/db/data/noco/Types/${title}`;
    for (const cell of cells) await owner.post(rows, { Cell: cell });
    return { title, rows, column: columnOf(made.body) };
  }

  const columnOf = (table: TableEntity, title = 'Cell') =>
    table.columns?.find((one) => one.title === title) as ColumnEntity;

  async function cellsOf(path: string, title = 'Cell'): Promise<readonly unknown[]> {
    const answer = await owner.get<{ list: readonly Row[] }>(`${path}?sort=Id&limit=100`);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.list.map((row) => row[title] ?? null);
  }

  const isFilled = (value: unknown) => value !== null;

  async function retyped(one: Case): Promise<void> {
    const { from, to } = one;
    const { rows, column } = await tableWith(one);
    const path = `/api/v1/db/meta/columns/${column.id}`;
    const before = await cellsOf(rows);
    const tried = await owner.post<ColumnTrial>(`${path}/trial`, { title: 'Cell', uidt: to });
    expect(tried).toMatchObject({ status: 200 });
    const { converts, values, lost, samples } = tried.body;
    expect(await cellsOf(rows)).toEqual(before);
    if (converts) {
      expect(values).toBe(before.filter(isFilled).length);
      expect(samples.some((sample) => sample.lost)).toBe(lost > 0);
    }
    const plain = await owner.patch<{ code?: string; params?: { lost?: number; total?: number } }>(path, {
      title: 'Cell',
      uidt: to,
    });
    if (lost > 0) {
      expect(plain).toMatchObject({ status: 409, body: { params: { lost, total: values } } });
      expect(await cellsOf(rows)).toEqual(before);
      const agreed = await owner.patch(path, { title: 'Cell', uidt: to, meta: { acceptLoss: true } });
      expect(agreed).toMatchObject({ status: 200 });
    } else expect(plain).toMatchObject({ status: 200 });

    const after = await cellsOf(rows);
    expect(after).toHaveLength(before.length);
    const emptied = before.filter((value, at) => isFilled(value) && !isFilled(after[at])).length;
    // Values of which a part is lost are counted, too; a text of blanks is an empty cell of most types, and nothing is lost with it.
    const blanks = before.filter((value) => typeof value === 'string' && value.trim() === '').length;
    expect(emptied).toBeLessThanOrEqual(lost + blanks);
    expect(before.filter((value, at) => !isFilled(value) && isFilled(after[at]))).toEqual([]);
    if (converts) await comesBack({ rows, column, before });
    expect([from, to, await cellsOf(rows)]).toEqual([from, to, after]);
  }

  /** The former values are in the trash, and are had back beside the new ones. */
  async function comesBack(of: { rows: string; column: ColumnEntity; before: readonly unknown[] }) {
    const trash = `/api/v1/db/meta/projects/${projectId}/trash`;
    const { body } = await owner.get<{ list: readonly Row[] }>(trash);
    const old = body.list.find(
      (one) => one['title'] === 'Cell (old)' && (one['table'] as { id: string }).id === of.column.fk_model_id,
    );
    if (old === undefined) return expect(of.column.uidt).toMatch(/Select$/);
    expect(await owner.post(`${trash}/columns/${String(old['id'])}/restore`)).toMatchObject({ status: 200 });
    expect(await cellsOf(of.rows, 'Cell (old)')).toEqual(of.before);
    return undefined;
  }

  test('what was said before is what happens, and the former values can be had back', async () => {
    await fc.assert(fc.asyncProperty(cases, retyped), {
      numRuns: runs,
      seed,
      examples: [[{ from: 'Email', to: 'JSON', cells: ['null', 'a@example.com'] }]],
    });
  });
}

describeEachHome('columns of any type that become columns of any other one', describeRetypes);
