import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LiveEvent, LiveSubscribeAnswer, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';
import type { CustomRole, TableRights } from '#plugins/sys-members/shared';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Firm';
const bulk = '/api/v1/db/data/bulk/noco/Firm';
const meta = '/api/v1/db/meta';
const comments = `${meta}/audits/comments`;

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** People with their pay, firms that employ them, and tags; of people and tags a member has the own ones, and nobody's pay. */
function describeHidden(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let bob: TestClient;
  let bobId = '';
  let project = '';
  const tables: Record<string, TableEntity> = {};
  const sockets: Socket[] = [];

  const column = (table: string, title: string) =>
    tables[table]?.columns?.find((one) => one.title === title)?.id ?? '';
  const own = (table: string) => ({
    filters: [
      {
        kind: 'condition',
        logicalOp: 'and',
        columnId: column(table, 'Owner'),
        operator: 'anyof',
        value: '@me',
      },
    ],
  });
  const limit = (table: string) =>
    owner.put(`/api/v1/plugins/row-rules/projects/${project}/rules/${tables[table]?.id}/editor`, own(table));
  async function give(title: string, rights: Readonly<Record<string, TableRights>>): Promise<void> {
    const roles = `/api/v1/plugins/sys-members/projects/${project}/roles`;
    const made = await owner.post<CustomRole>(roles, {
      title,
      base: 'editor',
      tables: rights,
      newTables: 'write',
    });
    const given = await owner.patch(`${meta}/projects/${project}/users/${bobId}`, {
      roles: 'editor',
      project_id: project,
      custom_role: made.body.id,
    });
    expect(given.status).toBe(200);
  }
  const whole: TableRights = {
    access: 'write',
    create: true,
    delete: true,
    columns: {},
    newColumns: 'write',
  };
  const withoutPay = () => ({
    [tables['People']?.id ?? '']: { ...whole, columns: { [column('People', 'Pay')]: 'none' as const } },
  });

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    bob = await server.signUp('bob@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body.id;
    await owner.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Owner', uidt: 'Collaborator' },
    ];
    const pay = [{ title: 'Pay', uidt: 'Number' }];
    for (const [title, more] of Object.entries({ People: pay, Firms: [], Tags: [] })) {
      const body = { title, columns: [...columns, ...more] };
      tables[title] = (await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body)).body;
    }
    const read = async () => {
      for (const [title, { id }] of Object.entries(tables))
        tables[title] = (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body;
    };
    const add = async (table: string, body: object) =>
      expect((await owner.post(`${meta}/tables/${tables[table]?.id}/columns`, body)).status).toBe(200);
    const link = (title: string, parent: string, child: string, type: string) =>
      add(parent, {
        title,
        uidt: 'LinkToAnotherRecord',
        parentId: tables[parent]?.id,
        childId: tables[child]?.id,
        type,
      });
    await link('Staff', 'Firms', 'People', 'hm');
    await link('Tags', 'People', 'Tags', 'mm');
    await add('People', { title: 'Double', uidt: 'Formula', formula_raw: '{Pay} * 2' });
    await read();
    const relation = { fk_relation_column_id: column('Firms', 'Staff') };
    for (const title of ['Pay', 'Name'])
      await add('Firms', {
        title: `${title} of staff`,
        uidt: 'Lookup',
        ...relation,
        fk_lookup_column_id: column('People', title),
      });
    for (const [title, rollup_function] of [
      ['Pay', 'sum'],
      ['Id', 'count'],
    ])
      await add('Firms', {
        title: `${rollup_function} of ${title}`,
        uidt: 'Rollup',
        ...relation,
        fk_rollup_column_id: column('People', title ?? ''),
        rollup_function,
      });
    await read();
    for (const [Name, Owner, Pay] of [
      ['Ada', 'bob@example.com', 10],
      ['Zoe', 'owner@example.com', 771],
      ['Eve', 'bob@example.com', 20],
    ]) {
      await owner.post(`${data}/People`, { Name, Owner, Pay });
      await owner.post(`${data}/Tags`, { Name: `of ${Name}`, Owner });
      await owner.post(`${data}/Firms`, { Name: `House ${Owner}` });
    }
    for (const key of [1, 2, 3])
      expect((await owner.post(`${data}/Firms/1/hm/Staff/${key}`)).status).toBe(200);
    for (const key of [1, 2]) await owner.post(`${data}/People/1/mm/Tags/${key}`);
    bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    for (const table of ['People', 'Tags']) expect((await limit(table)).status).toBe(200);
    await give('No pay', withoutPay());
  });
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect();
    await server?.dispose();
  });

  async function subscribe(client: TestClient, tableId: string) {
    const socket = io(`${server.url}/live`, {
      auth: { token: client.token },
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const heard: LiveEvent[] = [];
    const first = new Promise<LiveEvent>((resolve) => {
      socket.on('event', (event: LiveEvent) => {
        heard.push(event);
        if (event.kind === 'rows' || event.kind === 'rowsReset') resolve(event);
      });
    });
    await once(socket as never, 'connect');
    const answer: LiveSubscribeAnswer = await socket.timeout(5000).emitWithAck('subscribe', { tableId });
    return { answer, heard, first };
  }

  /** What somebody may ask about a column, with or without seeing it. */
  function questionsAbout(table: string, { id, title }: { readonly id: string; readonly title: string }) {
    const filter = (operator: string, value: string) =>
      json([{ kind: 'condition', logicalOp: 'and', columnId: id, operator, value }]);
    const figures = ['count', 'unique', 'filled', 'empty', 'sum', 'min', 'max', 'avg'].map((aggregation) => ({
      column: id,
      aggregation,
    }));
    const named = encodeURIComponent(title);
    const wheres = ['gt,50', 'eq,771', 'like,%25a%25', 'notnull'].map((asked) => `where=(${named},${asked})`);
    const filters = ['gt', 'like'].map((operator) => `filterArrJson=${filter(operator, '771')}`);
    const sorts = [
      `sort=${named}`,
      `sort=-${named}`,
      `sortArrJson=${json([{ fk_column_id: id, direction: 'desc' }])}`,
    ];
    const path = `${data}/${table}`;
    return [
      ...[...wheres, ...filters, ...sorts, `fields=${named}`].map((query) => `${path}?${query}`),
      ...[...wheres, ...filters].flatMap((query) => [`${path}/count?${query}`]),
      ...sorts.slice(0, 1).map((query) => `${path}/export/csv?${query}`),
      `${path}/find-one?${wheres[0]}`,
      `${path}/groupby?column_name=${named}`,
      `${path}/group/${id}`,
      `${path}/groups?groupArrJson=${json([{ fk_column_id: id, direction: 'asc' }])}`,
      `${path}/aggregate?aggregations=${json(figures)}`,
      ...(table === 'People'
        ? [
            ...wheres.map((query) => `${data}/Firms?nested[Staff][${query.replace('=', ']=')}`),
            ...[...wheres, ...sorts].map((query) => `${data}/Firms/1/hm/Staff?${query}`),
            `${data}/Firms/2/hm/Staff/exclude?${wheres[0]}`,
          ]
        : []),
    ];
  }

  test('answers the same whatever stands in hidden cells and rows', async () => {
    const { id: people } = tables['People'] ?? { id: '' };
    const paths = [
      ...Object.keys(tables).flatMap((table) => [
        `${data}/${table}`,
        `${data}/${table}/1`,
        `${data}/${table}/2`,
        `${data}/${table}/2/exist`,
        `${data}/${table}/999/exist`,
        `${data}/${table}/export/csv`,
        ...(tables[table]?.columns ?? []).flatMap(({ id, title }) =>
          id === undefined || title === undefined ? [] : questionsAbout(table, { id, title }),
        ),
      ]),
      `${data}/Firms/1/hm/Staff`,
      `${data}/Firms/2/hm/Staff/exclude`,
      `${data}/People/1/mm/Tags`,
      `${data}/People/1/mm/Tags/exclude`,
      `${data}/People/2/mm/Tags`,
      `${data}/People/2/history`,
      `${comments}?fk_model_id=${people}&row_id=2&comments_only=true`,
      `${comments}/count?fk_model_id=${people}&ids=1&ids=2`,
    ];
    const answers = async () => {
      const told: object[] = [];
      for (const path of paths) {
        const { status, body } = await bob.get(path);
        told.push({ path, status, body });
      }
      return told;
    };
    const before = await answers();
    expect(before.filter((answer) => 'status' in answer && Number(answer.status) >= 500)).toEqual([]);
    // Some of it is answered, so that the comparison says something.
    expect(before.filter((answer) => 'status' in answer && answer.status === 200).length).toBeGreaterThan(
      150,
    );
    for (const answer of before)
      expect(JSON.stringify(answer).replace(/"path":"[^"]*"/, '')).not.toMatch(/Zoe|771/);
    for (const [path, body] of [
      ['People/1', { Pay: 60 }],
      ['People/3', { Pay: 5 }],
      ['People/2', { Name: 'Aaa', Pay: 1 }],
      ['Tags/2', { Name: 'aaa' }],
    ] as const)
      expect((await owner.patch(`${data}/${path}`, body)).status).toBe(200);
    await owner.post(`${data}/Firms/2/hm/Staff/2`);
    await owner.post(`${data}/People/2/mm/Tags/1`);
    await owner.post(comments, { fk_model_id: people, row_id: '2', description: 'Hm' });
    await owner.post(`${data}/People`, { Name: 'Bea', Owner: 'owner@example.com', Pay: 15 });
    const after = await answers();
    for (const [at, answer] of before.entries()) expect(after[at]).toEqual(answer);
  });

  test('cannot tell what is hidden from what never was, in groups and in figures', async () => {
    const pay = tables['People']?.columns?.find(({ title }) => title === 'Pay');
    const by = json([{ fk_column_id: column('People', 'Name'), direction: 'asc' }]);
    const sum = (name: string) => json([{ column: name, aggregation: 'sum' }]);
    const paths = (name: string) => [
      `group/${name}`,
      `groupby?column_name=${name}`,
      `aggregate?aggregations=${sum(name)}`,
      `groups?groupArrJson=${by}&aggregations=${sum(name)}`,
    ];
    const answers = async (name: string) => {
      const all = await Promise.all(paths(name).map((path) => bob.get<object>(`${data}/People/${path}`)));
      return all.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(name, '?')]);
    };
    const never = await answers('Nope');
    expect(never.map(([status]) => status)).toEqual([404, 400, 400, 400]);
    for (const name of ['Pay', pay?.id, pay?.column_name]) expect(await answers(name ?? '')).toEqual(never);
  });

  test('is told of no column that is hidden by those that are computed from it', async () => {
    const hidden = column('People', 'Pay');
    for (const { id } of Object.values(tables)) {
      const { body } = await bob.get<TableEntity>(`${meta}/tables/${id}`);
      expect(JSON.stringify(body.columns)).not.toContain(hidden);
    }
    const { body: all } = await owner.get<TableEntity>(`${meta}/tables/${tables['People']?.id}`);
    expect(JSON.stringify(all.columns?.find(({ title }) => title === 'Double')?.meta)).toContain(hidden);
  });

  test('changes and deletes nothing by what is hidden', async () => {
    const all = async () => (await owner.get(`${data}/People?sort=Id`)).body;
    const before = await all();
    for (const query of ['where=(Pay,gt,0)', 'where=(Double,gt,0)', 'where=(Firms,eq,x)~or(Pay,eq,60)']) {
      const changed = await bob.patch(`${bulk}/People/all?${query}`, { Name: 'Mine' });
      const deleted = await bob.delete(`${bulk}/People/all?${query}`);
      for (const { status, body } of [changed, deleted])
        expect({ query, isRefused: status === 400 || body === 0 }).toEqual({ query, isRefused: true });
    }
    expect((await bob.delete(`${bulk}/People`, [{ Pay: 60 }])).status).toBe(400);
    expect(await all()).toEqual(before);
  });

  test('hears of links that some do not see that there are others, and of no row', async () => {
    const { list } = (
      await owner.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables?includeM2M=true`)
    ).body;
    const junction = list.find(({ mm }) => Number(mm) === 1)?.id ?? '';
    const { answer, heard, first } = await subscribe(bob, junction);
    expect(answer).toMatchObject({ ok: true });
    await owner.post(`${data}/People/3/mm/Tags/2`);
    expect(await first).toMatchObject({ kind: 'rowsReset', tableId: junction });
    expect(heard.filter(({ kind }) => kind === 'rows')).toEqual([]);
    await owner.delete(`${data}/People/3/mm/Tags/2`);
    const deletions = await bob.get(`/api/v1/db/data/operations/${project}/deletions`);
    expect(deletions.status).toBe(200);
    expect(JSON.stringify(deletions.body)).not.toContain(junction);
  });

  test('is told of no row and no table any more once it is hidden', async () => {
    const noticesOf = async () => {
      const path = '/api/v1/plugins/notification-center/notices';
      const { body } = await bob.get<{
        list: { id: string; row_id: string; kind: string; is_read: boolean }[];
      }>(path);
      expect((await bob.get(`${path}/unread`)).body).toEqual({
        unread: body.list.filter((notice) => !notice.is_read).length,
      });
      const mentions = body.list.filter(({ kind }) => kind === 'mention');
      return { list: mentions, unread: mentions.filter((notice) => !notice.is_read).length };
    };
    const say = (table: string, row_id: string) =>
      owner.post(comments, {
        fk_model_id: tables[table]?.id,
        row_id,
        description: 'Dear @bob@example.com',
      });
    await say('People', '2');
    expect(await noticesOf()).toEqual({ list: [], unread: 0 });
    await say('People', '1');
    await say('Firms', '1');
    expect(await noticesOf()).toMatchObject({ unread: 2 });
    const [newest] = (await noticesOf()).list;
    const mark = async (as: 'read' | 'unread', of: TestClient) =>
      of.post(`/api/v1/plugins/notification-center/notices/${as}`, { ids: [newest?.id] });
    await mark('read', bob);
    expect(await noticesOf()).toMatchObject({ unread: 1 });
    // Nobody marks what somebody else was told.
    await mark('unread', owner);
    expect(await noticesOf()).toMatchObject({ unread: 1 });
    await mark('unread', bob);
    expect(await noticesOf()).toMatchObject({ unread: 2 });
    await owner.patch(`${data}/People/1`, { Owner: 'owner@example.com' });
    expect((await noticesOf()).list).toMatchObject([{ row_id: '1', table: { title: 'Firms' } }]);
    await give('No firms', {
      ...withoutPay(),
      [tables['Firms']?.id ?? '']: { ...whole, access: 'none' },
    });
    expect(await noticesOf()).toEqual({ list: [], unread: 0 });
    const never = await subscribe(bob, 'md_00000000000000');
    expect((await subscribe(bob, tables['Firms']?.id ?? '')).answer).toEqual(never.answer);
  });
}

describeEachHome('what is hidden from a member', describeHidden);
