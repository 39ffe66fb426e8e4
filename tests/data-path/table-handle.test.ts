import { expect, test } from '@jest/globals';
import type { AccessScope, TableHandle } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('a handle of a table', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Music');
    const columns = [
      { title: 'Id', type: 'ID' },
      { title: 'Name', type: 'SingleLineText' },
    ];
    const songs = await path.schema.createTable(scope, { title: 'Songs', columns });
    const albums = await path.schema.createTable(scope, { title: 'Albums', columns });
    const refusal = async (of: AccessScope, table: string, view?: string) => {
      const opening = (async () => path.handleOf(of, table, view))();
      return opening.then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    return { ...path, scope, columns, songs, albums, refusal };
  }

  test('is made by ids and by titles, and is at hand without a promise once the schema is in memory', async () => {
    const { handleOf, scope, songs, dispose } = await start();
    const view = songs.defaultView;
    const byTitle = await handleOf(scope, 'Songs', view?.title);
    const byId = handleOf(scope, songs.id, view?.id);
    expect(byId).not.toBeInstanceOf(Promise);
    expect(await byId).toEqual(byTitle);
    expect(byTitle.table.id).toBe(songs.id);
    expect(byTitle.view?.id).toBe(view?.id);
    expect((await handleOf(scope, songs.id)).view).toBeUndefined();
    await dispose();
  });

  test('is not made for a table or a view that is not there, nor for a view of another table', async () => {
    const { scope, songs, albums, refusal, dispose } = await start();
    const missing = { status: 404, code: 'VIEW_NOT_FOUND' };
    expect(await refusal(scope, 'Films')).toMatchObject({ status: 404, code: 'TABLE_NOT_FOUND' });
    expect(await refusal(scope, songs.id, 'vw_01234567890123')).toMatchObject(missing);
    expect(await refusal(scope, songs.id, '')).toMatchObject(missing);
    expect(await refusal(scope, songs.id, albums.defaultView?.id)).toMatchObject(missing);
    await dispose();
  });

  test("is not made for somebody else's personal view, by its id or its title", async () => {
    const { access, views, handleOf, songs, refusal, dispose } = await start();
    const { projectId } = songs;
    const scopeOf = async (id: string) => {
      await access.grant(projectId, id, 'creator');
      return access.scopeFor(
        { kind: 'user', id, email: `${id}@x.co`, accountRoles: ['user'] },
        projectId,
        'r',
      );
    };
    const [owner, other] = [await scopeOf('us_owner'), await scopeOf('us_other')];
    const view = await views.create(owner, songs.id, { title: 'Mine', type: 'grid' });
    await views.update(owner, view.id, { lockType: 'personal' });
    expect((await handleOf(owner, songs.id, view.id)).view?.title).toBe('Mine');
    expect(await refusal(other, songs.id, view.id)).toMatchObject({ code: 'VIEW_NOT_FOUND' });
    expect(await refusal(other, songs.id, 'Mine')).toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await dispose();
  });

  test('is not made by copying another one, and leaves its view only for who may read without it', async () => {
    const { access, rowStore, handleOf, scope, songs, dispose } = await start();
    const view = songs.defaultView?.id ?? '';
    await rowStore.create(await handleOf(scope, songs.id), { Name: 'Blue' });
    const visitor = access.narrow(scope, { views: new Set([view]) });
    const shared = await handleOf(visitor, songs.id, view);
    expect(await rowStore.count(shared, {})).toBe(1);
    expect(() => shared.whole()).toThrow(expect.objectContaining({ status: 404, code: 'TABLE_NOT_FOUND' }));
    const whole = await handleOf(scope, songs.id);
    const copies = [
      Object.assign({}, shared, { view: undefined }),
      Object.assign({}, whole, { scope: visitor }),
    ] as unknown as readonly TableHandle[];
    for (const copy of copies) {
      await expect(rowStore.count(copy, {})).rejects.toThrow('SchemaStore.open');
      await expect(rowStore.findOne(copy, {})).rejects.toThrow('SchemaStore.open');
      await expect(rowStore.history(copy, '1', { limit: 1 })).rejects.toThrow('SchemaStore.open');
      await expect(rowStore.create(copy, { Name: 'Red' })).rejects.toThrow('SchemaStore.open');
    }
    const seen = await handleOf(scope, songs.id, view);
    expect(seen.whole().view).toBeUndefined();
    expect(await rowStore.count(seen.whole(), {})).toBe(1);
    await dispose();
  });

  test('from before a change of the schema writes by the schema as it is', async () => {
    const { rowStore, schema, handleOf, scope, songs, dispose } = await start();
    const handle = await handleOf(scope, songs.id);
    await schema.createColumn(scope, songs.id, { title: 'Key', type: 'SingleLineText' });
    const { result } = await rowStore.create(handle, { Name: 'Blue', Key: 'Eb' });
    expect(result).toMatchObject({ Name: 'Blue', Key: 'Eb' });
    await dispose();
  });
});
