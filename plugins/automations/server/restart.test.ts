import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { askUntil, createTestServer, testPlugin } from '@trellis/sdk/testing/server';
import type { RunEntity } from '../shared/index.ts';
import { openDesk } from '../testing/desk.ts';

function gate() {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

test('a run that a stopped server left goes on in the next one: steps that were taken are not taken again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-automations-'));
  const keys: string[] = [];
  const begun = gate();
  const taken = gate();
  /** A step that its first server never ends. */
  const slow = testPlugin(
    'slow',
    (ctx) =>
      void ctx.register('automationSteps', {
        id: 'slow.step',
        label: 'Take long',
        icon: 'clock',
        inputs: [],
        outputs: [],
        prepare: ({ idempotencyKey, signal }) =>
          Promise.resolve({
            shown: {},
            expected: {},
            async take() {
              keys.push(idempotencyKey);
              if (keys.length === 1) {
                begun.open();
                await new Promise((_, reject) =>
                  signal.addEventListener('abort', () => reject(signal.reason as Error)),
                );
              }
              taken.open();
              return { output: {} };
            },
          }),
      }),
    { dependencies: { automations: '*' } },
  );
  const options = { dataDir, plugins: [slow] };
  const desk = await openDesk(options);
  let second: Awaited<ReturnType<typeof createTestServer>> | undefined;
  try {
    const title = desk.column(desk.tasks, 'Title');
    await desk.make({
      steps: [
        {
          id: 'task',
          name: 'task',
          type: 'row.create',
          settings: { table: desk.tasks.id, cells: { [title]: 'once' } },
        },
        { id: 'slow', name: 'slow', type: 'slow.step', settings: {} },
      ],
    });
    await desk.ann.post(desk.rows('Requests'), { Title: 'x' });
    await begun.opened;
    await desk.server.dispose();
    second = await createTestServer(options);
    await taken.opened;
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    const signedIn = await second.client.post<{ token: string }>('/api/v1/auth/user/signin', {
      email: 'ann@example.com',
      password: 'Password-1',
    });
    const rows = await fetch(`${second.url}${desk.rows('Tasks')}`, {
      headers: { 'xc-auth': signedIn.body.token },
    });
    expect(await rows.json()).toMatchObject({ list: [{ Title: 'once' }] });
  } finally {
    await second?.dispose();
    await desk.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});

test('a run that waits keeps its moment while no server is there, and the next one takes the steps behind it once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-automations-'));
  const desk = await openDesk({ dataDir });
  let second: Awaited<ReturnType<typeof createTestServer>> | undefined;
  try {
    const cells = { [desk.column(desk.tasks, 'Title')]: 'later' };
    const { id } = await desk.make({
      steps: [
        { id: 'wait', name: 'wait', type: 'wait', settings: { amount: '5', unit: 'minutes' } },
        { id: 'task', name: 'task', type: 'row.create', settings: { table: desk.tasks.id, cells } },
      ],
    });
    await desk.ann.post(desk.rows('Requests'), { Title: 'x' });
    const [waiting] = await desk.runs(id, ([run]) => (run?.next_at ?? null) !== null);
    await desk.server.dispose();
    second = await createTestServer({ dataDir });
    const ann = second.client.with({ token: desk.ann.token });
    const path = `/api/v1/plugins/automations/automations/${id}/runs`;
    const runs = async () => (await ann.get<{ list: readonly RunEntity[] }>(path)).body.list;
    const titles = async () =>
      (await ann.get<{ list: readonly { Title: string }[] }>(desk.rows('Tasks'))).body.list;
    expect(await runs()).toMatchObject([{ state: 'waiting', next_at: waiting?.next_at }]);
    expect(await titles()).toEqual([]);
    await ann.post(`${path}/${waiting?.id}/retry`, {});
    await askUntil(runs, ([run]) => run?.state === 'done');
    expect(await titles()).toMatchObject([{ Title: 'later' }]);
  } finally {
    await (second ?? desk.server).dispose();
    await desk.receiver.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});
