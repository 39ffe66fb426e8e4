import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

const refused = (status: number, msg: string) => ({ response: { status, data: { msg } } });

describeClient('shared views', ({ guest, withCities }) => {
  test('opens a view to whoever has its link, with a password, until it is closed', async () => {
    const { api, table } = await withCities();
    const [view] = (await api.dbView.list(table.id ?? '')).list as unknown as readonly {
      readonly id: string;
    }[];
    const id = view?.id ?? '';
    const shared = (await api.dbViewShare.create(id)) as unknown as { readonly uuid: string };
    expect(await api.dbViewShare.create(id)).toMatchObject({ uuid: shared.uuid });
    expect(await api.dbViewShare.list(table.id ?? '')).toMatchObject([{ id, uuid: shared.uuid }]);
    const { public: open, instance } = guest();
    expect(await open.sharedViewMetaGet(shared.uuid)).toMatchObject({ id, model: { title: 'City' } });
    const { data } = (await open.dataList(shared.uuid, {} as never)) as unknown as {
      readonly data: Parameters<typeof names>[0];
    };
    expect(names(data)).toEqual(['Oslo', 'Bern', 'Lima']);
    await api.dbViewShare.update(id, { password: 'secret' } as never);
    const wrong = refused(403, 'INVALID_SHARED_VIEW_PASSWORD');
    await expect(open.dataList(shared.uuid, {} as never)).rejects.toMatchObject(wrong);
    instance.defaults.headers.common['xc-password'] = 'secret';
    expect(await open.sharedViewMetaGet(shared.uuid)).toMatchObject({ id, password: null });
    await api.dbViewShare.delete(id);
    await expect(open.sharedViewMetaGet(shared.uuid)).rejects.toMatchObject(refused(404, 'Not found'));
  });
});
