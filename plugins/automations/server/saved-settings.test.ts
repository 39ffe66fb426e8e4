import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDesk, type Desk } from '../testing/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ env: { TRELLIS_OUTBOUND_ALLOW: '' } });
});
afterAll(() => desk.close());

const base = '/api/v1/plugins/automations';

function step(type: string, settings: object) {
  return [{ id: 'one', name: 'One', type, settings }];
}

interface Saved {
  readonly id: string;
  readonly code: string;
  readonly steps: readonly { readonly settings: object }[];
  readonly trigger: { readonly settings: object };
}

function save(steps: object, trigger: object = { type: 'row.added', settings: { table: desk.requests.id } }) {
  const body = { title: 'Saved', trigger, conditions: [], steps };
  return desk.ann.post<Saved>(`${base}/projects/${desk.projectId}/automations`, body);
}

test.each([
  'http://127.0.0.1:9/x',
  'http://[::1]/',
  'http://169.254.169.254/latest',
  'http://localhost/{{row.Title}}',
])('the call of %s, which is closed to this server, is refused when it is saved', async (path) => {
  expect(await save(step('address.call', { path }))).toMatchObject({
    status: 400,
    body: { code: 'OUTBOUND_REFUSED' },
  });
  const { body } = await save(step('address.call', { path: 'https://example.com/{{row.Title}}' }));
  const change = { steps: step('address.call', { path }) };
  expect(await desk.ann.patch(`${base}/automations/${body.id}`, change)).toMatchObject({
    status: 400,
    body: { code: 'OUTBOUND_REFUSED' },
  });
});

test('a body that is to be JSON and becomes none is refused when it is saved, with the step and the place', async () => {
  const call = (body: string, more: object = {}) =>
    step('address.call', { path: 'https://example.com/', body, ...more });
  expect(await save(call('{"a": "{{row.Title}}",\n "b": }'))).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_JSON', params: { step: 'One', line: 2, text: '}' } },
  });
  expect(await save(call('{"a": [1, 2'))).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_JSON_END', params: { step: 'One' } },
  });
  const plain = { headers: [{ name: 'Content-Type', value: 'text/plain', enabled: true }] };
  expect(await save(call('[Order] {{row.Title}}', plain))).toMatchObject({ status: 200 });
  const { status, body } = await save(call('{"a": {{json row.Title}}}'));
  expect(status).toBe(200);
  const change = { steps: call('{"a": }') };
  expect(await desk.ann.patch(`${base}/automations/${body.id}`, change)).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_JSON' },
  });
});

test('what nobody asked for is not kept with the settings of triggers and steps', async () => {
  const { body } = await save(
    step('address.call', { path: 'https://example.com/', surprise: 'x'.repeat(100) }),
    {
      type: 'row.added',
      settings: { table: desk.requests.id, surprise: true },
    },
  );
  expect(body.steps[0]?.settings).toEqual({ path: 'https://example.com/' });
  expect(body.trigger.settings).toEqual({ table: desk.requests.id });
});

test('no step begins what goes by the button that was pressed', async () => {
  const settings = { table: desk.requests.id, operation: 'automations.run', key: '{{trigger.row}}' };
  expect(await save(step('operation.run', settings))).toMatchObject({
    status: 400,
    body: { code: 'AUTOMATION_ACT' },
  });
  const { body } = await desk.ann.get<{
    readonly steps: readonly { readonly id: string; readonly inputs: object }[];
  }>(`${base}/projects/${desk.projectId}/kinds`);
  expect(JSON.stringify(body.steps)).not.toContain('automations.run');
});

test('what an act works with is kept while its plugin is off and something else is changed', async () => {
  const { body: hook } = await desk.ann.post<{ id: string }>(
    `/api/v1/db/meta/tables/${desk.requests.id}/hooks`,
    {
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: 'https://example.com/in' } },
    },
  );
  const settings = {
    table: desk.requests.id,
    operation: 'webhooks.send',
    choice: hook.id,
    key: '{{trigger.row}}',
  };
  const { body: saved } = await save(step('operation.run', settings));
  expect(saved.steps[0]?.settings).toEqual(settings);
  await desk.server.host.plugins.disable('webhooks', { cascade: [] });
  const renamed = await desk.ann.patch<Saved>(`${base}/automations/${saved.id}`, { title: 'Renamed' });
  expect(renamed).toMatchObject({ status: 200, body: { title: 'Renamed' } });
  expect(renamed.body.steps[0]?.settings).toEqual(settings);
});

