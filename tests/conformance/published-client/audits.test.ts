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
        details: null,
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
