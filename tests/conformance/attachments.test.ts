import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobDefinition } from '@trellis/sdk/server';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { noisyPicture } from '../../plugins/column-attachment/testing/pictures.ts';
import { describeEachHome } from './each-home.ts';

const day = 24 * 60 * 60 * 1000;
const path = '/api/v1/db/data/noco/Shop/Products';

interface Attached {
  readonly url: string;
  readonly title: string;
}

/** Files from their upload to their end, with metadata and rows in one database. */
function describeFiles(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let projectId: string;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp();
    const { body } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    projectId = body.id;
    await owner.post(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'Products',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Files', uidt: 'Attachment' },
      ],
    });
  });
  afterAll(() => server?.dispose());

  function send(
    name: string,
    to = 'noco/Shop/Products/Files',
    content: string | Uint8Array<ArrayBuffer> = 'hello',
  ): Promise<Response> {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    return fetch(`${server.url}/api/v1/db/storage/upload?path=${encodeURIComponent(to)}`, {
      method: 'POST',
      headers: { 'xc-auth': owner.token ?? '' },
      body: form,
    });
  }

  async function upload(name: string, to?: string): Promise<Attached> {
    const response = await send(name, to);
    const [file] = (await response.json()) as readonly Attached[];
    if (file === undefined) throw new Error(`The upload was answered with ${response.status}.`);
    return file;
  }

  /** Runs a job of the plugin as if it were so many days later. */
  async function sweep(id: string, days: number): Promise<void> {
    const job: JobDefinition | undefined = server.host.registries.get('jobs').get(`column-attachment.${id}`);
    const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
    await job?.run({
      signal: new AbortController().signal,
      logger,
      now: Date.now() + days * day,
    } as never);
  }

  const isThere = async ({ url }: Attached) => (await fetch(server.url + url)).status === 200;
  const create = async (files: readonly Attached[]) =>
    (await owner.post<{ Id: number }>(path, { Files: files })).body.Id;

  test('an upload that came into no row is gone after a day, and one that did stays', async () => {
    const [lost, kept] = [await upload('lost.txt'), await upload('kept.txt', 'anywhere')];
    await create([kept]);
    await sweep('sweep-uploads', 0.9);
    expect(await isThere(lost)).toBe(true);
    await sweep('sweep-uploads', 1.1);
    expect([await isThere(lost), await isThere(kept)]).toEqual([false, true]);
    const refused = await owner.post(path, { Files: [lost] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'FILE_NOT_HERE' } });
  });

  test('an upload that a cell holds by a change of its column stays', async () => {
    const { body: table } = await owner.post<{ columns: readonly { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      {
        title: 'Notes',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Text', uidt: 'LongText' },
        ],
      },
    );
    const file = await upload('note.txt');
    await owner.post('/api/v1/db/data/noco/Shop/Notes', { Text: JSON.stringify([file]) });
    const column = table.columns.find(({ title }) => title === 'Text')?.id ?? '';
    const changed = await owner.patch(`/api/v1/db/meta/columns/${column}`, {
      title: 'Text',
      uidt: 'Attachment',
    });
    expect(changed.status).toBe(200);
    await sweep('sweep-uploads', 1.1);
    expect(await isThere(file)).toBe(true);
  });

  test('files that a column names before it becomes one of files are checked and known by their true sizes', async () => {
    const { body: table } = await owner.post<{ columns: readonly { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      {
        title: 'Letters',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Text', uidt: 'LongText' },
        ],
      },
    );
    const letters = '/api/v1/db/data/noco/Shop/Letters';
    // An upload that names no project belongs to nobody but its sender yet.
    const [false_, free] = [await upload('true.txt'), await upload('free.txt', 'anywhere')];
    const gone = { url: `/download/${'x'.repeat(22)}.txt`, title: 'gone.txt', size: 7 };
    const link = { url: 'https://example.com/a.png', title: 'a.png' };
    const cells = [
      [{ ...false_, size: 1, mimetype: 'image/png' }, gone],
      [free, { ...link, size: 3 }],
    ];
    for (const cell of cells) await owner.post(letters, { Text: JSON.stringify(cell) });
    const column = `/api/v1/db/meta/columns/${table.columns.find(({ title }) => title === 'Text')?.id ?? ''}`;
    const patch = { title: 'Text', uidt: 'Attachment' };
    expect((await owner.post(`${column}/trial`, patch)).body).toMatchObject({ values: 2, lost: 1 });
    expect(await owner.patch(column, patch)).toMatchObject({
      status: 409,
      body: { code: 'RETYPE_LOSES_VALUES' },
    });
    const agreed = await owner.patch(column, { ...patch, meta: { acceptLoss: true } });
    expect(agreed.status).toBe(200);
    const { body } = await owner.get<{ list: readonly { Text: string }[] }>(`${letters}?sort=Id`);
    expect(body.list.map(({ Text }) => JSON.parse(Text) as unknown)).toEqual([[false_], [free, link]]);
    await sweep('sweep-uploads', 1.1);
    expect([await isThere(false_), await isThere(free)]).toEqual([true, true]);
  });

  test('a file goes when nothing can bring back the row that held it, and not before', async () => {
    const [held, deleted, restored] = [await upload('a.txt'), await upload('b.txt'), await upload('c.txt')];
    await create([held]);
    const row = await create([deleted, held]);
    await owner.delete(`${path}/${row}`);
    const other = await create([restored]);
    const { headers } = await owner.delete(`${path}/${other}`);
    await sweep('sweep', 1);
    await sweep('sweep', 80);
    const undo = `/api/v1/db/data/operations/Shop/${headers.get('x-trellis-operation')}/undo`;
    expect((await owner.post(undo)).status).toBe(200);
    await sweep('sweep', 85);
    expect([await isThere(held), await isThere(deleted), await isThere(restored)]).toEqual([
      true,
      true,
      true,
    ]);
    await sweep('sweep', 93);
    expect([await isThere(held), await isThere(deleted), await isThere(restored)]).toEqual([
      true,
      false,
      true,
    ]);
    const left = await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toHaveLength(6);
  });

  test('a file that a cell holds stays there when nobody knows it any more, and no other cell takes it', async () => {
    const [lost, added] = [await upload('lost.txt'), await upload('added.txt')];
    const row = await create([lost]);
    const { database } = server.host.container.get(MetadataToken);
    const id = /([\w-]{22})\.txt$/.exec(lost.url)?.[1];
    await database.write((unit) =>
      unit.run(database.builder('p_column_attachment_file').where({ id }).delete()),
    );
    const renamed = { ...lost, title: 'Renamed.txt' };
    const { status, body } = await owner.patch<{ Files: string }>(`${path}/${row}`, {
      Files: [renamed, added],
    });
    expect([status, JSON.parse(body.Files)]).toEqual([200, [renamed, added]]);
    expect((await owner.post(path, { Files: [lost] })).body).toMatchObject({ code: 'FILE_NOT_HERE' });
  });

  test('a file stays for as long as an undo reaches, whatever the setting says', async () => {
    await server.host.plugins.saveSettings('column-attachment', { maximumMegabytes: 50, keepDays: 30 });
    const file = await upload('undone.txt');
    const { headers } = await owner.delete(`${path}/${await create([file])}`);
    await sweep('sweep', 1);
    await sweep('sweep', 60);
    expect(await isThere(file)).toBe(true);
    const undo = `/api/v1/db/data/operations/Shop/${headers.get('x-trellis-operation')}/undo`;
    expect((await owner.post(undo)).status).toBe(200);
    await sweep('sweep', 93);
    expect(await isThere(file)).toBe(true);
  });

  test('files that several people add to one cell at the same moment are all there, and only the removed one is gone', async () => {
    const first = await upload('first.txt');
    const row = await create([first]);
    const files = await Promise.all(Array.from({ length: 8 }, (_, at) => upload(`${at}.txt`)));
    const cells = '/api/v1/db/storage/cells/noco/Shop/Products';
    const cell = `${cells}/${row}/Files`;
    const answers = await Promise.all([
      ...files.map((file) => owner.patch(cell, { add: [file] })),
      owner.patch(cell, { remove: [first.url] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await owner.get<{ Files: string }>(`${path}/${row}`);
    const held = JSON.parse(body.Files) as readonly Attached[];
    expect(held.map(({ title }) => title).toSorted()).toEqual(files.map(({ title }) => title).toSorted());
    expect((await owner.patch(cell, { add: [{ ...files[0], title: 'new.txt' }] })).body).toMatchObject({
      Files: expect.stringContaining('new.txt'),
    });
    const elsewhere = [`${cells}/${row}/Id`, `${cells}/0/Files`];
    const refused = await Promise.all(elsewhere.map((one) => owner.patch(one, { add: [first] })));
    expect(refused.map(({ body }) => (body as { code?: string }).code)).toEqual([
      'CELL_MISSING',
      'CELL_MISSING',
    ]);
  });

  test('an upload counts as waiting until it is in a row, whatever writes of it were refused', async () => {
    const large = await upload('large.txt');
    const { database } = server.host.container.get(MetadataToken);
    const id = /([\w-]{22})\.txt$/.exec(large.url)?.[1];
    await database.write((unit) =>
      unit.run(database.builder('p_column_attachment_file').where({ id }).update({ bytes: 2_100_000_000 })),
    );
    expect((await owner.patch(`${path}/999999`, { Files: [large] })).status).toBe(404);
    expect((await send('another.txt')).status).toBe(429);
    await create([large]);
    // The note of it follows the answer.
    let status = 0;
    while (status !== 200) status = (await send('another.txt')).status;
  });

  test('the small pictures of a file go with it', async () => {
    const sent = await send('sea.png', undefined, Uint8Array.from(noisyPicture(300, 200)));
    const [picture] = (await sent.json()) as readonly Attached[];
    if (picture === undefined) throw new Error('Nothing was kept');
    const row = await create([picture]);
    expect((await fetch(`${server.url}${picture.url}?preview=cover`)).status).toBe(200);
    const { database } = server.host.container.get(MetadataToken);
    const bytesOf = async () => {
      const rows = await database.read((unit) =>
        unit.all<{ readonly ref: string }>(database.builder('p_column_attachment_preview').select('ref')),
      );
      return rows.map(({ ref }) => join(server.dataDir, 'files', ref.replace('local:', '')));
    };
    const made = await bytesOf();
    expect(made).toHaveLength(2);
    for (const file of made) expect((await stat(file)).size).toBeGreaterThan(0);
    await owner.delete(`${path}/${row}`);
    await sweep('sweep', 1);
    expect(await bytesOf()).toEqual(made);
    await sweep('sweep', 193);
    expect(await bytesOf()).toEqual([]);
    for (const file of made) await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('the files of a project that is deleted for good are gone at once', async () => {
    const { body: other } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Gone' });
    const file = await upload('gone.txt', 'noco/Gone');
    await owner.delete(`/api/v1/db/meta/projects/${other.id}`);
    expect(await isThere(file)).toBe(true);
    await owner.delete(`/api/v1/db/meta/deleted-projects/${other.id}`);
    expect(await isThere(file)).toBe(false);
  });

  test('the files of a project that is gone go too', async () => {
    const file = await upload('d.txt');
    await create([file]);
    const { body } = await owner.get<{ list: readonly { id: string }[] }>('/api/v1/db/meta/projects');
    await owner.delete(`/api/v1/db/meta/projects/${body.list[0]?.id}`);
    await sweep('sweep', 100);
    expect(await isThere(file)).toBe(true);
    await sweep('sweep', 192);
    expect(await isThere(file)).toBe(false);
  });
}

describeEachHome('files', describeFiles);
