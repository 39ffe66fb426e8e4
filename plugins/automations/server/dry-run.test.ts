import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testPlugin } from '@trellis/sdk/testing/server';
import { Veto } from '@trellis/sdk/shared';
import type { TryAnswer } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

let desk: Desk;
let orders: Table;
let asked = 0;

/** Starts what it starts with something that only a run knows; and refuses rows that are called "no". */
const outside = testPlugin(
  'outside',
  (ctx) => {
    ctx.register('automationTriggers', {
      id: 'outside.came',
      label: 'Something comes',
      icon: 'globe',
      inputs: [],
      values: ['body'],
    });
    ctx.tap('rows.willCreate', (rows) => {
      asked += 1;
      if (rows.some(({ Name }) => Name === 'no')) throw new Veto('NO', 'Not this one.');
      return rows;
    });
  },
  { dependencies: { automations: '*' }, contributes: { hooks: ['rows.willCreate'] } },
);

beforeAll(async () => {
  desk = await openDesk({ plugins: [outside] });
  const made = await desk.ann.post<Table>(`/api/v1/db/meta/projects/${desk.projectId}/tables`, {
    title: 'Orders',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Due', uidt: 'Date' },
      { title: 'Amount', uidt: 'Number' },
      { title: 'Made', uidt: 'CreateTime' },
      { title: 'Paid', uidt: 'Checkbox' },
    ],
  });
  orders = made.body;
  await desk.ann.post(desk.rows('Requests'), { Title: 'chair', Hours: 3 });
});
beforeEach(() => {
  asked = 0;
});
afterAll(() => desk?.close());

type Cells = Readonly<Record<string, string>>;

const order = (name: string, cells: Cells, more: object = {}, type = 'row.create') => ({
  id: name,
  name,
  type,
  settings: {
    table: orders.id,
    cells: Object.fromEntries(
      Object.entries(cells).map(([title, text]) => [desk.column(orders, title), text]),
    ),
    ...more,
  },
});
const fromOutside = { type: 'outside.came', settings: {} };

async function tried(steps: readonly object[], trigger: object = fromOutside): Promise<TryAnswer['steps']> {
  const path = `/api/v1/plugins/automations/projects/${desk.projectId}/try`;
  const automation = { title: 'Dry', trigger, conditions: [], steps };
  const { status, body } = await desk.ann.post<TryAnswer>(path, { automation });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.steps;
}

const ordersThere = async () =>
  (await desk.ann.get<{ list: readonly unknown[] }>(`/api/v1/db/data/v1/Desk/Orders`)).body.list.length;

test.each([
  [{ Due: 'soon' }, 'VALUE_REFUSED'],
  [{ Amount: '{{trigger.body.amount}} pieces' }, 'VALUE_REFUSED'],
  [{ Due: '{{trigger.body.day}} at noon' }, 'VALUE_REFUSED'],
  [{ Name: 'no' }, 'NO'],
] as const)('what a run would refuse of %j is refused by a dry run', async (cells, code) => {
  const [step] = await tried([order('make', cells as Cells)]);
  expect(step).toMatchObject({ input: null, error: { code } });
  expect(await ordersThere()).toBe(0);
});

test('what only a run knows is taken for a value that its column takes, and nothing is written', async () => {
  const cells = {
    Name: '{{trigger.body.name}}',
    Due: '{{trigger.body.day}}',
    Amount: '{{trigger.body.amount}}',
    Paid: '{{trigger.body.paid}}',
  };
  const [step] = await tried([order('make', cells)]);
  expect(step).toMatchObject({
    error: null,
    input: {
      values: {
        Name: expect.any(String),
        Due: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        Amount: expect.any(Number),
      },
    },
  });
  expect(await ordersThere()).toBe(0);
});

test('later steps work with the row that a step would make, as its columns keep it, and with its key', async () => {
  const steps = await tried([
    order('make', { Name: 'lamp', Amount: '7', Due: '2026/3/9' }),
    order('copy', { Due: '{{steps.make.row.Due}}', Amount: '{{steps.make.row.Amount}}' }),
    order('wrong', { Amount: '{{steps.make.row.Due}}' }),
  ]);
  expect(steps).toMatchObject([
    { error: null, output: { row: { Name: 'lamp', Amount: 7, Due: '2026-03-09' } } },
    { error: null, input: { values: { Due: '2026-03-09', Amount: 7 } } },
    { error: { code: 'VALUE_REFUSED' } },
  ]);
  const byKey = (name: string, cells: Cells, type: string) =>
    order(name, cells, { key: '{{steps.make.key}}' }, type);
  const made = order('make', { Name: 'lamp' });
  expect(
    await tried([
      made,
      byKey('change', { Amount: '5' }, 'row.update'),
      byKey('drop', {}, 'row.delete'),
      order('stamp', { Due: '{{steps.make.row.Made}}' }),
    ]),
  ).toMatchObject([
    { error: null },
    { error: null, input: { key: '{{steps.make.key}}', values: { Amount: '5' } } },
    { error: null },
    { error: null, input: { values: { Due: expect.stringMatching(/^\d{4}-/) } } },
  ]);
  const refused = byKey('change', { Amount: 'five' }, 'row.update');
  expect((await tried([made, refused]))[1]).toMatchObject({ error: { code: 'VALUE_REFUSED' } });
  expect(await ordersThere()).toBe(0);
});

test('mails, waits and conditions that name what only a run knows are refused for nothing', async () => {
  const name = desk.column(orders, 'Amount');
  const where = { fk_column_id: name, comparison_op: 'gt', value: '1{{trigger.body.amount}}' };
  const steps = await tried([
    {
      id: 'm',
      name: 'm',
      type: 'mail.send',
      settings: { to: '{{trigger.body.mail}}', subject: 'Hi', text: 'Hi' },
    },
    { id: 'w', name: 'w', type: 'wait', settings: { amount: '{{trigger.body.days}}', unit: 'days' } },
    { id: 'f', name: 'f', type: 'rows.find', settings: { table: orders.id, conditions: [where] } },
    order('all', { Due: '{{trigger.body.day}}' }, { conditions: [where] }, 'rows.update'),
  ]);
  expect(steps.map(({ error }) => error)).toEqual([null, null, null, null]);
  const [wrong] = await tried([order('all', { Due: 'soon' }, { conditions: [where] }, 'rows.update')]);
  expect(wrong).toMatchObject({ error: { code: 'VALUE_REFUSED' } });
});

test('a run asks for what it writes once, and refuses what the dry run did', async () => {
  const cells = { Name: '{{row.Title}}', Amount: '{{row.Hours}}' };
  const { id } = await desk.make({ steps: [order('make', cells)] });
  asked = 0;
  await desk.ann.post(desk.rows('Requests'), { Title: 'stool', Hours: 2 });
  await desk.runs(id, ([run]) => run?.state === 'done');
  // Of the request and of the order.
  expect(asked).toBe(2);
  await desk.ann.delete(`/api/v1/plugins/automations/automations/${id}`);
  const wrong = [order('make', { Due: '{{row.Title}}' })];
  const trigger = { type: 'row.added', settings: { table: desk.requests.id } };
  expect(await tried(wrong, trigger)).toMatchObject([{ error: { code: 'VALUE_REFUSED' } }]);
  const made = await desk.make({ steps: wrong });
  await desk.ann.post(desk.rows('Requests'), { Title: 'stool' });
  const [run] = await desk.runs(made.id, ([one]) => one?.state === 'failed');
  expect(run?.error).toMatchObject({ code: 'VALUE_REFUSED' });
  await desk.ann.delete(`/api/v1/plugins/automations/automations/${made.id}`);
});
