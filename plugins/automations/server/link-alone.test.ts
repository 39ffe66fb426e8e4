import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TryAnswer } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

test('a row is linked by a step that sets nothing else of it, and a dry run says the same', async () => {
  const { body: linked } = await desk.ann.post<typeof desk.tasks>(
    `/api/v1/db/meta/tables/${desk.tasks.id}/columns`,
    {
      uidt: 'LinkToAnotherRecord',
      title: 'Request',
      type: 'bt',
      parentId: desk.requests.id,
      childId: desk.tasks.id,
    },
  );
  const cells = { [linked.columns.find(({ title }) => title === 'Request')?.id ?? '']: '{{trigger.row}}' };
  const task = (await desk.ann.post<{ Id: number }>(desk.rows('Tasks'), { Title: 'paint' })).body;
  const settings = { table: desk.tasks.id, key: String(task.Id), cells };
  const steps = [{ id: 'link', name: 'link', type: 'row.update', settings }];
  const made = await desk.make({ steps });
  const { Id } = (await desk.ann.post<{ Id: number }>(desk.rows('Requests'), { Title: 'chair' })).body;
  const [run] = await desk.runs(made.id, ([one]) => one?.state === 'done' || one?.state === 'failed');
  expect(run).toMatchObject({ state: 'done', error: null });
  const path = `${desk.rows('Tasks')}/${task.Id}?nested[Request][fields]=Id`;
  expect((await desk.ann.get(path)).body).toMatchObject({ Title: 'paint', Request: { Id } });
  const { trigger, conditions } = made;
  const tried = await desk.ann.post<TryAnswer>(`/api/v1/plugins/automations/projects/${desk.projectId}/try`, {
    automation: { title: 'Dry', trigger, conditions, steps },
  });
  expect(tried.body.steps).toMatchObject([{ error: null, input: { values: { Request: String(Id) } } }]);
});
