import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askUntil, testPlugin } from '@trellis/sdk/testing/server';
import type { AutomationEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

const base = '/api/v1/plugins/automations';
const pin = 'p1n-s3cret';
const mask = '********';
/** The settings with which messages were sent. */
const sent: Readonly<Record<string, unknown>>[] = [];
const pager = testPlugin('pager', (ctx) => {
  ctx.register('notificationChannels', {
    id: 'pager',
    label: 'Pager',
    settings: {
      type: 'object',
      properties: {
        number: { type: 'string' },
        server: { type: 'string' },
        pin: { type: 'string', format: 'secret' },
      },
    },
    send: (settings) => Promise.resolve(void sent.push(settings)),
  });
});
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ plugins: [pager] });
});
afterAll(() => desk?.close());

const paging = (settings: object) => [
  {
    id: 'page',
    name: 'Page',
    type: 'message.send',
    settings: { channel: { id: 'pager', settings }, text: 'Hello' },
  },
];
const settingsOf = ({ steps }: Pick<AutomationEntity, 'steps'>) =>
  (steps[0]?.settings.channel as unknown as { readonly settings: object } | undefined)?.settings;
async function sentByNow(): Promise<unknown> {
  await desk.ann.post(desk.rows('Requests'), { Title: 'x' });
  await askUntil(
    () => Promise.resolve(sent.length),
    (count) => count > 0,
  );
  return sent.pop();
}

test('no answer has a secret of a channel, and a mask that is sent back keeps what is stored', async () => {
  const made = await desk.make({ steps: paging({ number: '17', pin }) });
  const at = `${base}/automations/${made.id}`;
  const change = (settings: object) => desk.ann.patch<AutomationEntity>(at, { steps: paging(settings) });
  const { body: list } = await desk.ann.get<{ list: readonly AutomationEntity[] }>(
    `${base}/projects/${desk.projectId}/automations`,
  );
  const { body: read } = await desk.ann.get<AutomationEntity>(at);
  const { body: copy } = await desk.ann.post<AutomationEntity>(`${at}/duplicate`, { title: 'Copy' });
  const versions = await desk.ann.get<{ list: readonly AutomationEntity[] }>(`${at}/versions`);
  const shown = [made, ...list.list, read, copy, ...versions.body.list].map(settingsOf);
  expect(shown).toEqual(Array(5).fill({ number: '17', pin: mask }));

  const changed = await change({ number: '18', pin: mask });
  expect([changed.status, settingsOf(changed.body)]).toEqual([200, { number: '18', pin: mask }]);
  expect(await sentByNow()).toEqual({ number: '18', pin });
  expect(await change({ number: '18', server: 'mine.example', pin: mask })).toMatchObject({ status: 400 });
  const restored = await desk.ann.post<AutomationEntity>(`${at}/versions/1/restore`);
  expect(settingsOf(restored.body)).toEqual({ number: '17', pin: mask });
  expect(await sentByNow()).toEqual({ number: '17', pin });
  await change({ number: '17', pin: 'other' });
  expect(await sentByNow()).toEqual({ number: '17', pin: 'other' });
});
