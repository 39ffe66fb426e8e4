import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Editable {
  readonly id?: string;
  readonly revision: string;
  readonly title?: string;
}

/** Something that two people edit: how it is made, read, and changed. */
interface Case {
  readonly name: string;
  make(): Promise<string>;
  read(at: string): Promise<Editable>;
  change(at: string, title: string, replaces?: string | null): Promise<{ status: number; body: unknown }>;
}

const meta = '/api/v1/db/meta';

describe('of two who change the same thing, the later one is told and overwrites nothing', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId: string;
  let tableId: string;
  let nameId: string;

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
    const { body: table } = await ann.post<{ id: string; columns: readonly { id: string; title: string }[] }>(
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Things',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText', pv: true },
        ],
      },
    );
    tableId = table.id;
    nameId = table.columns.find(({ title }) => title === 'Name')?.id ?? '';
  });
  afterAll(() => server?.dispose());

  const of = (plugin: string) => `/api/v1/plugins/${plugin}/projects/${projectId}`;
  const inList = async (path: string, isMeant: (one: Editable) => boolean): Promise<Editable> => {
    const found = (await ann.get<{ list: readonly Editable[] }>(path)).body.list.find(isMeant);
    if (found === undefined) throw new Error(`nothing of the kind at ${path}`);
    return found;
  };
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await ann.post<Editable>(path, body);
    expect(answer.status).toBe(200);
    return answer.body.id ?? '';
  };
  const condition = (value: string) => ({
    fk_column_id: nameId,
    comparison_op: 'eq',
    logical_op: 'and',
    value,
  });
  const rulePath = () => `${of('row-rules')}/rules/${tableId}/viewer`;
  const rule = (value: string) => ({
    filters: [{ kind: 'condition', logicalOp: 'and', columnId: nameId, operator: 'eq', value }],
  });

  const cases: readonly Case[] = [
    {
      name: 'an automation',
      make: () =>
        made(`${of('automations')}/automations`, {
          title: 'First',
          trigger: { type: 'row.added', settings: { table: tableId } },
          steps: [
            { id: 's1', name: 'call', type: 'address.call', settings: { path: 'https://example.com/in' } },
          ],
        }),
      read: async (id) => (await ann.get<Editable>(`/api/v1/plugins/automations/automations/${id}`)).body,
      change: (id, title, replaces) =>
        ann.patch(`/api/v1/plugins/automations/automations/${id}`, { title, replaces }),
    },
    {
      name: 'a webhook',
      make: () =>
        made(`${meta}/tables/${tableId}/hooks`, {
          title: 'First',
          event: 'after',
          operation: 'update',
          notification: {
            type: 'URL',
            payload: {
              method: 'POST',
              path: 'https://hooks.example.com/a',
              headers: [{ name: 'X-B', value: '1' }],
            },
          },
          conditions: { after: [condition('After')], before: [condition('Before')] },
        }),
      read: async (id) => (await ann.get<Editable>(`${meta}/hooks/${id}`)).body,
      change: (id, title, replaces) => ann.patch(`${meta}/hooks/${id}`, { title, replaces }),
    },
    {
      name: 'a schedule',
      make: () =>
        made(`${of('schedules')}/schedules`, {
          title: 'First',
          action: 'schedules.call',
          table_id: tableId,
          settings: { address: 'https://example.com/in' },
          cron: '0 8 * * *',
        }),
      read: async (id) => (await ann.get<Editable>(`${of('schedules')}/schedules/${id}`)).body,
      change: (id, title, replaces) => ann.patch(`${of('schedules')}/schedules/${id}`, { title, replaces }),
    },
    {
      name: 'a custom role',
      make: () => made(`${of('sys-members')}/roles`, { title: 'First', base: 'editor' }),
      read: (id) => inList(`${of('sys-members')}/roles`, (role) => role.id === id),
      change: (id, title, replaces) =>
        ann.patch(`${of('sys-members')}/roles/${id}`, { title, base: 'editor', replaces }),
    },
    {
      name: 'a row rule',
      make: async () => {
        expect(await ann.put(rulePath(), rule('First'))).toMatchObject({ status: 200 });
        return '';
      },
      read: async () => {
        const found = await inList(`${of('row-rules')}/rules`, () => true);
        const [{ value }] = (found as unknown as { filters: [{ value: string }] }).filters;
        return { ...found, title: value };
      },
      change: (_, title, replaces) => ann.put(rulePath(), { ...rule(title), replaces }),
    },
  ];

  test.each(cases)('$name', async ({ make, read, change }) => {
    const at = await make();
    const began = await read(at);
    expect(began.title).toBe('First');
    expect(await change(at, 'Mine', began.revision)).toMatchObject({ status: 200 });
    const standing = await read(at);
    expect(standing.revision).not.toBe(began.revision);
    expect(await change(at, 'Late', began.revision)).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE', params: { revision: standing.revision } },
    });
    expect(await read(at)).toMatchObject({ title: 'Mine', revision: standing.revision });
    expect(await change(at, 'Meant', standing.revision)).toMatchObject({ status: 200 });
    // Clients that know of no revisions change what there is.
    expect(await change(at, 'Plain')).toMatchObject({ status: 200 });
    expect((await read(at)).title).toBe('Plain');
  });

  test('a webhook is kept whole by one call, or not at all', async () => {
    const make = cases.find(({ name }) => name === 'a webhook')?.make;
    const id = (await make?.()) ?? '';
    const path = `${meta}/hooks/${id}`;
    const before = (await ann.get<Editable>(path)).body;
    expect(before).toMatchObject({
      conditions: { after: [{ value: 'After' }], before: [{ value: 'Before' }] },
    });
    const refused = await ann.patch(path, { title: 'Half', conditions: { after: [{ logical_op: 'and' }] } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'HOOK_FILTER' } });
    expect((await ann.get(path)).body).toEqual(before);
    // What the v1 calls of conditions change is a change of the webhook as well.
    expect(await ann.post(`${path}/filters`, condition('More'))).toMatchObject({ status: 200 });
    const late = await ann.patch(path, {
      title: 'Late',
      conditions: { after: [] },
      replaces: before.revision,
    });
    expect(late).toMatchObject({ status: 409, body: { code: 'CHANGED_MEANWHILE' } });
    expect(await ann.patch(path, { conditions: { after: [] } })).toMatchObject({ status: 200 });
    expect((await ann.get(path)).body).toMatchObject({
      title: 'First',
      conditions: { after: [], before: [{ value: 'Before' }] },
    });
    await ann.delete(path);
    expect((await ann.patch(path, { title: 'Gone', replaces: before.revision })).status).toBe(404);
    expect(await ann.patch(path, { title: 'Gone' })).toMatchObject({ status: 200, body: '' });
  });

  test('two who make the rule of a role for a table at once do not overwrite each other', async () => {
    await ann.delete(rulePath());
    expect(await ann.put(rulePath(), { ...rule('Mine'), replaces: null })).toMatchObject({ status: 200 });
    expect(await ann.put(rulePath(), { ...rule('Late'), replaces: null })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE' },
    });
  });
});
