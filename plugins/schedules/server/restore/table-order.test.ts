import { expect, test } from '@jest/globals';
import { readContents } from '../backup/archive.ts';
import { MatchedIds } from './matched-ids.ts';
import { planLinks } from './planned-links.ts';
import { tableOrder } from './table-order.ts';

const idOf = (index: number) => `md_${String(index).padStart(14, '0')}`;
const columnId = (kind: string, index: number) => `cl_${kind}${String(index).padStart(13, '0')}`;

/** Tables of which each names those that are said, by a key for each. */
async function orderOf(named: readonly (readonly number[])[]) {
  const tables = named.map((targets, index) => ({
    id: idOf(index),
    title: `Table ${index}`,
    tableName: `t${index}`,
    order: index,
    columns: [
      {
        id: columnId('k', index),
        title: 'Id',
        columnName: 'id',
        type: 'ID',
        order: 1,
        primaryKey: true,
      },
      ...targets.flatMap((_, place) => {
        const at = index * 10 + place;
        return [
          {
            id: columnId('f', at),
            title: `Key ${place}`,
            columnName: `f${place}`,
            type: 'Number',
            order: 2,
          },
          {
            id: columnId('l', at),
            title: `Link ${place}`,
            columnName: '',
            type: 'Links',
            order: 3,
            linkId: `lk_${at}`,
          },
        ];
      }),
    ],
    links: targets.map((to, place) => ({
      id: `lk_${index * 10 + place}`,
      kind: 'belongsTo',
      tableId: idOf(index),
      columnIds: [columnId('f', index * 10 + place)],
      toTableId: idOf(to),
      toColumnIds: [columnId('k', to)],
      inverseId: `li_${index * 10 + place}`,
    })),
    views: [],
    rows: { file: `rows/${index}.jsonl`, columns: [], count: 0 },
  }));
  const archive = await readContents([
    Buffer.from(
      JSON.stringify({
        format: 'trellis-backup',
        version: 2,
        made_at: '',
        project: { title: 'Shop' },
        tables,
        files: {},
      }),
    ),
  ]);
  const ids = new MatchedIds(archive);
  for (const table of archive.tables)
    ids.table(table, {
      id: table.id,
      columnByTitle: new Map(),
      views: [],
    } as never);
  const order = tableOrder({ archive, plan: planLinks(archive), ids });
  return {
    places: order.tables.map(({ order: at }) => at),
    later: [...order.later],
  };
}

test('rows come after those that they name', async () => {
  expect(await orderOf([[1, 2], [2], []])).toEqual({ places: [2, 1, 0], later: [] });
});

test('keys of a circle are set later, and those of tables that name themselves', async () => {
  expect(await orderOf([[1], [0], [2, 0]])).toEqual({
    places: [0, 1, 2],
    later: [columnId('f', 0), columnId('f', 20)],
  });
});

test('thousands of tables in a row are put in order at once', async () => {
  const most = 5000;
  const begin = process.cpuUsage();
  const { places } = await orderOf(
    Array.from({ length: most }, (_, index) => (index + 1 < most ? [index + 1] : [])),
  );
  expect(places).toEqual(Array.from({ length: most }, (_, index) => most - 1 - index));
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(3000);
});

test('links with keys of thousands of columns are planned at once', () => {
  const columns = Array.from({ length: 3000 }, (_, at) => ({ id: columnId('k', at), primaryKey: true }));
  const ids = columns.map((column) => column.id);
  const [named, naming] = [idOf(1), idOf(2)];
  const links = Array.from({ length: 600 }, (_, at) => ({
    id: `lk_${at}`,
    inverseId: `li_${at}`,
    kind: 'belongsTo',
    tableId: naming,
    columnIds: [],
    toTableId: named,
    toColumnIds: ids,
  }));
  const tables = [
    { id: named, columns, links: [] },
    { id: naming, columns: links.map(({ id }) => ({ id: `cl_${id}`, linkId: id })), links },
  ];
  const begin = process.cpuUsage();
  expect(planLinks({ tables } as never).links).toHaveLength(600);
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(3000);
});
