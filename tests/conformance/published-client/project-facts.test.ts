import { expect, test } from '@jest/globals';
import { asSent, describeClient } from './ground.ts';

describeClient('what a project is and holds', ({ withCities }) => {
  test('tells of the server and the cost, puts tables in order, and compares them with the database', async () => {
    const { api, projectId, table } = await withCities();
    expect(await api.project.metaGet(projectId, {}, {})).toMatchObject({
      Node: expect.stringMatching(/^v\d+/),
      Docker: expect.any(Boolean),
      Database: expect.stringMatching(/^(sqlite3|pg|mysql2)$/),
      ProjectOnRootDB: true,
      RootDB: expect.stringMatching(/^(sqlite3|pg|mysql2)$/),
    });
    expect(await api.project.cost(projectId)).toEqual({ cost: 0 });
    const town = await api.dbTable.create(projectId, {
      table_name: 'town',
      title: 'Town',
      columns: [{ column_name: 'id', title: 'Id', uidt: 'ID' }],
    } as never);
    await api.dbTable.reorder(table.id ?? '', { order: Number(town.order ?? 2) + 1 } as never);
    const listed = (await api.dbTable.list(projectId, {})).list as readonly { title: string }[];
    expect(listed.map(({ title }) => title)).toEqual(['Town', 'City']);
    expect(await api.project.metaDiffSync(projectId)).toEqual({ msg: 'success' });
    const compared = (await api.project.metaDiffGet(projectId)) as unknown as readonly {
      readonly detectedChanges: readonly object[];
    }[];
    expect(compared.flatMap(({ detectedChanges }) => detectedChanges)).toEqual([]);
  });

  test('keeps files, refuses those of its own network, and tries a connection', async () => {
    const { api } = await withCities();
    const form = new FormData();
    form.append('file', new Blob(['Bern'], { type: 'text/plain' }), 'note.txt');
    const path = 'noco/Atlas/City/Files';
    const kept: unknown = await api.storage.upload({ path }, ...(await asSent(form)));
    expect(kept).toMatchObject([{ title: 'note.txt', mimetype: 'text/plain', size: 4 }]);
    const elsewhere = [
      { url: 'http://127.0.0.1:9/x.txt', fileName: 'x.txt', mimetype: 'text/plain', size: '1' },
    ];
    await expect(api.storage.uploadByUrl({ path }, elsewhere as never)).rejects.toMatchObject({
      response: { status: 400 },
    });
    const connection = { host: '127.0.0.1', port: 9, user: 'nobody', password: 'x', database: 'nothing' };
    expect(await api.utils.testConnection({ client: 'pg', connection } as never)).toMatchObject({ code: -1 });
  });
});
