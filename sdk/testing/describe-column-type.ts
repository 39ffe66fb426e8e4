import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  meetsFilters,
  unguardFormula,
  type CellValue,
  type ColumnContext,
  type ColumnTypeDefinition,
  type TableEntity,
} from '../shared/index.ts';
import { assertEnds, hostileTexts } from './hostile-texts.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** One database that the type must work on. @public */
export interface ColumnTypeGround {
  /** `sqlite`, `postgres`, `mysql`. */
  readonly name: string;
  /** A running server whose projects live in that database. Each suite makes a project of its own and disposes of what it got. */
  start(): Promise<TestServer>;
}

/** What the suite of a column type may be told. @public */
export interface DescribeColumnTypeOptions {
  /** The plugin that provides the type; given when it can be switched off, so that this is proved too. */
  readonly switchable?: string;
}

type Row = Readonly<Record<string, CellValue>>;

/** The table of one suite: its rows can be named by `Id`, and the column under test is `Value`. */
interface Fixture {
  readonly server: TestServer;
  readonly client: TestClient;
  readonly table: TableEntity;
  readonly path: string;
  readonly bulkPath: string;
}

const title = 'Value';

/** Filter operators of which one finds the rows with a value that the other one leaves. */
const opposites = [
  ['eq', 'neq'],
  ['gt', 'lte'],
  ['lt', 'gte'],
  ['like', 'nlike'],
  ['empty', 'notempty'],
  ['null', 'notnull'],
  ['blank', 'notblank'],
  ['btw', 'nbtw'],
  ['anyof', 'noneof'],
] as const;

/** Types whose values were tried against hostile texts in this file: databases make no difference to them. */
const triedTypes = new WeakSet<ColumnTypeDefinition>();

/**
 * What every column type must do on every database, by the examples that the type itself gives: create, read, update, empty,
 * bulk, sort, each of its filter operators and of the aggregations that take its kind, CSV there and back, what it guesses of texts, and being
 * switched off.
 * @public
 */
