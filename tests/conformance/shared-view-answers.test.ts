import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import type { JobDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { askUntil, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { tableNameOf } from '../../host-server/plugins/plugin-database.ts';
import { describeEachHome } from './each-home.ts';

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Shop';
const day = 24 * 60 * 60 * 1000;

interface Attached {
  readonly url: string;
  readonly title: string;
  readonly size?: number;
}
type Answer = Readonly<Record<string, unknown>>;

/** Forms that ask strangers for files and for rows of other tables. */
function describeAnswers(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let project = '';
  let base = '';
  let otherBase = '';
  let viewId = '';
  let order: TableEntity;

  const id = (title: string) => order.columns?.find((column) => column.title === title)?.id ?? '';

  async function table(title: string, columns: readonly object[]): Promise<TableEntity> {
    const all = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Title', uidt: 'SingleLineText', pv: true },
      ...columns,
    ];
    const made = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, { title, columns: all });
    expect(made.status).toBe(200);
    return made.body;
  }
  async function link(title: string, type: 'hm' | 'mm' | 'bt', to: TableEntity): Promise<void> {
    const [parentId, childId] = type === 'bt' ? [to.id, order.id] : [order.id, to.id];
    const body = { title, uidt: 'LinkToAnotherRecord', type, parentId, childId };
    order = (await owner.post<TableEntity>(`${meta}/tables/${order.id}/columns`, body)).body;
  }
  async function form(title: string, hidden: readonly string[] = []): Promise<[id: string, base: string]> {
    const made = await owner.post<ViewEntity>(`${meta}/tables/${order.id}/forms`, { title });
    const places = await owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${made.body.id}/columns`);
    for (const { id: place, fk_column_id: of } of places.body) {
      const { title: name, system } = order.columns?.find((column) => column.id === of) ?? {};
      const show = !hidden.includes(name ?? '') && name !== 'Id' && system !== true;
      await owner.patch(`${meta}/views/${made.body.id}/columns/${place}`, { show });
    }
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${made.body.id}/share`, {});
    return [made.body.id, `/api/v1/db/public/shared-view/${shared.body.uuid}`];
  }
  const row = async (title: string) =>
    (await owner.get<{ list: readonly Answer[] }>(`${data}/Order?where=(Title,eq,${title})`)).body.list;

  async function upload(
    to: string,
    column: string,
    content = 'hello',
    name = 'note.txt',
  ): Promise<{ status: number; body: readonly Attached[] & { code?: string } }> {
    const body = new FormData();
    body.append('file', new Blob([content]), name);
    const response = await fetch(`${server.url}${to}/files/${column}`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as never };
  }
  const send = (values: object, to = base) => server.client.post<Answer>(`${to}/rows`, { data: values });
  const contentOf = async (url: string) => {
    const response = await fetch(url.startsWith('/') ? server.url + url : url);
    const text = await response.text();
    return response.status === 200 ? text : response.status;
  };
  async function sweepUploads(days: number): Promise<void> {
    const job: JobDefinition | undefined = server.host.registries
      .get('jobs')
      .get('column-attachment.sweep-uploads');
    const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
    const signal = new AbortController().signal;
    await job?.run({ signal, logger, now: Date.now() + days * day } as never);
  }

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
    const [firm, line, buyer] = [
      await table('Firm', [{ title: 'Word', uidt: 'SingleLineText' }]),
      await table('Line', []),
      await table('Buyer', []),
    ];
    order = await table('Order', [
      { title: 'Files', uidt: 'Attachment' },
      {
        title: 'Photo',
        uidt: 'Attachment',
        meta: { maximumFiles: 1, maximumMegabytes: 1, accept: 'image/*' },
      },
      { title: 'Hidden', uidt: 'Attachment' },
    ]);
    await link('Firms', 'mm', firm);
    await link('Lines', 'hm', line);
    await link('Buyer', 'bt', buyer);
    for (const [to, titles] of [
      ['Firm', ['Acme', 'Bolt', 'Cord']],
      ['Line', ['pens', 'cups', 'hats']],
      ['Buyer', ['Ada', 'Ben']],
    ] as const)
      for (const title of titles) await owner.post(`${data}/${to}`, { Title: title });
    [viewId, base] = await form('Ask', ['Hidden']);
    [, otherBase] = await form('Other', ['Hidden']);
  });
  afterAll(() => server?.dispose());

  test('keep the files that a stranger uploads, for the row that names them and for nothing else', async () => {
    const sent = await upload(base, id('Files'));
    expect(sent).toMatchObject({ status: 200, body: [{ title: 'note.txt', size: 5 }] });
    const [file] = sent.body;
    // The sender's address gives the file to nobody, before and after: strangers must not use the server to pass files on.
    expect(await contentOf(file?.url ?? '')).toBe(404);
    const added = await send({ Title: 'with-file', Files: sent.body });
    expect(added).toMatchObject({ status: 200, body: { Title: 'with-file' } });
    expect(await contentOf(file?.url ?? '')).toBe(404);
    const [kept] = await row('with-file');
    const [found] = JSON.parse(String(kept?.Files)) as readonly Attached[];
    expect(await contentOf(found?.url ?? '')).toBe('hello');
    const idIn = (url = '') => /([\w-]{22})(?:\.\w+)?$/.exec(url)?.[1] ?? 'none';
    expect(JSON.stringify(sent.body) + JSON.stringify(added.body)).not.toContain(idIn(found?.url));
    // A row names neither files of members, nor those that came by another link, nor addresses elsewhere.
    const foreign = await upload(otherBase, id('Files'));
    for (const url of [
      found?.url,
      foreign.body[0]?.url,
      'https://example.com/a.png',
      `/download/${'A'.repeat(22)}`,
    ])
      expect([url, (await send({ Title: 'wrong', Files: [{ url, title: 'a' }] })).status]).toEqual([
        url,
        400,
      ]);
    expect(await row('wrong')).toEqual([]);
  });

  test('take no files and name no rows to strangers while they are closed', async () => {
    const [closed, to] = await form('Closed', ['Hidden']);
    const closesAt = async (at: string) =>
      expect(await owner.patch(`${meta}/forms/${closed}`, { meta: { closesAt: at } })).toMatchObject({
        status: 200,
      });
    const early = await upload(to, id('Files'));
    expect(early.status).toBe(200);
    await closesAt('2020-01-01T00:00:00.000Z');
    const refused = { status: 400, body: { code: 'FORM_CLOSED' } };
    expect(await upload(to, id('Files'))).toMatchObject(refused);
    expect(await server.client.get(`${to}/nested/${id('Firms')}`)).toMatchObject(refused);
    expect(await send({ Title: 'late', Files: early.body }, to)).toMatchObject(refused);
    await closesAt('');
    expect((await server.client.get(`${to}/nested/${id('Firms')}`)).status).toBe(200);
    expect(await send({ Title: 'in-time', Files: early.body }, to)).toMatchObject({ status: 200 });
  });

  test('hold files to the limits of their column, and take none for a column that is not asked for', async () => {
    expect(await upload(base, id('Photo'))).toMatchObject({ status: 400, body: { code: 'FILE_REFUSED' } });
    for (const column of [id('Hidden'), 'cl_nothing']) expect((await upload(base, column)).status).toBe(404);
    expect((await upload(base, id('Title'))).status).toBe(400);
    const png = '\u0089PNG\r\n\u001a\n';
    const pictures = Buffer.from(png + 'x'.repeat(20), 'latin1');
    const two = await Promise.all([0, 1].map(() => uploadBytes(id('Photo'), pictures)));
    expect(await send({ Title: 'two', Photo: two.flat() })).toMatchObject({ status: 400 });
    expect((await upload(base, id('Photo'), 'x'.repeat(3_000_000), 'a.png')).status).toBeGreaterThanOrEqual(
      400,
    );
    const nothing = await server.client.post(`${base}/files/${id('Files')}`, { path: '/etc/passwd' });
    expect(nothing.status).toBeGreaterThanOrEqual(400);
  });
  async function uploadBytes(column: string, content: Uint8Array): Promise<readonly Attached[]> {
    const body = new FormData();
    body.append('file', new Blob([content as BlobPart]), 'a.png');
    const response = await fetch(`${server.url}${base}/files/${column}`, { method: 'POST', body });
    return (await response.json()) as readonly Attached[];
  }

  test('take a row with its files in one body, as the v1 API has it', async () => {
    const body = new FormData();
    body.append('data', JSON.stringify({ Title: 'one-body' }));
    body.append('_Files[0]', new Blob(['first']), 'a.txt');
    body.append('Files', new Blob(['second']), 'b.txt');
    const response = await fetch(`${server.url}${base}/rows`, { method: 'POST', body });
    expect(response.status).toBe(200);
    await response.body?.cancel();
    const [kept] = await row('one-body');
    const files = JSON.parse(String(kept?.Files)) as readonly Attached[];
    expect(files.map(({ title }) => title)).toEqual(['a.txt', 'b.txt']);
    expect(await Promise.all(files.map(({ url }) => contentOf(url)))).toEqual(['first', 'second']);
    const hidden = new FormData();
    hidden.append('data', '{}');
    hidden.append('_Hidden[0]', new Blob(['x']), 'a.txt');
    const refused = await fetch(`${server.url}${base}/rows`, { method: 'POST', body: hidden });
    expect(refused.status).toBe(404);
    await refused.body?.cancel();
  });

  test('let files go whose answer is never sent', async () => {
    const lost = await upload(base, id('Files'));
    await sweepUploads(0.9);
    await sweepUploads(1.1);
    expect(await send({ Title: 'late', Files: lost.body })).toMatchObject({
      status: 400,
      body: { code: 'FILE_NOT_HERE' },
    });
    const [kept] = await row('with-file');
    const [found] = JSON.parse(String(kept?.Files)) as readonly Attached[];
    expect(await contentOf(found?.url ?? '')).toBe('hello');
  });

  test('link the new row to the rows that a stranger chose', async () => {
    const sent = await send({
      Title: 'linked',
      Firms: [{ Id: 1 }, { Id: 3, Title: 'ignored' }],
      Lines: [{ Id: 2 }],
      Buyer: { Id: 2 },
    });
    expect(sent).toMatchObject({ status: 200, body: { Firms: [{ Id: 1 }, { Id: 3 }] } });
    const [found] = await row('linked');
    expect(found).toMatchObject({
      Firms: [{ Title: 'Acme' }, { Title: 'Cord' }],
      Lines: [{ Title: 'cups' }],
      Buyer: { Title: 'Ben' },
    });
  });

  test('never take a row away from the one that it belongs to, and offer none that does', async () => {
    const offered = await server.client.get<{ list: readonly Answer[] }>(`${base}/nested/${id('Lines')}`);
    expect(offered.body.list.map(({ Title }) => Title)).toEqual(['pens', 'hats']);
    expect(await send({ Title: 'thief', Lines: [{ Id: 2 }] })).toMatchObject({
      status: 400,
      body: { code: 'SHARED_VIEW_LINKED_GONE' },
    });
    expect(await row('thief')).toEqual([]);
    expect(await row('linked')).toMatchObject([{ Lines: [{ Title: 'cups' }] }]);
  });

  test('refuse what is no row of the linked table, and add nothing then', async () => {
    for (const values of [
      { Firms: [{ Id: 99 }] },
      { Firms: [{ Id: 1 }, { Id: 99 }] },
      { Firms: [{ Title: 'Acme' }] },
      { Firms: 'Acme' },
      { Firms: [[1]] },
      { Firms: [{ Id: { $gt: 0 } }] },
      { Firms: Array.from({ length: 101 }, (_, at) => ({ Id: at + 1 })) },
      { Buyer: [{ Id: 1 }, { Id: 2 }] },
      { Buyer: { Id: '1) or (1=1' } },
    ])
      expect([values, (await send({ Title: 'odd', ...values })).status]).toEqual([values, 400]);
    expect(await row('odd')).toEqual([]);
  });

  test('search the rows to choose from where the link allows searches', async () => {
    const told = await server.client.get<{ relatedMetas: Record<string, TableEntity> }>(`${base}/meta`);
    const { colOptions } = order.columns?.find(({ title }) => title === 'Firms') ?? {};
    const { fk_related_model_id: firm = '' } = (colOptions ?? {}) as {
      readonly fk_related_model_id?: string;
    };
    const title = told.body.relatedMetas[firm]?.columns?.find((column) => column.title === 'Title')?.id;
    const filter = { fk_column_id: title, comparison_op: 'like', value: 'bo' };
    const words = encodeURIComponent(JSON.stringify([filter]));
    const search = () =>
      server.client.get<{ list: readonly Answer[] }>(`${base}/nested/${id('Firms')}?filterArrJson=${words}`);
    expect((await search()).body.list).toEqual([{ Id: 2, Title: 'Bolt' }]);
    await owner.patch(`${meta}/views/${viewId}/share`, { meta: { allowSearch: false } });
    expect(await search()).toMatchObject({ status: 403 });
    expect(await server.client.get(`${base}/nested/${id('Firms')}?where=(Title,like,b%25)`)).toMatchObject({
      status: 403,
    });
    expect((await server.client.get(`${base}/nested/${id('Firms')}`)).status).toBe(200);
  });

  /** What is kept of the answers to some forms: how many they are, and who sent them. */
  const countedOf = (...forms: readonly string[]) =>
    Promise.all(
      ['tally', 'sender'].map((name) =>
        server.host.container
          .get(MetadataToken)
          .database.read((unit) =>
            unit.all<{ readonly view_id: string }>(
              unit
                .knex(tableNameOf('view-form', name))
                .whereIn('view_id', forms)
                .select('view_id')
                .orderBy('view_id'),
            ),
          ),
      ),
    );

  test('are counted while their form is there, and forgotten with it', async () => {
    const counted = () => countedOf(gone, kept);
    const [gone, goneBase] = await form('Once', ['Hidden']);
    const [kept, keptBase] = await form('Once more', ['Hidden']);
    for (const of of [gone, kept])
      expect(await owner.patch(`${meta}/forms/${of}`, { meta: { oncePerPerson: true } })).toMatchObject({
        status: 200,
      });
    for (const to of [goneBase, keptBase])
      expect(await send({ Title: 'counted' }, to)).toMatchObject({ status: 200 });
    const both = [gone, kept].toSorted().map((of) => ({ view_id: of }));
    expect(await counted()).toEqual([both, both]);
    expect((await owner.patch(`${meta}/views/${kept}`, { title: 'Twice' })).status).toBe(200);
    expect((await owner.delete(`${meta}/views/${gone}`)).status).toBe(200);
    const one = [{ view_id: kept }];
    expect(await askUntil(counted, ([tallies]) => tallies?.length === 1)).toEqual([one, one]);
  });

  test('are counted while their form may come back with its table, and forgotten once nothing brings it back', async () => {
    const { database } = server.host.container.get(MetadataToken);
    const note = (query: (tally: Knex.QueryBuilder) => Knex.QueryBuilder) =>
      database.write((unit) => unit.run(query(unit.knex(tableNameOf('view-form', 'tally')))));
    const sweep = () =>
      server.host.registries
        .get('jobs')
        .get('view-form.sweep-tally')
        ?.run({ signal: new AbortController().signal } as never);
    const poll = await table('Poll', []);
    const made = await owner.post<ViewEntity>(`${meta}/tables/${poll.id}/forms`, { title: 'Poll' });
    const { id: gone } = made.body;
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${gone}/share`, {});
    const [kept, keptBase] = await form('Kept', ['Hidden']);
    for (const of of [gone, kept])
      await owner.patch(`${meta}/forms/${of}`, { meta: { oncePerPerson: true } });
    for (const to of [`/api/v1/db/public/shared-view/${shared.body.uuid}`, keptBase])
      expect(await send({ Title: 'counted' }, to)).toMatchObject({ status: 200 });
    // Of a time when nobody noted which forms there were, one of them dropped since.
    await note((tally) => tally.whereIn('view_id', [gone, kept]).update({ seen_at: null }));
    await note((tally) => tally.insert({ view_id: 'left', answers: 1, seen_at: null }));
    expect((await owner.delete(`${meta}/tables/${poll.id}`)).status).toBe(200);
    await sweep();
    const both = [gone, kept].toSorted().map((of) => ({ view_id: of }));
    expect(await countedOf(gone, kept, 'left')).toEqual([both, both]);

    expect((await owner.delete(`${meta}/projects/${project}/trash/tables/${poll.id}`)).status).toBe(200);
    await note((tally) => tally.whereIn('view_id', [gone, kept]).update({ seen_at: 1 }));
    await sweep();
    expect(await countedOf(gone, kept)).toEqual([[{ view_id: kept }], [{ view_id: kept }]]);
  });
}

describeEachHome('answers of strangers', describeAnswers);
