import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineObjectHome, defineRoute, type RouteRequest } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Note {
  readonly text: string;
  readonly isSecret?: boolean;
  readonly isBroken?: boolean;
  /** Never told whether it is there. */
  readonly isStuck?: boolean;
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
          if (id === 'broken') throw new TypeError('The shelf is gone.');
          if (id === 'stuck') return new Promise<never>(() => {});
          const found = notes.get(id);
          return found && { ...found, object: found.note };
        },
        async isThere({ isSecret, isBroken, isStuck }, { scope }) {
          if (isBroken === true) throw new TypeError('The drawer is gone.');
          if (isStuck === true) return new Promise<never>(() => {});
          return isSecret !== true || scope.roles.includes('owner');
        },
      }),
    );
    ctx.routes(
      defineRoute({
        method: 'GET',
        path: 'notes/:noteId',
        permission: 'noteRead',
        object: { kind: 'kept', home: 'note', param: 'noteId' },
        summary: 'Read a note',
        seconds: 0.1,
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

test('a home that gives no answer, or fails, is answered for and booked on its plugin', async () => {
  notes.set('broken-one', { projectId: project, note: { text: 'Hello', isBroken: true } });
  notes.set('stuck-one', { projectId: project, note: { text: 'Hello', isStuck: true } });
  for (const id of ['stuck', 'stuck-one'])
    expect(await read(owner, id)).toMatchObject({ status: 503, body: { code: 'PLUGIN_TOO_SLOW' } });
  for (const id of ['broken', 'broken-one'])
    expect(await read(owner, id)).toMatchObject({ status: 500, body: { code: 'ROUTE_FAILED' } });
  const { body } = await owner.get<{ list: readonly { id: string; errors: readonly object[] }[] }>(
    '/api/v1/app-store/plugins',
  );
  const errors = body.list.find(({ id }) => id === 'notes')?.errors ?? [];
  expect(errors).toHaveLength(4);
  expect(errors).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ where: 'find() of note', message: 'It gave no answer within 0.1 seconds.' }),
      expect.objectContaining({
        where: 'isThere() of note',
        message: 'It gave no answer within 0.1 seconds.',
      }),
      expect.objectContaining({
        where: 'find() of note',
        message: expect.stringContaining('The shelf is gone.'),
      }),
      expect.objectContaining({
        where: 'isThere() of note',
        message: expect.stringContaining('The drawer is gone.'),
      }),
    ]),
  );
});
