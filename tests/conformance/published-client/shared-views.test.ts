import { expect, test } from '@jest/globals';
import { asSent, describeClient, names } from './ground.ts';

const refused = (status: number, msg: string) => ({ response: { status, data: { msg } } });

describeClient('shared views', ({ guest, withCities }) => {
  test('opens a view to whoever has its link, with a password, until it is closed', async () => {
    const { api, projectId, table, view: title } = await withCities();
    const [view] = (await api.dbView.list(table.id ?? '')).list as unknown as readonly {
      readonly id: string;
    }[];
    const id = view?.id ?? '';
    const shared = (await api.dbViewShare.create(id)) as unknown as { readonly uuid: string };
    expect(await api.dbViewShare.create(id)).toMatchObject({ uuid: shared.uuid });
    expect(await api.dbViewShare.list(table.id ?? '')).toMatchObject([{ id, uuid: shared.uuid }]);
    const visitor = guest();
    expect(await visitor.public.sharedViewMetaGet(shared.uuid)).toMatchObject({
      id,
      model: { title: 'City' },
    });
    const { data } = (await visitor.public.dataList(shared.uuid, {} as never)) as unknown as {
      readonly data: Parameters<typeof names>[0];
    };
    expect(names(data)).toEqual(['Oslo', 'Bern', 'Lima']);
    await api.dbViewShare.update(id, { password: 'secret' } as never);
    const wrong = refused(403, 'INVALID_SHARED_VIEW_PASSWORD');
    await expect(visitor.public.dataList(shared.uuid, {} as never)).rejects.toMatchObject(wrong);
    visitor.instance.defaults.headers.common['xc-password'] = 'secret';
    expect(await visitor.public.sharedViewMetaGet(shared.uuid)).toMatchObject({ id, password: null });
    await api.dbViewShare.delete(id);
    await expect(visitor.public.sharedViewMetaGet(shared.uuid)).rejects.toMatchObject(
      refused(404, 'Not found'),
    );
    const audit = await api.project.auditList(projectId, { op_type: 'VIEW' } as never);
    const toldOf = { user: 'ann@example.com', op_sub_type: 'SHARE', fk_model_id: table.id };
    expect(audit).toMatchObject({
      list: [
        { ...toldOf, description: `The link of the view ${title} was closed` },
        { ...toldOf, description: `The link of the view ${title} was changed` },
        { ...toldOf, description: `The view ${title} was shared by a link` },
      ],
    });
  });

  test('answers rows, links and files of a shared view, and takes what a shared form is sent', async () => {
    const { api, projectId, table } = await withCities();
    const country = await api.dbTable.create(projectId, {
      table_name: 'country',
      title: 'Country',
      columns: [
        { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
        { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
      ],
    } as never);
    const made = (await api.dbTableColumn.create(country.id ?? '', {
      uidt: 'LinkToAnotherRecord',
      title: 'Cities',
      parentId: country.id,
      childId: table.id,
      type: 'hm',
    } as never)) as unknown as { columns: readonly { id: string; title: string }[] };
    const cities = made.columns.find(({ title }) => title === 'Cities')?.id ?? '';

    const form = (await api.dbView.formCreate(country.id ?? '', { title: 'Ask' } as never)) as {
      id?: string;
    };
    // A link is asked for where somebody put it into the form.
    await api.dbViewColumn.create(form.id ?? '', { fk_column_id: cities, show: true } as never);
    const asked = (await api.dbViewShare.create(form.id ?? '')) as unknown as { uuid: string };
    const visitor = guest();
    const offered = (await visitor.public.dataRelationList(asked.uuid, cities, {} as never)) as unknown as {
      list: readonly object[];
    };
    expect(offered.list).toHaveLength(3);
    const sent = new FormData();
    sent.append('data', JSON.stringify({ Name: 'Norway', Cities: [{ Id: 1 }] }));
    await visitor.public.dataCreate(asked.uuid, ...(await asSent(sent)));
    expect(names(await api.dbTableRow.list('noco', 'Atlas', 'Country'))).toEqual(['Norway']);

    const views = (await api.dbView.list(country.id ?? '')).list as { id?: string; type?: number }[];
    const grid = views.find(({ type }) => type === 3)?.id ?? '';
    const shared = (await api.dbViewShare.create(grid)) as unknown as { uuid: string };
    const linked = await visitor.public.dataNestedList(shared.uuid, '1', 'hm' as never, cities, {} as never);
    expect(names(linked as never)).toEqual(['Oslo']);
    const csv = (await visitor.public.csvExport(shared.uuid, 'csv' as never)) as unknown as { data: string };
    expect(csv.data).toMatch(/Norway,Oslo/);
  });
});
