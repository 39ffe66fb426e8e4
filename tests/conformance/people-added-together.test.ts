import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { AddAnswer, MemberList } from '#plugins/sys-members/shared';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';
const signUpPath = '/api/v1/auth/user/signup';

// SQLite has one writer, so no two transactions meet there.
describeEachServer('people who are added by several at the same moment', (dialect) => {
  const databases = createStartedDatabases(dialect);
  let server: TestServer;
  let ann: TestClient;
  let project = '';
  let roles = '';
  afterAll(() => databases.dropAll());
  beforeEach(async () => {
    server = await createTestServer({ database: databases });
    ann = await server.signUp('ann@example.com');
    const { id } = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body;
    project = `${meta}/projects/${id}`;
    roles = `/api/v1/plugins/sys-members/projects/${id}/roles`;
  });
  afterEach(() => server.dispose());

  /** The same from six browsers. */
  const together = (email: string, bodies: readonly object[]) =>
    Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        ann.post<AddAnswer>(`${project}/users`, { email, ...bodies[at % bodies.length] }),
      ),
    );
  const listed = async (email: string) => {
    const { body } = await ann.get<MemberList>(`${project}/users`);
    return body.users.list.filter((person) => person.email === email);
  };

  test('are invited once, everybody is answered with a link, and the newest one works', async () => {
    for (const email of ['bob@example.com', 'cat@example.com', 'dan@example.com']) {
      const answers = await together(email, [{ roles: 'editor' }]);
      expect(answers.map(({ status, body }) => [status, body.email])).toEqual(
        answers.map(() => [200, email]),
      );
      expect(await listed(email)).toHaveLength(1);
      const signUps: number[] = [];
      for (const { body } of answers) {
        const link = { email, password: 'Password-1', token: body.invite_token };
        signUps.push((await server.client.post(signUpPath, link)).status);
      }
      expect(signUps.filter((status) => status === 200)).toHaveLength(1);
      expect(await listed(email)).toMatchObject([{ roles: 'editor', invited_until: null }]);
    }
  });

  test('have one of the custom roles that they were invited with', async () => {
    const made: string[] = [];
    for (const title of ['Auditors', 'Guests']) {
      const role = { title, description: '', base: 'viewer', denied: [], tables: {} };
      const { status, body } = await ann.post<{ id: string }>(roles, role);
      expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(String) } });
      made.push(body.id);
    }
    for (const email of ['eva@example.com', 'fay@example.com', 'gus@example.com']) {
      const answers = await together(
        email,
        made.map((id) => ({ custom_role: id })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const people = await listed(email);
      expect(people).toHaveLength(1);
      expect(made).toContain(people[0]?.custom_role?.id);
    }
  });

  test('become a member once, where they have an account; the others hear that they are one', async () => {
    await server.signUp('hal@example.com');
    const answers = await together('hal@example.com', [{ roles: 'viewer' }]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { msg: 'hal@example.com with role viewer already exists in this project' },
      });
    expect(await listed('hal@example.com')).toHaveLength(1);
  });

  test('keep the custom role with which they are added while somebody else removes them', async () => {
    const role = { title: 'Auditors', description: '', base: 'viewer', denied: [], tables: {} };
    const { id: custom_role } = (await ann.post<{ id: string }>(roles, role)).body;
    await server.signUp('ida@example.com');
    for (const email of ['ida@example.com', 'jon@example.com']) {
      const add = () => ann.post(`${project}/users`, { email, custom_role });
      for (let round = 0; round < 15; round += 1) {
        if ((await listed(email)).length === 0) expect((await add()).status).toBe(200);
        const [person] = await listed(email);
        const adding = Promise.all(Array.from({ length: 4 }, (_, at) => delay(at * 4 + round).then(add)));
        expect((await ann.delete(`${project}/users/${person?.id}`)).status).toBe(200);
        await adding;
        for (const { custom_role: given } of await listed(email)) expect(given?.id).toBe(custom_role);
      }
    }
  });
});
