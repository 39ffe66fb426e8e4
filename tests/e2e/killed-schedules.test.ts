import { rm } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { keeperOf } from '../../plugins/schedules/testing/scheduled-server.ts';
import { startReceiver, type Receiver } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';

let server: BuiltServer | undefined;
let receiver: Receiver | undefined;
let dataDir: string | undefined;

afterEach(async () => {
  await server?.end('SIGKILL');
  await receiver?.close();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

test('a run whose process was killed is gone on with by the next one, as the same run, and its log says so', async () => {
  dataDir = await shipToNewFolder([]);
  receiver = await startReceiver();
  receiver.answer(() => undefined);
  const env = { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1', TRELLIS_SECRET: 'the same secret for both starts' };
  server = startBuiltServer(dataDir, env);
  const guest = new TestClient(await server.listening());
  const { body } = await guest.post<{ token: string }>('/api/v1/auth/user/signup', {
    email: 'ada@example.com',
    password: 'Passw0rd!',
  });
  const ada = guest.with({ token: body.token });
  const { id } = (await ada.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body;
  const table = await ada.post<{ id: string }>(`/api/v1/db/meta/projects/${id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  await ada.post('/api/v1/db/data/v1/Shop/Things', { Name: 'Chair' });
  const schedule = await keeperOf(ada, id).make({
    action: 'schedules.call',
    table_id: table.body.id,
    settings: { address: `${receiver.url}/in` },
    cron: '0 0 1 1 *',
  });
  await keeperOf(ada, id).runNow(schedule.id);
  const [cut] = await receiver.until(1);
  await server.end('SIGKILL');

  receiver.answer((_, response) => void response.end('ok'));
  server = startBuiltServer(dataDir, env);
  const again = new TestClient(await server.listening(), { token: body.token });
  const [, repeated] = await receiver.until(2);
  expect(repeated?.headers['x-trellis-event-id']).toBe(cut?.headers['x-trellis-event-id']);
  expect([cut, repeated].map((got) => got?.headers['x-trellis-attempt'])).toEqual(['1', '2']);
  const runs = await keeperOf(again, id).until(schedule.id, ([newest]) => newest?.state === 'done');
  expect(runs.length).toBe(1);
  expect(runs[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['cut-off', 'done']);
});
