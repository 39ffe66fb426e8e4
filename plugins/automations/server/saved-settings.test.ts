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
