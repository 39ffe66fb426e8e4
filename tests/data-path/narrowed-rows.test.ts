import { expect, jest, test } from '@jest/globals';
import type { Narrowing, RowQuery } from '@trellis/sdk/server';
import type { Predicate, Row } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { OpenedTable } from '../../host-server/schema/opened-table.ts';
import { createDataPath } from './data-path.ts';

const titles = ['Id', 'Name', 'Price', 'Stock'] as const;
type Title = (typeof titles)[number];

const page = { limit: 100, offset: 0 };

/** What a caller is limited to: which columns, and rows with more in one column than a number. */
interface Limit {
  readonly readable: readonly Title[];
  readonly writable: readonly Title[];
  readonly column: 'Price' | 'Stock';
  readonly above: number;
}

const limits: fc.Arbitrary<Limit> = fc.record({
  readable: fc.subarray([...titles]),
  writable: fc.subarray([...titles]),
  column: fc.constantFrom('Price', 'Stock'),
  above: fc.integer({ min: 0, max: 10 }),
});

const questions = fc.record({
  where: fc.option(
    fc.record({ column: fc.constantFrom('Price', 'Stock'), above: fc.integer({ min: 0, max: 10 }) }),
    { nil: undefined },
  ),
  sort: fc.option(fc.constantFrom(...titles), { nil: undefined }),
  fields: fc.option(fc.subarray([...titles], { minLength: 1 }), { nil: undefined }),
  group: fc.constantFrom(...titles),
});

