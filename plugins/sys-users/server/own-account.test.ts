import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { SessionEntity } from '../shared/index.ts';

const auth = '/api/v1/auth';

describe('the own account', () => {
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    bob = await server.signUp('bob@example.com');
  });
  afterAll(() => server?.dispose());

  async function signIn(agent: string): Promise<TestClient> {
    const client = server.client.with({ headers: { 'user-agent': agent } });
    const body = { email: 'ann@example.com', password: 'Password-1' };
    const answer = await client.post<{ token: string }>(`${auth}/user/signin`, body);
    return client.with({ token: answer.body.token });
  }

  const sessionsOf = async (client: TestClient) =>
    (await client.get<{ list: readonly SessionEntity[] }>(`${auth}/sessions`)).body.list;

  test('has names, which nobody else changes, and no roles in its profile', async () => {
    const names = { firstname: ' Ann ', lastname: 'Archer' };
    expect((await ann.patch(`${auth}/user/profile`, names)).body).toEqual({
      firstname: 'Ann',
      lastname: 'Archer',
    });
    expect((await ann.get(`${auth}/user/me`)).body).toMatchObject({ firstname: 'Ann', lastname: 'Archer' });
    for (const body of [{ roles: 'super' }, { id: 'us_1', firstname: 'Eve' }, { firstname: { $ne: '' } }])
      expect((await bob.patch(`${auth}/user/profile`, body)).status).toBe(400);
    expect((await server.client.patch(`${auth}/user/profile`, names)).status).toBe(401);
  });

  test('lists its sessions by device, and ends one or all others', async () => {
    const [phone, tablet] = [await signIn('Phone/1'), await signIn('Tablet/1\u00ff')];
    const listed = await sessionsOf(phone);
    expect(listed.map(({ agent, is_current: isCurrent }) => [agent.split('/')[0], isCurrent])).toEqual(
      expect.arrayContaining([
        ['Phone', true],
        ['Tablet', false],
      ]),
    );
    const tabletId = listed.find(({ agent }) => agent.startsWith('Tablet'))?.id ?? '';
    expect((await bob.delete(`${auth}/sessions/${tabletId}`)).status).toBe(404);
    expect((await tablet.get(`${auth}/sessions`)).status).toBe(200);
    expect((await phone.delete(`${auth}/sessions/${tabletId}`)).status).toBe(200);
    expect((await tablet.get(`${auth}/sessions`)).status).toBe(401);
    expect((await phone.delete(`${auth}/sessions`)).body).toEqual({ ended: 1 });
    expect((await ann.get(`${auth}/sessions`)).status).toBe(401);
    expect(await sessionsOf(phone)).toHaveLength(1);
  });
});
