import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('audits', ({ guest, withCities }) => {
  test('lists what was done in a project, the newest first, a page at a time', async () => {
    const { api, projectId, table } = await withCities();
    await api.dbTableRow.update('noco', 'Atlas', 'City', '1', { Name: 'Kristiania' });
    const newest = await api.project.auditList(projectId, { limit: '1' } as never);
    expect(newest).toMatchObject({
      list: [
        {
          id: expect.stringMatching(/^adt_/),
          user: 'ann@example.com',
          project_id: projectId,
          fk_model_id: table.id,
          row_id: '1',
          op_type: 'DATA',
          op_sub_type: 'UPDATE',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ],
      pageInfo: { page: 1, pageSize: 1, isFirstPage: true, isLastPage: false },
    });
    const rest = await api.project.auditList(projectId, { offset: '1' } as never);
    const kinds = (rest as { list: { op_type: string; op_sub_type: string }[] }).list.map(
      (line) => `${line.op_type} ${line.op_sub_type}`,
    );
    expect(kinds.slice(0, 3)).toEqual(['DATA INSERT', 'DATA INSERT', 'DATA INSERT']);
    expect(kinds).toContain('TABLE CREATED');
  });

  test('says what was done in English, and for pages of other languages with the names apart', async () => {
    const { api, projectId, table } = await withCities();
    await api.dbTable.update(table.id ?? '', { title: 'A {{title}}', project_id: projectId } as never);
    await api.auth.projectUserAdd(projectId, { email: 'bob@example.com', roles: 'editor' } as never);
    const { list } = (await api.project.auditList(projectId, { limit: '2' } as never)) as unknown as {
      readonly list: readonly object[];
    };
    expect(list).toMatchObject([
      {
        op_sub_type: 'INVITE',
        description: 'bob@example.com was invited as editor',
        said: {
          text: '{{person}} was invited as {{role}}',
          values: { person: 'bob@example.com', role: 'editor' },
        },
        details: '<span>Role</span>: <mark>editor</mark>',
      },
      {
        op_sub_type: 'RENAMED',
        description: 'Table City was renamed to A {{title}}',
        said: {
          text: 'Table {{title}} was renamed to {{name}}',
          values: { title: 'City', name: 'A {{title}}' },
        },
      },
    ]);
  });

  test('says of rows, tables, columns, views and people what was changed from what to what, as HTML that nobody writes', async () => {
    const { api, projectId, table, view } = await withCities();
    const detailsOf = async (index = 0) => {
      const page = (await api.project.auditList(projectId, { limit: '2' } as never)) as unknown as {
        readonly list: readonly { readonly details: string | null }[];
      };
      return page.list[index]?.details;
    };
    await api.dbTableRow.update('noco', 'Atlas', 'City', '1', { Name: '<b>"Kristiania" & co</b>' });
    expect(await detailsOf()).toBe(
      '<span>Name</span>: <del>Oslo</del> <mark>&lt;b&gt;&quot;Kristiania&quot; &amp; co&lt;/b&gt;</mark>',
    );
    await api.dbTableRow.update('noco', 'Atlas', 'City', '1', { Name: null, People: 5 });
    expect((await detailsOf())?.split('<br>').toSorted()).toEqual([
      '<span>Name</span>: <del>&lt;b&gt;&quot;Kristiania&quot; &amp; co&lt;/b&gt;</del>',
      '<span>People</span>: <del>700000</del> <mark>5</mark>',
    ]);
    await api.dbTableRow.create('noco', 'Atlas', 'City', { Name: 'Rome' });
    expect(await detailsOf()).toContain('<span>Name</span>: <mark>Rome</mark>');
    await api.dbTableRow.delete('noco', 'Atlas', 'City', '4');
    expect(await detailsOf()).toContain('<span>Name</span>: <del>Rome</del>');
    const all = { query: { confirm: 'all' } } as never;
    await api.dbTableRow.bulkUpdateAll('noco', 'Atlas', 'City', { People: 1 }, all);
    expect(await detailsOf()).toBeNull();

    await api.dbTable.update(table.id ?? '', { title: 'Town', project_id: projectId } as never);
    expect(await detailsOf()).toBe('<span>Title</span>: <del>City</del> <mark>Town</mark>');
    const columns = async () =>
      ((await api.dbTable.read(table.id ?? '')) as unknown as { columns: { id: string; title: string }[] })
        .columns;
    const people = (await columns()).find(({ title }) => title === 'People');
    await api.dbTableColumn.update(people?.id ?? '', { ...people, title: '<i>Souls' } as never);
    expect(await detailsOf()).toBe('<span>Title</span>: <del>People</del> <mark>&lt;i&gt;Souls</mark>');
    await api.dbTableColumn.update(people?.id ?? '', { uidt: 'SingleLineText', title: 'Souls' } as never);
    expect(await detailsOf()).toContain('<span>Type</span>: <del>Number</del> <mark>SingleLineText</mark>');
    await api.dbTableColumn.delete((await columns()).find(({ title }) => title === 'Souls')?.id ?? '');
    expect(await detailsOf()).toContain('<span>Title</span>: <del>Souls</del>');
    const views = (await api.dbView.list(table.id ?? '')).list as unknown as readonly { id: string }[];
    await api.dbView.update(views[0]?.id ?? '', { title: 'All towns' } as never);
    expect(await detailsOf()).toBe(`<span>Title</span>: <del>${view}</del> <mark>All towns</mark>`);

    await api.auth.projectUserAdd(projectId, { email: 'bob@example.com', roles: 'editor' } as never);
    expect(await detailsOf()).toBe('<span>Role</span>: <mark>editor</mark>');
    const { users } = (await api.auth.projectUserList(projectId)) as unknown as {
      readonly users: { readonly list: readonly { readonly id: string; readonly email: string }[] };
    };
    const bob = users.list.find(({ email }) => email === 'bob@example.com')?.id ?? '';
    const viewer = { email: 'bob@example.com', roles: 'viewer', project_id: projectId };
    await api.auth.projectUserUpdate(projectId, bob, viewer as never);
    expect(await detailsOf()).toBe('<span>Role</span>: <del>editor</del> <mark>viewer</mark>');
    await api.auth.projectUserRemove(projectId, bob);
    expect(await detailsOf()).toBe('<span>Role</span>: <del>viewer</del>');

    const changes = (await api.utils.commentList({
      fk_model_id: table.id ?? '',
      row_id: '1',
    } as never)) as unknown as readonly { readonly details: string | null }[];
    expect(changes.map(({ details }) => details)).toContain(
      '<span>Name</span>: <del>Oslo</del> <mark>&lt;b&gt;&quot;Kristiania&quot; &amp; co&lt;/b&gt;</mark>',
    );
  });

  test('tells of links by the rows that were linked, also where a junction table holds them', async () => {
    const { api, projectId, table } = await withCities();
    const columns = [
      { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
      { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
    ];
    const river = await api.dbTable.create(projectId, {
      table_name: 'river',
      title: 'River',
      columns,
    } as never);
    const ends = { uidt: 'LinkToAnotherRecord', parentId: table.id, childId: river.id };
    await api.dbTableColumn.create(table.id ?? '', { ...ends, title: 'Sources', type: 'hm' } as never);
    await api.dbTableColumn.create(table.id ?? '', { ...ends, title: 'Rivers', type: 'mm' } as never);
    for (const Name of ['Aare', 'Rímac']) await api.dbTableRow.create('noco', 'Atlas', 'River', { Name });
    for (const [type, title] of [
      ['hm', 'Sources'],
      ['mm', 'Rivers'],
    ] as const) {
      await api.dbTableRow.nestedAdd('noco', 'Atlas', 'City', '3', type, title, '2');
      await api.dbTableRow.nestedRemove('noco', 'Atlas', 'City', '3', type, title, '2');
    }
    const query = { limit: '4', fk_model_id: river.id } as never;
    const { list } = (await api.project.auditList(projectId, query)) as unknown as {
      readonly list: readonly Record<'op_type' | 'op_sub_type' | 'table_title' | 'description', string>[];
    };
    expect(list.map((line) => `${line.op_type} ${line.op_sub_type}`)).toEqual([
      'DATA UNLINK_RECORD',
      'DATA LINK_RECORD',
      'DATA UNLINK_RECORD',
      'DATA LINK_RECORD',
    ]);
    const [, across, away, made] = list;
    expect(made).toMatchObject({
      fk_model_id: river.id,
      table_title: 'River',
      row_id: '2',
      description: 'Row 2 of River was linked to row 3 of City',
      details: '<span>Linked row</span>: <mark>City 3</mark>',
      said: { text: 'Row {{row}} of {{table}} was linked to row {{other}} of {{to}}' },
    });
    expect(away).toMatchObject({
      description: 'Row 2 of River was unlinked from row 3 of City',
      details: '<span>Linked row</span>: <del>City 3</del>',
    });
    // The line leads to one of the two rows, never to the table between them.
    const ofRiver = { fk_model_id: river.id, table_title: 'River', row_id: '2' };
    const ofCity = { fk_model_id: table.id, table_title: 'City', row_id: '3' };
    expect(across).toMatchObject(across?.table_title === 'City' ? ofCity : ofRiver);
    expect(across?.description).toMatch(
      /^Row (?:2 of River was linked to row 3 of City|3 of City was linked to row 2 of River)$/,
    );
  });

  test('lists what one person did, of one kind, in one table, in a time', async () => {
    const { api, projectId, table } = await withCities();
    const found = async (query: Record<string, string>) => {
      const answer = (await api.project.auditList(projectId, query as never)) as unknown as {
        readonly list: readonly { readonly op_type: string; readonly table_title: string | null }[];
        readonly pageInfo: { readonly totalRows: number };
      };
      expect(answer.pageInfo.totalRows).toBe(answer.list.length);
      return answer.list;
    };
    const rows = await found({ op_type: 'DATA', user: 'Ann@Example.com', fk_model_id: table.id ?? '' });
    expect(rows[0]).toMatchObject({ op_type: 'DATA', table_title: 'City', row_count: 1 });
    expect((await found({ op_type: 'TABLE' })).map(({ op_type }) => op_type)).toContain('TABLE');
    expect(await found({ user: 'nobody@example.com' })).toEqual([]);
    expect(await found({ until: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ from: '2020-01-01T00:00:00.000Z', op_type: '', user: '' })).not.toEqual([]);
    const wrong = api.project.auditList(projectId, { from: 'yesterday' } as never);
    await expect(wrong).rejects.toMatchObject({ response: { status: 400 } });
  });

  test('a note of a changed cell adds nothing to the audit, whoever claims to have changed it', async () => {
    const { api, projectId, table } = await withCities();
    const before = await api.project.auditList(projectId, {} as never);
    await api.utils.auditRowUpdate('1', {
      fk_model_id: table.id,
      column_name: 'name',
      row_id: '1',
      value: 'x',
      prev_value: 'y',
    } as never);
    expect(await api.project.auditList(projectId, {} as never)).toEqual(before);
    const note = guest().utils.auditRowUpdate('1', { fk_model_id: table.id } as never);
    await expect(note).rejects.toMatchObject({ response: { status: 401 } });
  });
});
