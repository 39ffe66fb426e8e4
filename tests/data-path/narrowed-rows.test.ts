import { expect, test } from '@jest/globals';
import type { Narrowing, RowQuery } from '@trellis/sdk/server';
import type { Predicate, Row } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { describeEachDatabase } from '../../host-server/databases/testing.ts';
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

describeEachDatabase('what a narrowed caller reads and writes', (open) => {
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
    await rowStore.update(whole, key, { Name: 'newer', Price: 12 });
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
