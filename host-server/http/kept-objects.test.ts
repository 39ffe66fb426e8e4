import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineObjectHome, defineRoute, type RouteRequest } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Note {
  readonly text: string;
  readonly isSecret?: boolean;
}

const noteErrors = defineErrors({ NOTE_NOT_FOUND: { status: 404, message: 'There is no such note.' } });
const notes = new Map<
  string,
  { readonly projectId: string; readonly tableId?: string; readonly note: Note }
>();

const plugin = testPlugin(
  'notes',
  (ctx) => {
    ctx.register('permissions', {
      id: 'noteRead',
      label: 'Read notes',
      roles: ['editor'],
      scope: 'project',
    });
    ctx.register(
      'objectHomes',
      defineObjectHome<Note>({
        id: 'note',
        async find(id) {
          const found = notes.get(id);
          return found && { ...found, object: found.note };
        },
        isThere: async ({ isSecret }, { scope }) => isSecret !== true || scope.roles.includes('owner'),
      }),
    );
    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'notes/:noteId',
        permission: 'noteRead',
        object: { kind: 'kept', home: 'note', param: 'noteId' },
        summary: 'Read a note',
        async handle({ kept, object, table }: RouteRequest) {
          if (kept === undefined) throw noteErrors.create('NOTE_NOT_FOUND');
          return { ...(kept as Note), project: object.projectId, table: table?.table.title };
        },
      }),
    );
  },
  { contributes: { permissions: [{ id: 'noteRead' }], objectHomes: [{ id: 'note' }] } },
);

let server: TestServer;
let owner: TestClient;
let project = '';

beforeAll(async () => {
  server = await createTestServer({ plugins: [plugin] });
  owner = await server.signUp('owner@example.com');
  project = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  const columns = [{ title: 'Id', uidt: 'ID' }];
  const tables = `/api/v1/db/meta/projects/${project}/tables`;
  const table = (await owner.post<{ id: string }>(tables, { title: 'Things', columns })).body.id;
  notes.set('plain', { projectId: project, note: { text: 'Hello' } });
  notes.set('of-table', { projectId: project, tableId: table, note: { text: 'Things' } });
  notes.set('of-gone-table', {
    projectId: project,
    tableId: 'md_00000000000000',
    note: { text: 'Gone' },
  });
  notes.set('secret', { projectId: project, note: { text: 'Secret', isSecret: true } });
});
afterAll(() => server?.dispose());

async function member(role: string): Promise<TestClient> {
  const email = `${role}@example.com`;
  const client = await server.signUp(email);
  await owner.post(`/api/v1/db/meta/projects/${project}/users`, { email, roles: role });
  return client;
}

const read = (who: TestClient, id: string) => who.get(`/api/v1/plugins/notes/notes/${id}`);

test('what a plugin keeps is read by those who have the permission in its project', async () => {
  const [editor, viewer] = [await member('editor'), await member('viewer')];
  for (const who of [owner, editor])
    expect(await read(who, 'plain')).toMatchObject({ status: 200, body: { text: 'Hello', project } });
  expect(await read(viewer, 'plain')).toMatchObject({ status: 403 });
  expect(await read(server.client, 'plain')).toMatchObject({ status: 401 });
  expect(await read(owner, 'of-table')).toMatchObject({ body: { text: 'Things', table: 'Things' } });
});

test('what is not there for a caller is for the plugin as what nobody ever kept', async () => {
  const stranger = await server.signUp('stranger@example.com');
  const creator = await member('creator');
  const never = await read(stranger, 'never');
  expect(never).toMatchObject({ status: 404, body: { code: 'NOTE_NOT_FOUND' } });
  for (const id of ['plain', 'of-table', 'secret'])
    expect((await read(stranger, id)).body).toMatchObject({ code: 'NOTE_NOT_FOUND' });
  expect(await read(owner, 'of-gone-table')).toMatchObject({ status: 404, body: { code: 'NOTE_NOT_FOUND' } });
  expect(await read(owner, 'secret')).toMatchObject({ status: 200 });
  expect(await read(creator, 'secret')).toMatchObject({ status: 404, body: { code: 'NOTE_NOT_FOUND' } });
});

test('what was kept of a project that was deleted is not there, although its members are still in it', async () => {
  const gone = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Gone' })).body.id;
  notes.set('of-gone', { projectId: gone, note: { text: 'Hello' } });
  expect(await read(owner, 'of-gone')).toMatchObject({ status: 200 });
  expect((await owner.delete(`/api/v1/db/meta/projects/${gone}`)).status).toBe(200);
  expect(await read(owner, 'of-gone')).toMatchObject({ status: 404, body: { code: 'NOTE_NOT_FOUND' } });
});
