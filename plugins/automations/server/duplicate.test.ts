import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AutomationEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

const base = '/api/v1/plugins/automations';
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

const copyOf = ({ id }: AutomationEntity, title = 'Plan copy') =>
  desk.ann.post<AutomationEntity>(`${base}/automations/${id}/duplicate`, { title });

test('a copy does the same, is switched off, and has a log and versions of its own', async () => {
  const made = await desk.make();
  await desk.ann.post(desk.rows('Requests'), { Title: 'chair' });
  await desk.runs(made.id, ([run]) => run?.state === 'done');
  const { status, body: copy } = await copyOf(made);
  expect(status).toBe(200);
  const { trigger, steps, conditions } = made;
  expect(copy).toMatchObject({
    title: 'Plan copy',
    trigger,
    steps,
    conditions,
    active: false,
    version: 1,
    last_run: null,
    owner: { email: 'ann@example.com' },
  });
  expect(copy.id).not.toBe(made.id);
  await desk.ann.post(desk.rows('Requests'), { Title: 'lamp' });
  await desk.runs(made.id, (list) => list.length === 2 && list.every(({ state }) => state === 'done'));
  expect(await desk.runs(copy.id, () => true)).toEqual([]);
  expect(await desk.titles('Tasks')).toEqual(['Do chair', 'Do lamp']);
  await desk.ann.delete(`${base}/automations/${made.id}`);
  // It stands for itself.
  expect((await desk.ann.get(`${base}/automations/${copy.id}`)).status).toBe(200);
});

test('a copy needs a title, and whoever does not belong to the project makes none', async () => {
  const made = await desk.make();
  expect(await copyOf(made, ' ')).toMatchObject({ status: 400, body: { code: 'AUTOMATION_TITLE' } });
  const bob = await desk.server.signUp('bob@example.com');
  const answer = await bob.post(`${base}/automations/${made.id}/duplicate`, { title: 'Mine' });
  expect([403, 404]).toContain(answer.status);
});

test('the copy of one that an address starts has another address, which starts it alone once it is on', async () => {
  const { body } = await desk.ann.post<{ address: string }>(
    `/api/v1/plugins/automation-addresses/projects/${desk.projectId}/addresses`,
    {},
  );
  const cells = { [desk.column(desk.tasks, 'Title')]: 'Called' };
  const step = { id: 'a', name: 'a', type: 'row.create', settings: { table: desk.tasks.id, cells } };
  const made = await desk.make({
    trigger: { type: 'address.called', settings: { address: body.address } },
    steps: [step],
  });
  const copy = (await copyOf(made)).body;
  const address = String(copy.trigger.settings.address);
  expect(address).not.toBe(body.address);
  const call = () =>
    fetch(`${desk.server.url}/api/v1/plugins/automation-addresses/calls/${address}`, { method: 'POST' });
  // It is off.
  expect((await call()).status).toBe(409);
  await desk.ann.patch(`${base}/automations/${copy.id}`, { active: true });
  expect((await call()).status).toBe(202);
  await desk.runs(copy.id, ([run]) => run?.state === 'done');
  expect(await desk.runs(made.id, () => true)).toEqual([]);
});