describeEachMetadata('what a narrowed caller reads and writes', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Shop');
    const { id } = await path.schema.createTable(scope, {
      title: 'Parts',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
        { title: 'Price', type: 'Number' },
        { title: 'Stock', type: 'Number' },
      ],
    });
    const handle = await path.schema.open(scope, id);
    await path.rowStore.createMany(
      handle,
      Array.from({ length: 12 }, (_, index) => ({
        Name: `part ${index}`,
        Price: index,
        Stock: (index * 7) % 12,
      })),
    );
    const all = await path.rowStore.list(handle, {}, page);
    const columnId = (title: Title) => handle.table.columnByTitle.get(title)?.id ?? '';

    function narrowed({ readable, writable, column, above }: Limit) {
      const rows: Predicate = {
        kind: 'compare',
        comparison: 'gt',
        left: { kind: 'column', columnId: columnId(column) },
        right: { kind: 'literal', value: above, storage: 'integer' },
      };
      const to: Narrowing = {
        columns: new Map([
          [id, { readable: new Set(readable.map(columnId)), writable: new Set(writable.map(columnId)) }],
        ]),
        rows: new Map([[id, rows]]),
      };
      const { snapshot, table, view } = handle;
      return new OpenedTable({ snapshot, table, view, scope: path.access.narrow(scope, to) });
    }

    const keyOf = (row: Row) => path.rowStore.keyOf(handle.table, row) ?? '';
    return { ...path, handle, all, narrowed, keyOf };
  }

  const answerOf = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: { readonly status?: number }) => error.status);

  test('is within the columns and rows that are left, and a hidden column answers like none', async () => {
    const { rowStore, all, narrowed, keyOf, dispose } = await start();
    await fc.assert(
      fc.asyncProperty(limits, questions, async (limit, { where, sort, fields, group }) => {
        const handle = narrowed(limit);
        const canRead = (title: Title) => limit.readable.includes(title);
        const query: RowQuery = {
          ...(where && { where: `(${where.column},gt,${where.above})` }),
          ...(sort && { sort: [sort] }),
        };
        const existing = all.filter((row) => Number(row[limit.column]) > limit.above);
        const matching = existing.filter((row) => !where || Number(row[where.column]) > where.above);
        const shown = (row: Row, only: readonly Title[]) =>
          Object.fromEntries(only.map((title) => [title, row[title]]));

        const isHidden = (where && !canRead(where.column as Title)) || (sort && !canRead(sort));
        const list = await answerOf(rowStore.list(handle, query, page));
        if (isHidden) expect(list).toBe(400);
        else expect(sorted(list)).toEqual(sorted(matching.map((row) => shown(row, limit.readable))));

        if (fields !== undefined) {
          const part = await answerOf(rowStore.list(handle, { fields }, page));
          if (!fields.every(canRead)) expect(part).toBe(400);
          else expect(sorted(part)).toEqual(sorted(existing.map((row) => shown(row, fields))));
        }
        if (!isHidden) expect(await rowStore.count(handle, query)).toBe(matching.length);

        const groups = await answerOf(rowStore.groupBy(handle, nameOf(group), {}, page));
        if (canRead(group)) expect(groups).toMatchObject({ totalRows: existing.length });
        else expect(groups).toBe(400);
        for (const row of all) {
          expect(await rowStore.exists(handle, keyOf(row))).toBe(existing.includes(row));
        }
      }),
      { numRuns: 15 },
    );
    await dispose();
  });

  test('takes nothing back by undo that the caller could not do by itself, and is told no more by the history', async () => {
    const { rowStore, access, handle: whole, narrowed, keyOf, dispose } = await start();
    const made = await rowStore.create(whole, { Name: 'new', Price: 11, Stock: 11 });
    const noDelete = access.narrow(whole.scope, { permissions: new Set(['bulkDataUpdate', 'dataList']) });
    await expect(rowStore.undo(noDelete, made.operationId ?? '')).rejects.toMatchObject({ status: 403 });
    const key = keyOf(made.result);
    await rowStore.update(whole, key, { Name: 'newer', Stock: 12 });
    const [reach, beyond] = [0, 50].map((above) =>
      narrowed({ readable: ['Id', 'Name'], writable: [], column: 'Price', above }),
    );
    if (reach === undefined || beyond === undefined) throw new Error('Both were made above.');
    const ids = new Set(['Id', 'Name'].map((title) => whole.table.columnByTitle.get(title)?.id));
    const told = await rowStore.history(reach, key, { limit: 10 });
    expect(told).toHaveLength(2);
    for (const { change } of told)
      for (const id of Object.keys({ ...change.before, ...change.after })) expect(ids).toContain(id);
    expect(await rowStore.history(beyond, key, { limit: 10 })).toEqual([]);
    await dispose();
  });

  test('tells of a row only what happened since it came into reach', async () => {
    const { rowStore, handle: whole, all, narrowed, keyOf, dispose } = await start();
    const limit = { readable: titles, writable: titles, column: 'Stock', above: 3 } as const;
    const target = all.find((row) => Number(row['Stock']) === 2);
    const key = keyOf(target ?? {});
    await rowStore.update(whole, key, { Name: 'secret' });
    await rowStore.update(whole, key, { Name: 'open', Stock: 5 });
    await rowStore.update(whole, key, { Price: 8 });
    await rowStore.update(whole, key, { Price: 9 });
    const told = async (page: { readonly limit: number; readonly before?: number }) => {
      const entries = await rowStore.history(narrowed(limit), key, page);
      return entries.map(({ seq, change: { before, after } }) => ({ seq, before, after }));
    };
    const entries = await told({ limit: 10 });
    const values = entries.map(({ before, after }) =>
      [before, after].map((of) => of && Object.values(of).map(String)),
    );
    expect(values).toEqual([
      [['8'], ['9']],
      [[String(Number(target?.['Price']))], ['8']],
      [undefined, ['open', '5']],
    ]);
    expect(await told({ limit: 2 })).toEqual(entries.slice(0, 2));
    expect(await told({ limit: 2, before: entries[1]?.seq })).toEqual(entries.slice(2));
    expect(await rowStore.history(whole, key, { limit: 10 })).toHaveLength(5);
    await dispose();
  });

  test('reads no more of a long history than the page that is asked for', async () => {
    const { rowStore, metadata, handle: whole, all, narrowed, keyOf, dispose } = await start();
    const handle = narrowed({ readable: titles, writable: titles, column: 'Stock', above: 3 });
    const [short = '', long = ''] = all.filter((row) => Number(row['Stock']) > 3).map(keyOf);
    for (let price = 100; price < 103; price += 1) await rowStore.update(whole, short, { Price: price });
    for (let price = 100; price < 310; price += 1) await rowStore.update(whole, long, { Price: price });
    const read = jest.spyOn(metadata.database, 'read');
    const readsOf = async (key: string) => {
      read.mockClear();
      expect(await rowStore.history(handle, key, { limit: 2 })).toHaveLength(2);
      return read.mock.calls.length;
    };
    expect(await readsOf(long)).toBe(await readsOf(short));
    read.mockRestore();
    const told: (readonly number[])[] = [];
    for (let before: number | undefined; ;) {
      const page = await rowStore.history(handle, long, { limit: 90, before });
      if (page.length === 0) break;
      told.push(page.map(({ seq }) => seq));
      before = page.at(-1)?.seq;
    }
    expect(told.map(({ length }) => length)).toEqual([90, 90, 31]);
    expect(new Set(told.flat()).size).toBe(211);
    await dispose();
  });

  test('changes nothing beyond them, and an answer to a write tells no more than a read', async () => {
    const { rowStore, handle: whole, all, narrowed, keyOf, dispose } = await start();
    await fc.assert(
      fc.asyncProperty(limits, fc.constantFrom(...all), async (limit, target) => {
        const handle = narrowed(limit);
        const key = keyOf(target);
        const exists = Number(target[limit.column]) > limit.above;
        const answer = await rowStore.update(handle, key, { Name: 'new' }).catch(() => undefined);
        const canWrite = exists && limit.writable.includes('Name');
        const after = await rowStore.list(whole, {}, page);
        expect(after).toEqual(all.map((row) => (row === target && canWrite ? { ...row, Name: 'new' } : row)));
        if (answer?.result !== undefined)
          expect(Object.keys(answer.result).toSorted()).toEqual(limit.readable.toSorted());
        if (answer?.operationId !== undefined) await rowStore.undo(whole.scope, answer.operationId);
      }),
      { numRuns: 15 },
    );
    await dispose();
  });
});

/** Rows in an order of their own: which one comes first is not asked here. */
function sorted(rows: unknown): unknown {
  return Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)).toSorted() : rows;
}

function nameOf(title: Title): string {
  return title.toLowerCase();
}
