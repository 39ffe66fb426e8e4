import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LiveEvent, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { io } from 'socket.io-client';
import type {
  AddAnswer,
  CustomRole,
  CustomRoleInput,
  MemberList,
  TableRights,
} from '#plugins/sys-members/shared';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Firm';
const bulk = '/api/v1/db/data/bulk/noco/Firm';
const meta = '/api/v1/db/meta';
/** Digits that no time stamp and no id has by chance; a raise shows all of them, too. */
const salary = 98_765_432;
const raised = 987_654_321;
const whole: TableRights = {
  access: 'write',
  create: true,
  delete: true,
  columns: {},
  newColumns: 'write',
};

function describeRoles(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let bob: TestClient;
  let bobId = '';
  let project = '';
  let roles = '';
  let people: TableEntity;
  let firms: TableEntity;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    bob = await server.signUp('bob@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body.id;
    roles = `/api/v1/plugins/sys-members/projects/${project}/roles`;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const made = (body: object) => owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body);
    people = (await made({ title: 'People', columns: [...columns, { title: 'Pay', uidt: 'Number' }] })).body;
    firms = (await made({ title: 'Firms', columns })).body;
    await owner.post(`${meta}/tables/${firms.id}/columns`, {
      title: 'Staff',
      uidt: 'LinkToAnotherRecord',
      parentId: firms.id,
      childId: people.id,
      type: 'hm',
    });
    people = (await owner.get<TableEntity>(`${meta}/tables/${people.id}`)).body;
    firms = (await owner.get<TableEntity>(`${meta}/tables/${firms.id}`)).body;
    const staff = firms.columns?.find(({ title }) => title === 'Staff')?.id ?? '';
    const pay = columnOf(people, 'Pay');
    await owner.post(`${meta}/tables/${firms.id}/columns`, {
      title: 'Pays',
      uidt: 'Lookup',
      fk_relation_column_id: staff,
      fk_lookup_column_id: pay,
    });
    await owner.post(`${meta}/tables/${people.id}/columns`, {
      title: 'Double',
      uidt: 'Formula',
      formula_raw: '{Pay} * 2',
    });
    await owner.post(`${data}/Firms`, { Name: 'Acme' });
    await owner.post(`${data}/People`, { Name: 'Ada', Pay: salary });
    await owner.post(`${data}/Firms/1/hm/Staff/1`);
    await owner.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
    bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  });
  afterAll(() => server?.dispose());

  /** A row as its owner reads it; databases differ in how they write whole numbers. */
  async function stored() {
    const { body } = await owner.get<Record<string, unknown>>(`${data}/People/1`);
    return { ...body, Pay: Number(body['Pay']) };
  }
  function columnOf(table: TableEntity, title: string): string {
    return table.columns?.find((column) => column.title === title)?.id ?? '';
  }
  async function make(
    title: string,
    tables: Record<string, TableRights>,
    more: Partial<CustomRoleInput> = {},
  ) {
    const made = await owner.post<CustomRole>(roles, {
      title,
      base: 'editor',
      tables,
      newTables: 'write',
      ...more,
    });
    expect(made.body).toMatchObject({ title, people: 0 });
    return made.body.id;
  }
  const give = (custom: string | null, base = 'editor') =>
    owner.patch(`${meta}/projects/${project}/users/${bobId}`, {
      roles: base,
      project_id: project,
      custom_role: custom,
    });

  test('names no table and no column by what every object has', async () => {
    const role = { title: 'Odd', description: '', base: 'editor', denied: [] };
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
      const asked = [{ [name]: whole }, { [people.id]: { ...whole, columns: { [name]: 'read' } } }];
      for (const tables of asked)
        expect(await owner.post(roles, { ...role, tables })).toMatchObject({
          status: 400,
          body: { code: 'CUSTOM_ROLE_UNKNOWN_ID' },
        });
    }
  });

  test('a role is of those who are here or invited, and goes without a replacement once they are gone', async () => {
    const id = await make('Visitor', {});
    const users = `${meta}/projects/${project}/users`;
    const dan = await server.signUp('dan@example.com');
    const { id: danId } = (await dan.get<{ id: string }>('/api/v1/auth/user/me')).body;
    for (const email of ['dan@example.com', 'uma@example.com'])
      expect((await owner.post(users, { email, custom_role: id })).status).toBe(200);
    const held = async () => {
      const { body } = await owner.get<{ list: readonly CustomRole[] }>(roles);
      return body.list.find((role) => role.id === id)?.people;
    };
    expect(await held()).toBe(2);
    expect((await owner.delete(`/api/v1/users/${danId}`)).status).toBe(200);
    expect(await held()).toBe(1);
    const inUse = { status: 409, body: { code: 'CUSTOM_ROLE_IN_USE', params: { count: 1 } } };
    expect(await owner.delete(`${roles}/${id}`)).toMatchObject(inUse);
    const { list } = (await owner.get<MemberList>(`${users}?query=uma`)).body.users;
    expect((await owner.delete(`${users}/${list[0]?.id ?? ''}`)).status).toBe(200);
    expect(await held()).toBe(0);
    expect((await owner.delete(`${roles}/${id}`)).status).toBe(200);
  });

  test('a hidden column is in no answer, also not of a token, and a read-only one is not written', async () => {
    const id = await make('No pay', {
      [people.id]: {
        ...whole,
        columns: { [columnOf(people, 'Pay')]: 'none', [columnOf(people, 'Name')]: 'read' },
      },
    });
    expect((await give(id)).status).toBe(200);
    const made = await bob.post<{ token: string }>(`${meta}/api-tokens`, { permissions: 'editor' });
    expect(made.body.token).toMatch(/./);
    const token = server.client.with({ headers: { 'xc-token': made.body.token } });
    for (const caller of [bob, token]) {
      const rows = await caller.get<{ list: object[] }>(`${data}/People`);
      expect(rows.body.list[0]).toMatchObject({ Name: 'Ada' });
      const whatIsTold = await Promise.all([
        caller.get(`${data}/People/1`),
        caller.get(`${data}/People/export/csv`),
        caller.get(`${data}/Firms?nested[Staff][fields]=Name,Pay`),
        caller.get(`${data}/Firms`),
        caller.get(`${data}/Firms/1`),
        caller.get(`${data}/Firms/1/hm/Staff`),
        caller.get(`${meta}/tables/${people.id}`),
        caller.get(`${meta}/audits/comments?fk_model_id=${people.id}&row_id=1`),
      ]);
      for (const { body } of [rows, ...whatIsTold]) {
        expect(JSON.stringify(body)).not.toContain(String(salary));
        expect(JSON.stringify(body)).not.toContain(String(2 * salary));
        expect(JSON.stringify(body)).not.toContain('"Pay":');
      }
      for (const query of ['where=(Pay,gt,0)', 'sort=Pay', 'fields=Pay'])
        expect([query, (await caller.get(`${data}/People?${query}`)).status]).toEqual([query, 400]);
      expect((await caller.get(`${data}/People/groupby?column_name=Pay`)).status).toBe(400);
    }
    for (const caller of [bob, token]) {
      const refused = { status: 403, body: { code: 'COLUMN_READ_ONLY', params: { column: 'Name' } } };
      expect(await caller.patch(`${data}/People/1`, { Name: 'Eve', Pay: 1 })).toMatchObject(refused);
      expect(await caller.patch(`${bulk}/People`, [{ Id: 1, Name: 'Eve' }])).toMatchObject(refused);
      expect(await caller.post(`${data}/People`, { Name: 'Eve' })).toMatchObject(refused);
      // A column out of sight is none, so that its name tells nothing.
      expect(await caller.patch(`${data}/People/1`, { Pay: 1 })).toMatchObject({ status: 400 });
    }
    expect(await stored()).toMatchObject({ Name: 'Ada', Pay: salary });
    expect((await owner.get(`${data}/People/count`)).body).toEqual({ count: 1 });
    const seen = await bob.get<TableEntity>(`${meta}/tables/${people.id}`);
    expect(seen.body.columns?.find(({ title }) => title === 'Name')).toMatchObject({ read_only: true });
    await owner.post(`${meta}/tables/${people.id}/columns`, { title: 'Nick', uidt: 'SingleLineText' });
    expect(
      (await bob.get<TableEntity>(`${meta}/tables/${people.id}`)).body.columns?.map(({ title }) => title),
    ).toContain('Nick');
  });

  test('undo, history, comments and live events tell nothing that a role hides, and write nothing that it protects', async () => {
    const id = await make('No pay at all', {
      [people.id]: { ...whole, columns: { [columnOf(people, 'Pay')]: 'none' } },
      [firms.id]: { ...whole, access: 'none' },
    });
    await give(id);
    const socket = io(`${server.url}/live`, {
      auth: { token: bob.token },
      transports: ['websocket'],
      reconnection: false,
    });
    const events: LiveEvent[] = [];
    const reset = new Promise<void>((resolve) => {
      socket.on('event', (event: LiveEvent) => {
        events.push(event);
        if (event.kind === 'rowsReset') resolve();
      });
    });
    await once(socket as never, 'connect');
    for (const tableId of [firms.id, people.id])
      await socket.timeout(5000).emitWithAck('subscribe', { tableId });
    await owner.patch(`${data}/Firms/1`, { Name: 'Acme & Co' });
    const paid = await owner.patch(`${data}/People/1`, { Pay: raised });
    await reset;
    socket.disconnect();
    expect(JSON.stringify(events)).not.toContain(firms.id);
    expect(JSON.stringify(events)).not.toContain(String(salary));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'rowsReset', tableId: people.id }));

    const undo = (operation: string | null) =>
      bob.post(`/api/v1/db/data/operations/${project}/${operation}/undo`, {});
    const refused = await undo(paid.headers.get('x-trellis-operation'));
    expect(refused).toMatchObject({ status: 403, body: { code: 'UNDO_OUT_OF_SIGHT' } });
    expect(await stored()).toMatchObject({ Pay: raised });
    const nick = await bob.patch(`${data}/People/1`, { Nick: 'A' });
    expect((await undo(nick.headers.get('x-trellis-operation'))).status).toBe(200);
    expect(await stored()).toMatchObject({ Nick: null, Pay: raised });

    const history = await bob.get<{ list: object[] }>(`${data}/People/1/history`);
    expect(history.body.list.length).toBeGreaterThan(0);
    expect(JSON.stringify(history.body)).not.toContain(String(salary));
    expect((await bob.get(`${data}/Firms/1/history`)).status).toBe(404);
    const comment = (table: TableEntity) =>
      bob.post(`${meta}/audits/comments`, { fk_model_id: table.id, row_id: '1', description: 'Hm' });
    expect(await comment(people)).toMatchObject({ status: 200 });
    expect((await comment(firms)).status).toBe(404);
    await owner.patch(`${data}/People/1`, { Pay: salary });
  });

  test('a key that may only be read names rows for bulk changes still', async () => {
    await give(
      await make('Keys', { [people.id]: { ...whole, columns: { [columnOf(people, 'Id')]: 'read' } } }),
    );
    expect((await bob.patch(`${bulk}/People`, [{ Id: 1, Nick: 'Addie' }])).body).toEqual([1]);
    expect((await owner.get(`${data}/People/1`)).body).toMatchObject({ Nick: 'Addie' });
  });

  test('a table is read alone, or is not there at all', async () => {
    const id = await make('Reads', {
      [people.id]: { ...whole, access: 'read' },
      [firms.id]: { ...whole, access: 'none' },
    });
    await give(id);
    expect(await bob.get(`${data}/People`)).toMatchObject({ status: 200 });
    expect((await bob.get<{ list: object[] }>(`${data}/People`)).body.list[0]).not.toHaveProperty('Firms');
    for (const query of ['where=(Firms,notblank)', 'fields=Firms'])
      expect([query, (await bob.get(`${data}/People?${query}`)).status]).toEqual([query, 400]);
    expect((await bob.post(`${data}/People`, { Name: 'Eve' })).status).toBe(403);
    expect((await bob.patch(`${data}/People/1`, { Name: 'Eve' })).status).toBe(403);
    expect((await bob.delete(`${data}/People/1`)).status).toBe(403);
    const [hidden, never] = await Promise.all([bob.get(`${data}/Firms`), bob.get(`${data}/Never`)]);
    expect([hidden.status, hidden.body]).toEqual([never.status, never.body]);
    expect((await bob.get(`${meta}/tables/${firms.id}`)).status).toBe(404);
    expect((await bob.get(`${meta}/views/${firms.views?.[0]?.id}/columns`)).status).toBe(404);
    const listed = await bob.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables`);
    expect(listed.body.list.map(({ title }) => title)).toEqual(['People']);
    const seen = await bob.get<TableEntity>(`${meta}/tables/${people.id}`);
    expect(seen.body.denied).toContain('dataInsert');
    expect(seen.body.columns?.map(({ title }) => title)).not.toContain('Firms');
  });

  test('rows are changed and neither added nor deleted, and a permission can be taken', async () => {
    const id = await make(
      'Tends',
      { [people.id]: { ...whole, create: false, delete: false } },
      { denied: ['exportCsv'] },
    );
    await give(id);
    expect((await bob.patch(`${data}/People/1`, { Name: 'Ada' })).status).toBe(200);
    expect((await bob.post(`${data}/People`, { Name: 'Eve' })).status).toBe(403);
    expect((await bob.post(`${data}/Firms`, { Name: 'Bolt' })).status).toBe(200);
    expect((await bob.delete(`${data}/People/1`)).status).toBe(403);
    expect((await bob.get(`${data}/People/export/csv`)).status).toBe(403);
    const as = owner.with({ headers: { 'xc-preview': id } });
    expect((await as.post(`${data}/People`, { Name: 'Eve' })).status).toBe(403);
    expect((await as.get(`${data}/People`)).status).toBe(200);
    expect(
      (await owner.with({ headers: { 'xc-preview': `ro_${'0'.repeat(32)}` } }).get(`${data}/People`)).status,
    ).toBe(403);
  });

  test('people are invited with a role, and have it from the first moment on', async () => {
    const users = `${meta}/projects/${project}/users`;
    const noPay: TableRights = { ...whole, columns: { [columnOf(people, 'Pay')]: 'none' } };
    const id = await make('Guests', { [people.id]: noPay });
    await server.signUp('cat@example.com');
    const invited = await owner.post<AddAnswer>(users, {
      email: 'cat@example.com, dan@example.com, eli@example.com',
      custom_role: id,
    });
    expect(invited.body.error).toEqual([]);
    const tokenOf = (email: string) =>
      invited.body.people.find((person) => person.email === email)?.invite_token ?? '';
    const person = async (email: string) =>
      (await owner.get<MemberList>(users)).body.users.list.find((of) => of.email === email);
    const people3 = ['cat', 'dan', 'eli'].map((name) => `${name}@example.com`);
    for (const email of people3)
      expect(await person(email)).toMatchObject({ roles: 'editor', custom_role: { id, title: 'Guests' } });

    const join = async (email: string) => {
      const body = { email, password: 'Password-1', token: tokenOf(email) };
      const { body: made } = await server.client.post<{ token: string }>('/api/v1/auth/user/signup', body);
      return server.client.with({ token: made.token });
    };
    const rowOf = async (client: TestClient) =>
      (await client.get<{ list: object[] }>(`${data}/People`)).body.list[0];
    const dan = await join('dan@example.com');
    expect(await rowOf(dan)).toMatchObject({ Name: expect.any(String) });
    expect(await rowOf(dan)).not.toHaveProperty('Pay');

    // Whoever is here and whoever is not yet follow the role, and lose it with it.
    const changed = { title: 'Guests', base: 'viewer', tables: { [people.id]: noPay }, newTables: 'write' };
    expect((await owner.patch(`${roles}/${id}`, changed)).status).toBe(200);
    for (const email of people3) expect(await person(email)).toMatchObject({ roles: 'viewer' });
    const eli = (await person('eli@example.com'))?.id ?? '';
    const set = (who: string | undefined, body: object) =>
      owner.patch(`${users}/${who}`, { ...body, project_id: project });
    expect((await set(eli, { roles: 'commenter' })).status).toBe(200);
    expect(await person('eli@example.com')).toMatchObject({ roles: 'commenter', custom_role: null });
    expect((await set(eli, { custom_role: id })).status).toBe(200);
    expect(await person('eli@example.com')).toMatchObject({ roles: 'viewer', custom_role: { id } });
    expect((await set('in_00000000000000', { custom_role: id })).status).toBe(400);
    expect((await owner.delete(`${roles}/${id}`)).status).toBe(409);
    const danId = (await person('dan@example.com'))?.id;
    expect((await set(danId, { roles: 'editor' })).status).toBe(200);
    expect(await rowOf(dan)).toHaveProperty('Pay');
    expect((await owner.delete(`${roles}/${id}?replacement=editor`)).status).toBe(200);
    for (const email of people3)
      expect(await person(email)).toMatchObject({ roles: 'editor', custom_role: null });
    expect(await rowOf(await join('eli@example.com'))).toHaveProperty('Pay');

    // An invitation that was refused changes nobody's role, and a role of nobody's is none.
    const creators = await make('Few', { [people.id]: noPay });
    const again = await owner.post<AddAnswer>(users, { email: 'cat@example.com', custom_role: creators });
    expect(again.status).toBe(400);
    expect(await person('cat@example.com')).toMatchObject({ custom_role: null });
    expect((await owner.post(users, { email: 'x@example.com', custom_role: 'ro_none' })).status).toBe(404);
  });

  test('a role that people have is deleted with the role that they get, and ids of other projects are none', async () => {
    const used = (await owner.get<{ list: CustomRole[] }>(roles)).body.list.find(({ people: n }) => n > 0);
    expect(await owner.delete(`${roles}/${used?.id}`)).toMatchObject({ status: 409 });
    expect((await owner.delete(`${roles}/${used?.id}?replacement=owner`)).status).toBe(400);
    expect((await owner.delete(`${roles}/${used?.id}?replacement=viewer`)).status).toBe(200);
    const { users } = (await owner.get<MemberList>(`${meta}/projects/${project}/users`)).body;
    expect(users.list.find(({ id }) => id === bobId)).toMatchObject({ roles: 'viewer', custom_role: null });
    expect((await bob.post(`${data}/People`, { Name: 'Eve' })).status).toBe(403);

    expect((await bob.get(roles)).status).toBe(403);
    expect((await bob.post(roles, { title: 'Mine', base: 'editor' })).status).toBe(403);
    const other = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Other' })).body.id;
    const elsewhere = `/api/v1/plugins/sys-members/projects/${other}/roles`;
    const foreign = await owner.post<CustomRole>(elsewhere, { title: 'Foreign', base: 'viewer' });
    expect((await give(foreign.body.id)).status).toBe(404);
    expect((await owner.delete(`${roles}/${foreign.body.id}`)).status).toBe(404);
    expect(
      (await owner.post(elsewhere, { title: 'X', base: 'viewer', tables: { [people.id]: whole } })).status,
    ).toBe(400);
    expect((await owner.post(elsewhere, { title: 'X', base: 'creator' })).status).toBe(400);
    const hidesKey = { ...whole, columns: { [columnOf(people, 'Id')]: 'none' } };
    expect(
      (await owner.post(roles, { title: 'X', base: 'viewer', tables: { [people.id]: hidesKey } })).status,
    ).toBe(400);
    expect((await owner.post(roles, { title: 'Editor', base: 'viewer' })).status).toBe(400);
  });

  test('a role that goes while it is given leaves nobody without the one before', async () => {
    const hidden = { [people.id]: { ...whole, columns: { [columnOf(people, 'Pay')]: 'none' as const } } };
    const guard = await make('Guard', hidden);
    expect((await give(guard)).status).toBe(200);
    for (let round = 0; round < 6; round += 1) {
      const id = await make(`Short-lived ${round}`, hidden);
      const [given, gone] = await Promise.all([give(id), owner.delete(`${roles}/${id}`)]);
      expect([given.status, gone.status].filter((status) => status === 200)).toHaveLength(1);
      const { body } = await bob.get<{ list: Record<string, unknown>[] }>(`${data}/People`);
      expect(Object.keys(body.list[0] ?? {})).toContain('Name');
      expect(Object.keys(body.list[0] ?? {})).not.toContain('Pay');
      if (gone.status !== 200) expect((await give(guard)).status).toBe(200);
    }
    await give(null);
  });
}

describeEachHome('custom roles', describeRoles);