export function describeColumnType(
  type: ColumnTypeDefinition,
  ground: ColumnTypeGround,
  options: DescribeColumnTypeOptions = {},
): void {
  describe(`column type ${type.id} on ${ground.name}`, () => {
    let fixture: Fixture;

    beforeAll(async () => {
      fixture = await createFixture(type, await ground.start());
    });

    afterAll(async () => {
      await fixture?.server.dispose();
    });

    /** Two answers are the same when they read the same: databases answer 1 and true, 12 and "12". */
    function text(value: CellValue | undefined): string {
      return type.format((value ?? null) as never, contextOf(type, fixture.table) as never);
    }

    /** The value as the type itself would store and show it: trailing zeros of a scale do not count. */
    function normal(value: CellValue | undefined): string {
      const parsed = type.parse(text(value), contextOf(type, fixture.table) as never);
      return parsed.ok ? text(parsed.value as CellValue) : text(value);
    }

    async function create(input: unknown): Promise<Row> {
      const answer = await fixture.client.post<Row>(fixture.path, { [title]: input });
      expectDone(answer, { input });
      return answer.body;
    }

    async function clear(): Promise<void> {
      expect(await fixture.client.delete(`${fixture.bulkPath}/all?confirm=all`)).toMatchObject({
        status: 200,
      });
    }

    test('keeps every example through create, read and update', async () => {
      for (const example of type.examples) {
        const made = await create(example.input);
        expect(normal(made[title])).toBe(normal(example.value));
        const read = await fixture.client.get<Row>(`${fixture.path}/${String(made.Id as number)}`);
        expect(normal(read.body[title])).toBe(normal(example.value));
        const [first] = type.examples;
        const updated = await fixture.client.patch<Row>(`${fixture.path}/${String(made.Id as number)}`, {
          [title]: first?.input,
        });
        expectDone(updated, { input: first?.input });
        expect(normal(updated.body[title])).toBe(normal(first?.value));
      }
    });

    test('refuses what it calls invalid on every way in, names the column, and writes nothing', async () => {
      await clear();
      const row = await create(type.examples[0]?.input);
      for (const input of type.invalid ?? []) {
        expect(type.parse(input, contextOf(type, fixture.table) as never)).toMatchObject({ ok: false });
        const sent = JSON.stringify(input);
        // NaN and the infinities cannot be sent: JSON has no word for them. Bodies with halves of characters are refused before they reach the type.
        if (sent === 'null' || /\\ud[89a-f]/.test(sent)) continue;
        const answers = [
          await fixture.client.post(fixture.path, { [title]: input }),
          await fixture.client.patch(`${fixture.path}/${String(row.Id as number)}`, { [title]: input }),
          await fixture.client.post(fixture.bulkPath, [
            { [title]: type.examples[0]?.input },
            { [title]: input },
          ]),
        ];
        for (const answer of answers) {
          expect({ input, ...answer }).toMatchObject({
            status: 400,
            body: { msg: expect.stringContaining(title) },
          });
        }
      }
      const { body } = await fixture.client.get<{ count: number | string }>(`${fixture.path}/count`);
      expect(Number(body.count)).toBe(1);
    });

    if (!triedTypes.has(type)) {
      triedTypes.add(type);
      const { calendar } = type;
      if (calendar !== undefined)
        test('stands where it says on a calendar, and is read from there as the same value', () => {
          const context = contextOf(type, fixture.table) as never;
          const shape = calendar.unit === 'day' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
          for (const { value } of type.examples.filter((example) => example.value !== null)) {
            const shown = calendar.show(value as never, context);
            expect(shown).toMatch(shape);
            expect(normal(calendar.read(shown ?? '', context))).toBe(normal(value));
          }
          for (const nothing of ['', 'noon', '2026-02-30'])
            expect(calendar.read(nothing, context)).toBeUndefined();
          expect(calendar.show('noon' as never, context)).toBeUndefined();
        });
      const { guess } = type;
      if (guess !== undefined)
        test('guesses some text of its examples to be its own, and none that it refuses', () => {
          const context = contextOf(type, fixture.table) as never;
          const written = type.examples
            .flatMap(({ input, value }) => [input, text(value)])
            .filter((sample) => typeof sample === 'string' && sample !== '') as readonly string[];
          // As often as a column of an import may hold it.
          const scores = written.map((sample) =>
            guess.call(
              type,
              Array.from({ length: 20 }, () => sample),
            ),
          );
          expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
          expect(Math.max(...scores)).toBeGreaterThan(0);
          const refused = (type.invalid ?? []).filter(
            (input) => typeof input === 'string' && !type.parse(input, context).ok,
          ) as readonly string[];
          expect(refused.filter((sample) => guess.call(type, [sample]) > 0)).toEqual([]);
        });
      test('reads, shows and guesses long hostile texts in a time that grows with their length alone', () => {
        const context = contextOf(type, fixture.table) as never;
        const samples = type.examples.map(({ value }) => text(value)).filter((sample) => sample !== '');
        const work = (hostile: string) => () => {
          type.guess?.([hostile]);
          type.format(hostile as never, context);
          const parsed = type.parse(hostile, context);
          if (parsed.ok && parsed.value !== null) type.validate?.(parsed.value, context);
        };
        for (const hostile of hostileTexts(samples)) assertEnds(work(hostile));
      });
    }

    async function createAll(): Promise<void> {
      await clear();
      const inputs = type.examples.map((example) => ({ [title]: example.input }));
      expectDone(await fixture.client.post(fixture.bulkPath, inputs));
    }

    test('takes all examples at once, sorts them both ways and gives them back as CSV', async () => {
      await createAll();
      const list = async (sort: string) => {
        const answer = await fixture.client.get<{ list: readonly Row[] }>(
          `${fixture.path}?limit=1000&sort=${sort}`,
        );
        expect(answer).toMatchObject({ status: 200 });
        return answer.body.list.map((row) => normal(row[title]));
      };
      const expected = type.examples.map((example) => normal(example.value)).toSorted();
      const up = await list(title);
      const down = await list(`-${title}`);
      expect(up.toSorted()).toEqual(expected);
      expect(down.toSorted()).toEqual(expected);
      const csv = await fixture.client.get<string>(`${fixture.path}/export/csv?fields=${title}&sort=Id`);
      expect(csv.status).toBe(200);
      const cells = cellsOfCsv(csv.body);
      const { list: rows } = (
        await fixture.client.get<{ readonly list: readonly Row[] }>(`${fixture.path}?limit=1000&sort=Id`)
      ).body;
      expect(cells).toEqual(rows.map((row) => text(row[title])));
      const read = cells.map((cell) => type.parse(cell, contextOf(type, fixture.table) as never));
      expect(read.map((cell) => (cell.ok ? text(cell.value as CellValue) : cell))).toEqual(
        type.examples.map((example) => normal(example.value)),
      );
    });

    test('gives each figure that is offered for its kind', async () => {
      await createAll();
      const { storage } = columnOf(fixture.table);
      const offered = fixture.server.host.registries
        .get('aggregations')
        .list()
        .filter(({ accepts }) => accepts === 'any' || (storage !== undefined && accepts.includes(storage)));
      const wanted = offered.map(({ id }) => ({ column: title, aggregation: id }));
      const query = encodeURIComponent(JSON.stringify(wanted));
      const answer = await fixture.client.get<{
        readonly list: readonly { readonly aggregation: string; readonly value: CellValue }[];
      }>(`${fixture.path}/aggregate?aggregations=${query}`);
      expectDone(answer);
      const figures = new Map(answer.body.list.map(({ aggregation, value }) => [aggregation, value]));
      expect([...figures].filter(([, value]) => value === null)).toEqual([]);
      const values = type.examples.map((example) => normal(example.value));
      const ends = ['minimum', 'maximum', 'earliest', 'latest'].filter((id) => figures.has(id));
      for (const id of ends)
        expect({ id, value: normal(figures.get(id)) }).toEqual({
          id,
          value: values.find((value) => value === normal(figures.get(id))),
        });
      const numberOf = (id: string) => Number(figures.get(id) ?? 0);
      if (figures.has('count')) expect(numberOf('count')).toBe(type.examples.length);
      if (figures.has('filled') && figures.has('empty'))
        expect(numberOf('filled') + numberOf('empty')).toBe(type.examples.length);
      if (figures.has('unique')) expect(numberOf('unique')).toBeLessThanOrEqual(type.examples.length);
    });

    test('answers each of its filter operators, finds a value by itself, and no row by an operator and its opposite', async () => {
      await createAll();
      const sample = type.examples.find(({ value }) => value !== null && value !== '');
      const foundBy = new Map<string, readonly CellValue[]>();
      for (const operator of type.operators) {
        const value =
          operator === 'btw' || operator === 'nbtw'
            ? `${text(sample?.value)},${text(sample?.value)}`
            : text(sample?.value);
        const filter = [
          { fk_column_id: columnOf(fixture.table).id, comparison_op: operator, value, logical_op: 'and' },
        ];
        const query = encodeURIComponent(JSON.stringify(filter));
        const answer = await fixture.client.get<{ list: readonly Row[] }>(
          `${fixture.path}?limit=1000&filterArrJson=${query}`,
        );
        expectDone(answer, { operator });
        foundBy.set(
          operator,
          answer.body.list.map(({ Id }) => Id ?? null),
        );
        if (operator === 'eq' || operator === 'btw') {
          expect({ operator, found: answer.body.list.map((row) => normal(row[title])) }).toEqual({
            operator,
            found: expect.arrayContaining([normal(sample?.value)]),
          });
        }
      }
      const { list } = (await fixture.client.get<{ list: readonly Row[] }>(`${fixture.path}?limit=1000`))
        .body;
      const filled = list.filter((row) => row[title] !== null && row[title] !== '').map(({ Id }) => Id);
      for (const [one, other] of opposites) {
        const [found, left] = [foundBy.get(one), foundBy.get(other)];
        if (found === undefined || left === undefined) continue;
        expect({ one, other, both: found.filter((id) => left.includes(id)) }).toEqual({
          one,
          other,
          both: [],
        });
        // Of rows without a value each type says for itself whether they are different.
        const neither = filled.filter((id) => ![...found, ...left].includes(id ?? null));
        expect({ one, other, neither }).toEqual({ one, other, neither: [] });
      }
    });

    test('finds each cell, filled, emptied or never filled, as blank or as not blank, in databases as in memory', async () => {
      await createAll();
      for (const nothing of [{}, { [title]: null }, { [title]: '' }])
        await fixture.client.post(fixture.path, nothing);
      const { list } = (await fixture.client.get<{ list: readonly Row[] }>(`${fixture.path}?limit=1000`))
        .body;
      const { id, storage } = columnOf(fixture.table);
      const context = { ...contextOf(type, fixture.table), storage };
      const columns = new Map([[id, { type, context }]]);
      const operators = fixture.server.host.registries.get('filterOperators').list();
      const isBlank = (row: Row) => ['null', '""', '[]', '{}'].includes(JSON.stringify(row[title] ?? null));
      for (const operator of ['blank', 'notblank']) {
        const filter = [{ fk_column_id: id, comparison_op: operator, value: '', logical_op: 'and' }];
        const query = encodeURIComponent(JSON.stringify(filter));
        const answer = await fixture.client.get<{ list: readonly Row[] }>(
          `${fixture.path}?limit=1000&filterArrJson=${query}`,
        );
        expectDone(answer, { operator });
        const expected = list.filter((row) => isBlank(row) === (operator === 'blank'));
        expect({ operator, found: answer.body.list }).toEqual({ operator, found: expected });
        const node = { kind: 'condition', logicalOp: 'and', columnId: id, operator, value: '' } as const;
        const met = list.filter((row) =>
          meetsFilters(new Map([[id, row[title] ?? null]]), [node], { columns, operators }),
        );
        expect({ operator, met }).toEqual({ operator, met: expected });
      }
    });

    if (options.switchable !== undefined) {
      const plugin = options.switchable;
      test('switched off it shows raw values and refuses new ones; switched on everything is as before', async () => {
        const before = (await fixture.client.get<{ list: readonly Row[] }>(`${fixture.path}?limit=1000`)).body
          .list;
        const { plugins } = fixture.server.host;
        const cascade = plugins.list().find(({ id }) => id === plugin)?.dependents ?? [];
        await plugins.disable(plugin, { cascade });
        try {
          const raw = (await fixture.client.get<{ list: readonly Row[] }>(`${fixture.path}?limit=1000`)).body
            .list;
          expect(raw.map((row) => String(row[title] as string | number))).toEqual(
            before.map((row) => String(row[title] as string | number)),
          );
          const refused = await fixture.client.post(fixture.path, { [title]: type.examples[0]?.input });
          expect(refused).toMatchObject({ status: 409, body: { code: 'COLUMN_TYPE_DISABLED' } });
        } finally {
          for (const id of [plugin, ...cascade]) await plugins.enable(id);
        }
        const after = (await fixture.client.get<{ list: readonly Row[] }>(`${fixture.path}?limit=1000`)).body
          .list;
        expect(after).toEqual(before);
      });
    }

    test('becomes a text and comes back with the same values', async () => {
      await clear();
      const sample = type.examples.find(({ value }) => value !== null && value !== '');
      const made = await create(sample?.input);
      const path = `/api/v1/db/meta/columns/${columnOf(fixture.table).id}`;
      expect(await fixture.client.patch(path, { uidt: 'LongText', title })).toMatchObject({ status: 200 });
      const asText = await fixture.client.get<Row>(`${fixture.path}/${String(made.Id as number)}`);
      expect(asText.body[title]).toBe(text(sample?.value));
      expect(await fixture.client.patch(path, { uidt: type.id, title })).toMatchObject({ status: 200 });
      const back = await fixture.client.get<Row>(`${fixture.path}/${String(made.Id as number)}`);
      expect(normal(back.body[title])).toBe(normal(sample?.value));
    });
  });
}

