import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { OutboxToken, RowStoreToken } from '@trellis/sdk/server';
import type { AutomationEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

interface Column {
  readonly id: string;
  readonly title: string;
}
interface Table {
  readonly id: string;
  readonly columns: readonly Column[];
}

type NewColumn = Readonly<Record<string, unknown>> & { readonly title: string };

const base = '/api/v1/plugins/automations';
const usual = {
  runsPerHour: 5000,
  keptDays: 30,
  keptWaiting: 10_000,
  waitingDays: 7,
  keptMatches: 50_000,
};
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

const limit = (change: Partial<typeof usual>) =>
  desk.server.host.plugins.saveSettings('automations', { ...usual, ...change });

/** Resolves when automations heard of all changes. */
const settled = () =>
  (desk.server.host.container.get(OutboxToken) as unknown as { settle(): Promise<void> }).settle();

async function addColumn(tableId: string, body: NewColumn): Promise<Column> {
  const made = await desk.ann.post<Table>(`/api/v1/db/meta/tables/${tableId}/columns`, body);
  const found = made.body.columns?.find(({ title }) => title === body.title);
  if (found === undefined) throw new Error(JSON.stringify(made.body));
  return found;
}

const formulaColumn = ({ id }: Table, formula: string) =>
  addColumn(id, { title: 'Computed', uidt: 'Formula', formula_raw: formula, formula });

async function makeTable(title: string): Promise<Table> {
  const columns = [
    { title: 'Id', uidt: 'ID', pk: true, ai: true },
    { title: 'Title', uidt: 'SingleLineText' },
    { title: 'Hours', uidt: 'Number' },
  ];
  const path = `/api/v1/db/meta/projects/${desk.projectId}/tables`;
  return (await desk.ann.post<Table>(path, { title, columns })).body;
}

const rows = (title: string) => `/api/v1/db/data/v1/Desk/${title}`;
const bulk = (title: string) => `/api/v1/db/data/bulk/v1/Desk/${title}`;

async function add(title: string, row: object): Promise<number> {
  const { status, body } = await desk.ann.post<{ Id: number }>(rows(title), row);
  expect(status).toBe(200);
  return body.Id;
}

async function change(title: string, id: number, row: object): Promise<void> {
  expect((await desk.ann.patch(`${rows(title)}/${id}`, row)).status).toBe(200);
  await settled();
}

const over = (column: Column, value: number, operator = 'gt') => [
  { fk_column_id: column.id, comparison_op: operator, value: String(value), logical_op: 'and' },
];

function watch(
  table: Table,
  conditions: readonly object[],
  more: object = { active: true },
): Promise<AutomationEntity> {
  const settings = {
    table: desk.tasks.id,
    cells: { [desk.column(desk.tasks, 'Title')]: 'Do {{row.Title}}' },
  };
  return desk.make({
    trigger: { type: 'row.matches', settings: { table: table.id } },
    conditions,
    steps: [{ id: 'task', name: 'task', type: 'row.create', settings }],
    ...more,
  });
}

/** The keys of the rows that started an automation, in the order in which they did. */
async function startedBy({ id }: AutomationEntity): Promise<readonly string[]> {
  await settled();
  const list = await desk.runs(id, () => true);
  return list.map(({ row_id }) => row_id).toReversed();
}

/** A table of orders with lines, and what is added up of these. */
async function orders(name: string) {
  const table = await makeTable(name);
  const lines = await makeTable(`${name}Lines`);
  const link = await addColumn(table.id, {
    title: 'Lines',
    uidt: 'LinkToAnotherRecord',
    parentId: table.id,
    childId: lines.id,
    type: 'hm',
  });
  const hours = lines.columns.find(({ title }) => title === 'Hours');
  const total = await addColumn(table.id, {
    title: 'Total',
    uidt: 'Rollup',
    fk_relation_column_id: link.id,
    fk_rollup_column_id: hours?.id,
    rollup_function: 'sum',
  });
  const put = (order: number, line: number) =>
    desk.ann.post(`/api/v1/db/data/noco/Desk/${name}/${order}/hm/Lines/${line}`);
  const take = (order: number, line: number) =>
    desk.ann.delete(`/api/v1/db/data/noco/Desk/${name}/${order}/hm/Lines/${line}`);
  return { table, lines: `${name}Lines`, total, put, take };
}

test('a row comes to match by a formula with each change that makes it match, and not while it does', async () => {
  const table = await makeTable('Formulas');
  const double = await formulaColumn(table, '{Hours} * 2');
  const there = await add('Formulas', { Title: 'there', Hours: 9 });
  const later = await add('Formulas', { Title: 'later', Hours: 1 });
  const automation = await watch(table, over(double, 10));
  expect(automation.paused).toBeNull();
  // It met them when it was saved.
  await change('Formulas', there, { Title: 'still there' });
  await change('Formulas', later, { Hours: 6 });
  await change('Formulas', later, { Title: 'still', Hours: 7 });
  await change('Formulas', later, { Hours: 2 });
  await change('Formulas', later, { Hours: 8 });
  const added = await add('Formulas', { Title: 'added', Hours: 100 });
  await add('Formulas', { Title: 'small', Hours: 1 });
  expect(await startedBy(automation)).toEqual([later, later, added].map(String));
});

test('a row comes to match by what is added up of rows that are linked to it, whichever way they change', async () => {
  const { table, lines, total, put, take } = await orders('Sums');
  const [first, second] = [await add('Sums', { Title: 'first' }), await add('Sums', { Title: 'second' })];
  const line = await add(lines, { Title: 'line', Hours: 20 });
  const small = await add(lines, { Title: 'small', Hours: 1 });
  const automation = await watch(table, over(total, 10));
  expect((await put(second, line)).status).toBe(200);
  expect(await startedBy(automation)).toEqual([String(second)]);
  expect((await take(second, line)).status).toBe(200);
  await settled();
  expect((await put(first, line)).status).toBe(200);
  expect((await put(first, small)).status).toBe(200);
  await settled();
  await change(lines, line, { Hours: 2 });
  await change(lines, small, { Hours: 9 });
  expect(await startedBy(automation)).toEqual([second, first, first].map(String));
  await desk.runs(automation.id, (list) => list.every(({ state }) => state === 'done'));
  // What the steps take from is the row that came to match, not the one that was changed.
  expect(await desk.titles('Tasks')).toEqual(expect.arrayContaining(['Do first', 'Do second']));
  // A row that is gone leaves its order, which then matches anew with the next one.
  expect((await desk.ann.delete(`${rows(lines)}/${small}`)).status).toBe(200);
  await settled();
  await change(lines, line, { Hours: 30 });
  expect(await startedBy(automation)).toEqual([second, first, first, first].map(String));
});

test('a row comes to match by what it is linked to by a table between, and by the rows behind those', async () => {
  const { table, lines, total, put } = await orders('Deep');
  const people = await makeTable('People');
  const link = await addColumn(people.id, {
    title: 'Orders',
    uidt: 'LinkToAnotherRecord',
    parentId: people.id,
    childId: table.id,
    type: 'mm',
  });
  const all = await addColumn(people.id, {
    title: 'All',
    uidt: 'Rollup',
    fk_relation_column_id: link.id,
    fk_rollup_column_id: total.id,
    rollup_function: 'sum',
  });
  const person = await add('People', { Title: 'Ann' });
  const other = await add('People', { Title: 'Bob' });
  const order = await add('Deep', { Title: 'order' });
  const line = await add(lines, { Title: 'line', Hours: 20 });
  await put(order, line);
  const automation = await watch(people, over(all, 10));
  const join = `/api/v1/db/data/noco/Desk/People/${person}/mm/Orders/${order}`;
  expect((await desk.ann.post(join)).status).toBe(200);
  expect(await startedBy(automation)).toEqual([String(person)]);
  await change(lines, line, { Hours: 1 });
  expect((await desk.ann.post(`/api/v1/db/data/noco/Desk/People/${other}/mm/Orders/${order}`)).status).toBe(
    200,
  );
  await settled();
  await change(lines, line, { Hours: 50 });
  const after = await startedBy(automation);
  expect(after.slice(1).toSorted()).toEqual([person, other].map(String).toSorted());
});

test('rows that come to match in one write start a run each', async () => {
  const table = await makeTable('Bulk');
  const upper = await formulaColumn(table, 'UPPER({Title})');
  const made = Array.from({ length: 250 }, (_, index) => ({ Title: `row ${index}`, Hours: index }));
  const automation = await watch(table, [
    { fk_column_id: upper.id, comparison_op: 'like', value: '%ROW%', logical_op: 'and' },
  ]);
  expect((await desk.ann.post(bulk('Bulk'), made)).status).toBe(200);
  await settled();
  const log = await desk.ann.get<{ pageInfo: { totalRows: number } }>(
    `${base}/automations/${automation.id}/runs`,
  );
  expect(log.body.pageInfo.totalRows).toBe(250);
});

test('what is computed becomes something else: rows that match by that alone do not come to', async () => {
  const table = await makeTable('Edited');
  const double = await formulaColumn(table, '{Hours} * 2');
  const row = await add('Edited', { Title: 'row', Hours: 4 });
  const other = await add('Edited', { Title: 'other', Hours: 0 });
  const automation = await watch(table, over(double, 10));
  const wider = '{Hours} * 5';
  const edited = await desk.ann.patch(`/api/v1/db/meta/columns/${double.id}`, {
    title: 'Computed',
    uidt: 'Formula',
    formula_raw: wider,
    formula: wider,
  });
  expect(edited.status).toBe(200);
  await settled();
  await change('Edited', row, { Title: 'touched' });
  await change('Edited', other, { Hours: 3 });
  expect(await startedBy(automation)).toEqual([String(other)]);
});

test('an automation that goes on starts with what matches then', async () => {
  const { table, lines, total, put } = await orders('Paused');
  const order = await add('Paused', { Title: 'order' });
  const line = await add(lines, { Title: 'line', Hours: 20 });
  const automation = await watch(table, over(total, 10));
  const path = `${base}/automations/${automation.id}`;
  expect((await desk.ann.patch(path, { active: false })).status).toBe(200);
  await put(order, line);
  await settled();
  expect((await desk.ann.patch(path, { active: true })).status).toBe(200);
  await change(lines, line, { Hours: 30 });
  expect(await startedBy(automation)).toEqual([]);
  await change(lines, line, { Hours: 1 });
  await change(lines, line, { Hours: 40 });
  expect(await startedBy(automation)).toEqual([String(order)]);
});

test('a row that comes to match by what the automation itself wrote pauses it', async () => {
  const table = await makeTable('Loops');
  const double = await formulaColumn(table, '{Hours} * 2');
  const hours = table.columns.find(({ title }) => title === 'Hours')?.id ?? '';
  const automation = await watch(table, over(double, 10), {
    steps: [
      {
        id: 'again',
        name: 'again',
        type: 'row.create',
        settings: { table: table.id, cells: { [hours]: '100' } },
      },
    ],
  });
  const row = await add('Loops', { Title: 'first', Hours: 50 });
  await desk.until(automation.id, (one) => one.paused?.code === 'AUTOMATION_LOOP');
  expect(await startedBy(automation)).toEqual([String(row)]);
});

test('more matching rows than are kept pause it, and it goes on once they are fewer', async () => {
  await limit({ keptMatches: 3 });
  try {
    const table = await makeTable('Many');
    const double = await formulaColumn(table, '{Hours} * 2');
    for (const Hours of [6, 7, 8, 9]) await add('Many', { Title: 'row', Hours });
    const automation = await watch(table, over(double, 10));
    expect(automation.paused?.code).toBe('AUTOMATION_MATCHES_MANY');
    const path = `${base}/automations/${automation.id}`;
    const narrower = { conditions: over(double, 17), active: true };
    const { body } = await desk.ann.patch<AutomationEntity>(path, narrower);
    expect(body.paused).toBeNull();
    const row = await add('Many', { Title: 'more', Hours: 10 });
    expect(await startedBy(automation)).toEqual([String(row)]);
  } finally {
    await limit({});
  }
});

test('conditions that the database cannot answer in time pause their automation, and no other one', async () => {
  const table = await makeTable('Slow');
  const double = await formulaColumn(table, '{Hours} * 2');
  const slow = await watch(table, over(double, 10));
  const store = desk.server.host.container.get(RowStoreToken);
  const late = Object.assign(new Error('The database took too long.'), { code: 'DATABASE_TIMEOUT' });
  const list = jest.spyOn(store, 'list').mockRejectedValueOnce(late);
  try {
    await add('Slow', { Title: 'first', Hours: 6 });
    const { paused } = await desk.until(slow.id, (one) => one.paused !== null);
    expect(paused?.code).toBe('AUTOMATION_MATCHES_SLOW');
  } finally {
    list.mockRestore();
  }
});