test('rows come to match what is computed as well as what is stored, and columns have to be there', async () => {
  const formula = '{Hours} * 2';
  const added = await desk.ann.post<{ columns: readonly { id: string; title: string }[] }>(
    `/api/v1/db/meta/tables/${desk.requests.id}/columns`,
    { title: 'Double', uidt: 'Formula', formula_raw: formula, formula },
  );
  const asking = (title: string) => {
    const id = added.body.columns.find((column) => column.title === title)?.id;
    return [{ fk_column_id: id, comparison_op: 'gt', value: '5', logical_op: 'and' }];
  };
  const start = (type: string, title: string) => ({
    trigger: { type, settings: { table: desk.requests.id } },
    conditions: asking(title),
  });
  const refused = { status: 400, body: { code: 'COLUMN_UNKNOWN' } };
  const steps = step('address.call', { path: 'https://example.com/' });
  const make = (of: object) =>
    desk.ann.post<Saved>(`${base}/projects/${desk.projectId}/automations`, { title: 'Start', steps, ...of });
  expect(await make(start('row.matches', 'Double'))).toMatchObject({ status: 200 });
  const gone = [{ fk_column_id: 'cl_gone', comparison_op: 'gt', value: '5', logical_op: 'and' }];
  expect(await make({ ...start('row.matches', 'Hours'), conditions: gone })).toMatchObject(refused);
  expect(await make(start('row.matches', 'Hours'))).toMatchObject({ status: 200 });
  const { status, body } = await make(start('row.changed', 'Double'));
  expect(status).toBe(200);
  const path = `${base}/automations/${body.id}`;
  expect(await desk.ann.patch(path, { trigger: start('row.matches', 'Double').trigger })).toMatchObject({
    status: 200,
  });
  expect(await desk.ann.patch(path, start('row.matches', 'Hours'))).toMatchObject({ status: 200 });
});

test('another part of an automation is changed while the channel of a message is off, and the message is not', async () => {
  const { plugins } = desk.server.host;
  await plugins.saveSettings('channel-slack', {
    channels: [{ channel: 'sales', webhook_url: 'https://example.com/hook' }],
  });
  await plugins.enable('channel-slack');
  const settings = { text: 'New', channel: { id: 'slack', settings: { channels: ['sales'] } } };
  const { body: saved } = await save(step('message.send', settings));
  expect(saved.steps).toHaveLength(1);
  await plugins.disable('channel-slack', { cascade: [] });
  const path = `${base}/automations/${saved.id}`;
  const steps = step('message.send', settings);
  const renamed = await desk.ann.patch<Saved>(path, { title: 'Renamed', steps });
  // Without the channel nobody knows which of its settings are secrets.
  const shown = { text: 'New', channel: { id: 'slack', settings: { channels: '********' } } };
  expect(renamed).toMatchObject({ status: 200, body: { title: 'Renamed', steps: [{ settings: shown }] } });
  expect((await desk.ann.patch(path, { steps: renamed.body.steps })).status).toBe(200);
  expect(
    await desk.ann.patch(path, { steps: step('message.send', { ...settings, text: 'x' }) }),
  ).toMatchObject({ status: 409, body: { code: 'CHANNEL_DISABLED' } });
  await plugins.enable('channel-slack');
  expect((await desk.ann.get<Saved>(path)).body.steps).toMatchObject([{ settings }]);
});

test('a value that its column does not take is refused when it is saved, with the step and the column', async () => {
  const { body: things } = await desk.ann.post<{
    readonly id: string;
    readonly columns: readonly { readonly id: string; readonly title: string }[];
  }>(`/api/v1/db/meta/projects/${desk.projectId}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText', rqd: true },
      { title: 'Due', uidt: 'Date' },
      { title: 'Paid', uidt: 'Checkbox' },
      { title: 'Who', uidt: 'Collaborator' },
    ],
  });
  const cells = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([title, text]) => [
        things.columns.find((column) => column.title === title)?.id ?? '',
        text,
      ]),
    );
  const create = (values: Readonly<Record<string, string>>) =>
    step('row.create', { table: things.id, cells: cells(values) });
  for (const [column, text] of [
    ['Due', 'tomorrow'],
    ['Paid', 'maybe'],
    ['Who', 'nobody@example.com'],
  ] as const)
    expect(await save(create({ [column]: text }))).toMatchObject({
      status: 400,
      body: { code: 'VALUE_REFUSED', params: { step: 'One', column } },
    });
  const right = create({ Due: '2026-03-01', Paid: 'true', Who: 'ann@example.com' });
  const { status, body } = await save(right);
  expect(status).toBe(200);
  // What a run fills in is known by the run alone.
  expect(await save(create({ Due: '{{row.Title}}', Who: '{{row.Note}}' }))).toMatchObject({ status: 200 });
  expect(
    await desk.ann.patch(`${base}/automations/${body.id}`, { steps: create({ Paid: 'maybe' }) }),
  ).toMatchObject({ status: 400, body: { code: 'VALUE_REFUSED' } });
});

test('one without a step is saved while it is off, and is not switched on before it has one', async () => {
  const trigger = { type: 'row.added', settings: { table: desk.requests.id } };
  const path = `${base}/projects/${desk.projectId}/automations`;
  const made = await desk.ann.post<Saved>(path, { title: 'Later', trigger, steps: [], active: false });
  expect(made).toMatchObject({ status: 200, body: { active: false, steps: [] } });
  const own = `${base}/automations/${made.body.id}`;
  const refused = { status: 400, body: { code: 'AUTOMATION_STEPS' } };
  expect(await desk.ann.post(path, { title: 'Now', trigger, steps: [] })).toMatchObject(refused);
  expect(await desk.ann.patch(own, { active: true })).toMatchObject(refused);
  expect(await desk.ann.post(`${own}/duplicate`, { title: 'Later copy' })).toMatchObject({ status: 200 });
  const steps = step('wait', { amount: '1', unit: 'hours' });
  expect(await desk.ann.patch(own, { active: true, steps })).toMatchObject({
    status: 200,
    body: { active: true },
  });
  expect(await desk.ann.patch(own, { steps: [] })).toMatchObject(refused);
  expect(await desk.ann.patch(own, { steps: [], active: false })).toMatchObject({ status: 200 });
});
