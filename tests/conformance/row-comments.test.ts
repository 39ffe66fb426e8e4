import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { ProjectRole, TableEntity } from '@trellis/sdk/shared';
import { askUntil, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { describeEachHome } from './each-home.ts';

const path = '/api/v1/db/meta/audits/comments';
const noticesPath = '/api/v1/plugins/notification-center/notices';

interface Comment {
  readonly id: string;
  readonly description: string;
  readonly user: string;
  readonly is_own: boolean;
  readonly is_edited: boolean;
}
interface Notices {
  readonly list: readonly {
    readonly id: string;
    readonly kind: string;
    readonly actor: string;
    readonly row_id: string;
    readonly is_read: boolean;
  }[];
}

function describeComments(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let projectId: string;
  let table: TableEntity;

  beforeEach(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    const { body } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    projectId = body.id;
    const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    table = made.body;
    await owner.post('/api/v1/db/data/noco/Atlas/City', { Name: 'Oslo' });
  });
  afterEach(() => server.dispose());

  async function member(role: ProjectRole): Promise<TestClient> {
    const email = `${role}@example.com`;
    const client = await server.signUp(email);
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail(email);
    await container.get(AccessServiceToken).grant(projectId, account?.id ?? '', role);
    return client;
  }

  const comment = (client: TestClient, text: string, row = '1') =>
    client.post(path, { fk_model_id: table.id, row_id: row, description: text });
  const listed = async (client: TestClient) =>
    (await client.get<Comment[]>(`${path}?fk_model_id=${table.id}&row_id=1&comments_only=true`)).body;
  /** What somebody was told of comments. */
  const noticesOf = async (client: TestClient) => {
    const { list } = (await client.get<Notices>(noticesPath)).body;
    expect((await client.get(`${noticesPath}/unread`)).body).toEqual({
      unread: list.filter((notice) => !notice.is_read).length,
    });
    const mentions = list.filter(({ kind }) => kind === 'mention');
    return { list: mentions, unread: mentions.filter((notice) => !notice.is_read).length };
  };

  test('stand with their row, however its key was written', async () => {
    for (const key of ['01', '1.0', ' 1', '+1']) expect((await comment(owner, key, key)).status).toBe(200);
    for (const key of ['1', '01']) {
      const query = `fk_model_id=${table.id}&row_id=${key}&comments_only=true`;
      const { body } = await owner.get<Comment[]>(`${path}?${query}`);
      expect(body.map(({ description }) => description).toSorted()).toEqual(['+1', '01', '1', '1.0']);
    }
    const counted = await owner.get(`${path}/count?fk_model_id=${table.id}&ids=1`);
    expect(counted.body).toEqual([{ row_id: '1', count: 4 }]);
  });

  test('commenters write, viewers read, strangers do neither', async () => {
    const [commenter, viewer, stranger] = [
      await member('commenter'),
      await member('viewer'),
      await server.signUp(),
    ];
    expect(await comment(commenter, 'Nice')).toMatchObject({ status: 200 });
    expect(await listed(viewer)).toMatchObject([
      { description: 'Nice', user: 'commenter@example.com', is_own: false, is_edited: false },
    ]);
    expect(await comment(viewer, 'Me too')).toMatchObject({ status: 403 });
    expect(await comment(stranger, 'Hello')).toMatchObject({ status: 403 });
    const [written] = await listed(owner);
    const one = `${path}/${written?.id}`;
    expect(await stranger.patch(one, { description: 'x' })).toMatchObject({ status: 404 });
    expect(await stranger.delete(one)).toMatchObject({ status: 404 });
    expect(await stranger.get(`${path}/count?fk_model_id=${table.id}&ids[]=1`)).toMatchObject({
      status: 403,
    });
    expect(await comment(owner, 'Nobody', '99')).toMatchObject({ status: 404 });
  });

  test('people change and delete their own comments, and owners delete those of others', async () => {
    const [commenter, editor] = [await member('commenter'), await member('editor')];
    await comment(commenter, 'Frist');
    const [written] = await listed(commenter);
    const one = `${path}/${written?.id}`;
    expect(await editor.patch(one, { description: 'Forged' })).toMatchObject({ status: 403 });
    expect(await owner.patch(one, { description: 'Forged' })).toMatchObject({ status: 403 });
    expect(await editor.delete(one)).toMatchObject({ status: 403 });
    expect(await commenter.patch(one, { description: 'First', user: 'owner@example.com' })).toMatchObject({
      status: 200,
      body: { description: 'First', is_edited: true, user: 'commenter@example.com' },
    });
    expect(await commenter.patch(one, { description: ' ' })).toMatchObject({
      status: 400,
      body: { code: 'COMMENT_EMPTY' },
    });
    expect(await owner.delete(one)).toMatchObject({ status: 200 });
    expect(await listed(owner)).toEqual([]);
  });

  test('nobody changes comments without an end', async () => {
    await comment(owner, 'Hello');
    const [{ id } = { id: '' }] = await listed(owner);
    const round = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) => owner.patch(`${path}/${id}`, { description: `Hello ${at}` })),
      );
    // Few at once, so that none waits too long for the others; where they take their time, some is forgiven meanwhile.
    let refused: readonly { readonly status: number }[] = [];
    while (refused.length === 0) refused = (await round()).filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('tells members whom a comment mentions, once, and nobody else', async () => {
    const [editor, viewer] = [await member('editor'), await member('viewer')];
    const outsider = await server.signUp('outsider@example.com');
    await comment(editor, 'Ask @Viewer@Example.com, @outsider@example.com or @editor@example.com (me).');
    expect(await noticesOf(viewer)).toMatchObject({
      list: [{ actor: 'editor@example.com', row_id: '1', kind: 'mention', table: { title: 'City' } }],
      unread: 1,
    });
    expect(await noticesOf(outsider)).toEqual({ list: [], unread: 0 });
    expect(await noticesOf(editor)).toEqual({ list: [], unread: 0 });
    const [written] = await listed(editor);
    await editor.patch(`${path}/${written?.id}`, {
      description: '@viewer@example.com and @owner@example.com',
    });
    expect((await noticesOf(viewer)).list).toHaveLength(1);
    expect((await noticesOf(owner)).list).toHaveLength(1);
    await editor.patch(`${path}/${written?.id}`, { description: '@owner@example.com' });
    await editor.patch(`${path}/${written?.id}`, {
      description: '@owner@example.com and @viewer@example.com again',
    });
    expect((await noticesOf(viewer)).list).toHaveLength(1);
    await viewer.post(`${noticesPath}/read`, {});
    expect(await noticesOf(viewer)).toMatchObject({ list: [{ is_read: true }], unread: 0 });
    expect(await noticesOf(owner)).toMatchObject({ unread: 1 });
  });

  test('who leaves the project is told nothing more of it', async () => {
    const viewer = await member('viewer');
    await comment(owner, 'Dear @viewer@example.com');
    expect(await noticesOf(viewer)).toMatchObject({ unread: 1 });
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail('viewer@example.com');
    await container.get(AccessServiceToken).revoke(projectId, account?.id ?? '');
    expect(await noticesOf(viewer)).toEqual({ list: [], unread: 0 });
    await comment(owner, '@viewer@example.com again');
    expect(await noticesOf(viewer)).toEqual({ list: [], unread: 0 });
  });

  test('follow rows whose keys are changed, and leave what is said to no other row', async () => {
    const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Article',
      columns: [
        { title: 'Code', uidt: 'SingleLineText', pk: true, rqd: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    expect(made.status).toBe(200);
    const data = '/api/v1/db/data/noco/Atlas/Article';
    const say = (row: string, description: string) =>
      owner.post(path, { fk_model_id: made.body.id, row_id: row, description });
    const said = async (row: string) => {
      const of = `fk_model_id=${made.body.id}&row_id=${row}&comments_only=true`;
      return (await owner.get<Comment[]>(`${path}?${of}`)).body.map(({ description }) => description);
    };
    for (const code of ['A1', 'B1']) {
      await owner.post(data, { Code: code, Name: code });
      expect((await say(code, `about ${code}, @owner@example.com`)).status).toBe(200);
    }
    expect((await owner.patch(`${data}/A1`, { Code: 'A2' })).status).toBe(200);
    await askUntil(
      () => said('A2'),
      (all) => all.length > 0,
    );
    await owner.post(data, { Code: 'A1', Name: 'another' });
    expect(await said('A1')).toEqual([]);
    expect(await said('A2')).toEqual(['about A1, @owner@example.com']);
    expect(await said('B1')).toEqual(['about B1, @owner@example.com']);
  });

  test('go for good with their table', async () => {
    await comment(owner, 'secret, @owner@example.com');
    const { database } = server.host.container.get(MetadataToken);
    const kept = async () => {
      const rows: unknown[] = [];
      for (const of of ['p_row_comments_comment', 'p_notification_center_notice'])
        rows.push(
          ...(await database.read((unit) => unit.all(database.builder(of).where({ table_id: table.id })))),
        );
      return rows;
    };
    expect(await kept()).not.toEqual([]);
    expect((await owner.delete(`/api/v1/db/meta/tables/${table.id}`)).status).toBe(200);
    expect(await kept()).not.toEqual([]);
    const trash = `/api/v1/db/meta/projects/${projectId}/trash/tables/${table.id}`;
    expect((await owner.delete(trash)).status).toBe(200);
    await askUntil(kept, (rows) => rows.length === 0);
  });
}

describeEachHome('comments on rows', describeComments);