/** The server did what it was asked for; why it did not is told otherwise. */
function expectDone(answer: { readonly status: number; readonly body: unknown }, asked: object = {}): void {
  const { status, body } = answer;
  const refusal = status === 200 ? {} : { refusal: body };
  expect({ ...asked, status, ...refusal }).toEqual({ ...asked, status: 200 });
}

async function createFixture(type: ColumnTypeDefinition, server: TestServer): Promise<Fixture> {
  const client = await server.signUp();
  const project = await client.post<{ readonly id: string }>('/api/v1/db/meta/projects', { title: type.id });
  const table = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Samples',
    table_name: 'samples',
    columns: [
      { title: 'Id', column_name: 'id', uidt: 'ID' },
      { title, column_name: 'value_under_test', uidt: type.id },
    ],
  });
  expect(table).toMatchObject({ status: 200 });
  const place = `noco/${type.id}/Samples`;
  return {
    server,
    client,
    table: table.body,
    path: `/api/v1/db/data/${place}`,
    bulkPath: `/api/v1/db/data/bulk/${place}`,
  };
}

/** The cells of a file with one column, as they were before its writer made them harmless to spreadsheets; its title is left out. */
function cellsOfCsv(file: string): readonly string[] {
  const lines = file.matchAll(/(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^\r\n]*))\r\n/g);
  return Array.from(lines, ({ groups }) =>
    unguardFormula(groups?.quoted?.replaceAll('""', '"') ?? groups?.plain ?? ''),
  ).slice(1);
}

function columnOf(table: TableEntity) {
  const column = table.columns?.find((of) => of.title === title);
  if (column === undefined) throw new Error(`The table of the suite has no column '${title}'.`);
  return column;
}

function contextOf(type: ColumnTypeDefinition, table: TableEntity): ColumnContext {
  return {
    id: columnOf(table).id,
    title,
    required: false,
    storage: type.storage,
    options: { ...type.options?.defaults },
  };
}
