import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { mostFoundTables, type FoundTable } from '../shared/index.ts';

const meta = '/api/v1/db/meta/projects';

describe('tables of all projects, found by their titles', () => {
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  const ids: Record<string, string> = {};

  const projectOf = async (owner: TestClient, title: string, tables: readonly string[]) => {
    const { body } = await owner.post<{ id: string }>(meta, { title });
    ids[title] = body.id;
    for (const table of tables)
      await owner.post(`${meta}/${body.id}/tables`, {
        title: table,
        columns: [{ title: 'Id', uidt: 'ID' }],
      });
  };
  const find = async (client: TestClient, text: string, without = '') => {
    const query = new URLSearchParams({ text, ...(without !== '' && { without }) });
    const path = `/api/v1/plugins/sys-tables/found-tables?${query.toString()}`;
    const { status, body } = await client.get<{ list: readonly FoundTable[] }>(path);
    return status === 200 ? body.list.map(({ title, project }) => `${project.title}: ${title}`) : status;
  };

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    bob = await server.signUp('bob@example.com');
    await projectOf(ann, 'Shop', ['Customers', 'Überweisungen', 'Orders']);
    await projectOf(ann, 'Club', ['Customs', 'Members']);
    // The project of another one: Ann made it, and is no member of it.
    await projectOf(ann, 'Secret', ['Customers of Bob']);
    const { container } = server.host;
    const [access, accounts] = [container.get(AccessServiceToken), container.get(AccountStoreToken)];
    const idOf = async (email: string) => (await accounts.byEmail(email))?.id ?? '';
    await access.grant(ids['Secret'] ?? '', await idOf('bob@example.com'), 'owner');
    await access.revoke(ids['Secret'] ?? '', await idOf('ann@example.com'));
  });
  afterAll(() => server.dispose());

  test('hold the text, in capitals or not, and the project that is open is left out', async () => {
    expect(await find(ann, 'CUSTOM')).toEqual(['Shop: Customers', 'Club: Customs']);
    expect(await find(ann, 'custom', ids['Shop'])).toEqual(['Club: Customs']);
    expect(await find(ann, 'ÜBER')).toEqual(['Shop: Überweisungen']);
    expect(await find(ann, '%')).toEqual([]);
  });

  test('are those of the caller alone, and none that a rule hides or that is in the trash', async () => {
    expect(await find(bob, 'custom')).toEqual(['Secret: Customers of Bob']);
    expect(await find(server.client, 'custom')).toBe(401);
    await ann.post(`${meta}/${ids['Club']}/users`, { email: 'bob@example.com', roles: 'viewer' });
    expect(await find(bob, 'custom')).toEqual(['Club: Customs', 'Secret: Customers of Bob']);
    const { body: tables } = await ann.get<{ list: readonly { id: string; title: string }[] }>(
      `${meta}/${ids['Club']}/tables`,
    );
    const customs = tables.list.find(({ title }) => title === 'Customs');
    const { body: whole } = await ann.get<TableEntity>(`/api/v1/db/meta/tables/${customs?.id}`);
    const hidden = (whole.views ?? []).map(({ id }) => ({ id, disabled: { viewer: true } }));
    expect((await ann.post(`${meta}/${ids['Club']}/visibility-rules`, hidden)).status).toBe(200);
    expect(await find(bob, 'custom')).toEqual(['Secret: Customers of Bob']);
    expect(await find(ann, 'customs')).toEqual(['Club: Customs']);
    await ann.delete(`/api/v1/db/meta/tables/${customs?.id}`);
    expect(await find(ann, 'customs')).toEqual([]);
  });

  test('are bounded', async () => {
    await projectOf(
      ann,
      'Much',
      Array.from({ length: mostFoundTables + 5 }, (_, at) => `Heap ${at}`),
    );
    expect(await find(ann, 'heap')).toHaveLength(mostFoundTables);
    expect(await find(ann, '')).toBe(400);
  });
});
