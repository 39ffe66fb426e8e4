import { expect, test } from '@jest/globals';
import { describeClient, names } from './ground.ts';

interface Identified {
  readonly id?: string;
}

describeClient('views', ({ withCities }) => {
  test('makes views with sorts, filters and hidden columns, and lists rows through them', async () => {
    const { api, table } = await withCities();
    const view = await api.dbView.gridCreate(table.id ?? '', { title: 'Big' } as never);
    const id = view.id ?? '';
    const people = table.columns?.find((column) => column.title === 'People')?.id;
    await api.dbTableSort.create(id, { fk_column_id: people, direction: 'desc' } as never);
    await api.dbTableFilter.create(id, {
      fk_column_id: people,
      comparison_op: 'gt',
      value: '200000',
      logical_op: 'and',
    } as never);
    expect(await api.dbTableSort.list(id)).toMatchObject({ sorts: { list: [{ fk_column_id: people }] } });
    expect(await api.dbTableFilter.read(id)).toMatchObject([{ fk_column_id: people, comparison_op: 'gt' }]);
    expect(names(await api.dbViewRow.list('noco', 'Atlas', 'City', 'Big'))).toEqual(['Lima', 'Oslo']);
    const columns = (await api.dbViewColumn.list(id)) as { id: string; fk_column_id: string }[];
    const hidden = columns.find((column) => column.fk_column_id === people);
    await api.dbViewColumn.update(id, hidden?.id ?? '', { show: false });
    await api.dbView.update(id, { title: 'Large' } as never);
    const rows = (await api.dbViewRow.list('noco', 'Atlas', 'City', 'Large')).list as object[];
    expect(rows.map((row) => 'People' in row)).toEqual([false, false]);
    const csv = (await api.dbViewRow.export('noco', 'Atlas', 'City', 'Large', 'csv' as never)) as {
      readonly data: string;
    };
    expect(csv.data.trim().split(/\r?\n/)).toEqual(['Name', 'Lima', 'Oslo']);
    await api.dbView.delete(id);
    expect((await api.dbView.list(table.id ?? '')).list).toHaveLength(1);
  });

  test('makes galleries with a cover and few fields, reads and changes them, and copies them', async () => {
    const { api, table } = await withCities();
    const tableId = table.id ?? '';
    await api.dbTableColumn.create(tableId, { title: 'Pictures', uidt: 'Attachment' } as never);
    for (const title of ['A', 'B'])
      await api.dbTableColumn.create(tableId, { title, uidt: 'Number' } as never);
    const columns = (
      (await api.dbTable.read(tableId)) as unknown as { columns: { id: string; title: string }[] }
    ).columns;
    const idOf = (title: string) => columns.find((of) => of.title === title)?.id ?? '';
    const view = (await api.dbView.galleryCreate(tableId, { title: 'Cards' } as never)) as Identified;
    expect(view).toMatchObject({ title: 'Cards', type: 2, view_type: 'gallery' });
    const id = view.id ?? '';
    const shown = async (of: string) =>
      ((await api.dbViewColumn.list(of)) as { fk_column_id: string; show: boolean }[])
        .filter(({ show }) => show)
        .map(({ fk_column_id: shownId }) => columns.find((column) => column.id === shownId)?.title);
    expect(await shown(id)).toEqual(['Name', 'People', 'Pictures', 'A']);
    expect(await api.dbView.galleryRead(id)).toMatchObject({
      fk_view_id: id,
      fk_cover_image_col_id: idOf('Pictures'),
    });
    expect(await api.dbView.galleryUpdate(id, { fk_cover_image_col_id: '' } as never)).toBe(1);
    expect(await api.dbView.galleryRead(id)).toMatchObject({ fk_cover_image_col_id: null });
    await expect(
      api.dbView.galleryUpdate(id, { fk_cover_image_col_id: 'cl_other' } as never),
    ).rejects.toMatchObject({
      response: { status: 400, data: { msg: 'The table of this gallery has no such column for its cover.' } },
    });
    const columnsOfView = (await api.dbViewColumn.list(id)) as { id: string; fk_column_id: string }[];
    const people = columnsOfView.find((of) => of.fk_column_id === idOf('People'));
    await api.dbViewColumn.update(id, people?.id ?? '', { show: false });
    const copy = (await api.dbView.galleryCreate(tableId, {
      title: 'Copy',
      copy_from_id: id,
    } as never)) as Identified;
    expect(await shown(copy.id ?? '')).toEqual(['Name', 'Pictures', 'A']);
    expect(await api.dbView.galleryRead(copy.id ?? '')).toMatchObject({ fk_cover_image_col_id: null });
    const grid = ((await api.dbView.list(tableId)).list as Identified[])[0]?.id ?? '';
    await expect(api.dbView.galleryRead(grid)).rejects.toMatchObject({ response: { status: 404 } });
    await expect(api.dbView.galleryRead('vw_other')).rejects.toMatchObject({ response: { status: 403 } });
  });

  test('makes kanbans of columns with choices alone, keeps their stacks, and the column that they are stacked by', async () => {
    const { api, table } = await withCities();
    const tableId = table.id ?? '';
    const call = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) =>
      (await api.instance.request<T, { readonly data: T }>({ method, url: `/api/v1/db/${path}`, data })).data;
    const refused = (status: number, msg: string) => ({ response: { status, data: { msg } } });
    await expect(call('POST', `meta/tables/${tableId}/kanbans`, { title: 'Board' })).rejects.toMatchObject(
      refused(400, 'A kanban view needs a column of single select or of collaborators.'),
    );
    const made = (await api.dbTableColumn.create(tableId, {
      title: 'State',
      uidt: 'SingleSelect',
      colOptions: { options: [{ title: 'Open' }, { title: 'Done' }] },
    } as never)) as unknown as {
      columns: { id: string; title: string; meta: { options: { id: string }[] } }[];
    };
    const state = made.columns.find(({ title }) => title === 'State');
    const stateId = state?.id ?? '';
    const [open, done] = state?.meta.options ?? [];
    const people = made.columns.find(({ title }) => title === 'People');
    await expect(
      call('POST', `meta/tables/${tableId}/kanbans`, { title: 'Board', fk_grp_col_id: people?.id }),
    ).rejects.toMatchObject(
      refused(400, 'A kanban view is stacked by single selects or collaborators only.'),
    );
    const { id } = await call<{ id: string }>('POST', `meta/tables/${tableId}/kanbans`, { title: 'Board' });
    type Kanban = { readonly fk_grp_col_id: string; readonly meta: string };
    const read = async (of: string) => {
      const kanban = await call<Kanban>('GET', `meta/kanbans/${of}`);
      return {
        by: kanban.fk_grp_col_id,
        stacks: (JSON.parse(kanban.meta) as Record<string, object[]>)[stateId],
      };
    };
    expect(await read(id)).toMatchObject({
      by: stateId,
      stacks: [
        { id: 'uncategorized', title: null, order: 0, collapsed: false },
        { id: open?.id, title: 'Open', order: 1, collapsed: false },
        { id: done?.id, title: 'Done', order: 2 },
      ],
    });
    const stacks = [
      { id: done?.id, order: 1, collapsed: true },
      { id: 'uncategorized', order: 2 },
    ];
    expect(await call('PATCH', `meta/kanbans/${id}`, { meta: JSON.stringify({ [stateId]: stacks }) })).toBe(
      1,
    );
    const arranged = [{ title: 'Done', collapsed: true }, { id: 'uncategorized' }, { title: 'Open' }];
    expect(await read(id)).toMatchObject({ stacks: arranged });
    const copy = await call<{ id: string }>('POST', `meta/tables/${tableId}/kanbans`, {
      title: 'Copy',
      copy_from_id: id,
    });
    expect(await read(copy.id)).toMatchObject({ by: stateId, stacks: arranged });
    await expect(api.dbTableColumn.delete(stateId)).rejects.toMatchObject(
      refused(400, "The column 'State' is being used in Kanban View. Please delete Kanban View first."),
    );
    for (const view of [id, copy.id]) await api.dbView.delete(view);
    await api.dbTableColumn.delete(stateId);
  });

  test('lists the first rows of each choice', async () => {
    const { api, table } = await withCities();
    await api.dbTableColumn.create(table.id ?? '', {
      title: 'State',
      uidt: 'SingleSelect',
      colOptions: { options: [{ title: 'Open' }, { title: 'Done' }] },
    } as never);
    for (const row of ['1', '3'])
      await api.dbTableRow.update('noco', 'Atlas', 'City', row, { State: 'Done' });
    const { data } = await api.instance.get<
      { key: string; value: { list: { Name: string }[]; pageInfo: object } }[]
    >('/api/v1/db/data/noco/Atlas/City/group/State?limit=1');
    expect(
      data.map(({ key, value }) => [key, value.list.map(({ Name }) => Name), value.pageInfo]),
    ).toMatchObject([
      ['Open', [], { totalRows: 0 }],
      ['Done', ['Oslo'], { totalRows: 2, isLastPage: false }],
      [null, ['Bern'], { totalRows: 1, isLastPage: true }],
    ]);
  });

  test('lists and sets the roles for which views are listed', async () => {
    const { api, projectId, view } = await withCities();
    const listed = async () =>
      (await api.project.modelVisibilityList(projectId, {})) as unknown as {
        readonly id: string;
        readonly disabled: Readonly<Record<string, boolean>>;
      }[];
    const [rule] = await listed();
    expect(rule).toMatchObject({ _ptn: 'City', _tn: view, ptype: 'table', disabled: { viewer: false } });
    const changed = [{ ...rule, disabled: { ...rule?.disabled, viewer: true } }];
    expect(await api.project.modelVisibilitySet(projectId, changed as never)).toEqual({ msg: 'success' });
    expect(await listed()).toMatchObject([{ disabled: { viewer: true, editor: false, owner: false } }]);
  });

  test('makes forms, reads and changes them and their columns, and copies them', async () => {
    const { api, table } = await withCities();
    const tableId = table.id ?? '';
    const view = (await api.dbView.formCreate(tableId, { title: 'Ask' } as never)) as Identified;
    expect(view).toMatchObject({ title: 'Ask', type: 1, view_type: 'form' });
    const id = view.id ?? '';
    interface Form {
      readonly heading: string;
      readonly columns: readonly { readonly id: string; readonly fk_column_id: string }[];
    }
    const read = async (of: string) => (await api.dbView.formRead(of)) as unknown as Form;
    const form = await read(id);
    expect(form).toMatchObject({ fk_view_id: id, heading: 'Ask', email: '{}', submit_another_form: false });
    const people = table.columns?.find((column) => column.title === 'People')?.id;
    const column = form.columns.find(({ fk_column_id: of }) => of === people)?.id ?? '';
    const changed = { heading: 'Cities', success_msg: 'Thanks', submit_another_form: true };
    expect(await api.dbView.formUpdate(id, changed as never)).toBe(1);
    const field = { label: 'How many', help: 'About', required: true };
    await api.dbView.formColumnUpdate(column, field as never);
    const copy = (await api.dbView.formCreate(tableId, {
      title: 'Copy',
      copy_from_id: id,
    } as never)) as Identified;
    for (const of of [id, copy.id ?? '']) {
      const found = await read(of);
      expect(found).toMatchObject(changed);
      expect(found.columns.find(({ fk_column_id: columnId }) => columnId === people)).toMatchObject(field);
    }
  });
});
