import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('comments', ({ guest, withCities }) => {
  test('comments on rows, lists comments with or without changes, and counts them', async () => {
    const { api, projectId, table } = await withCities();
    const of = { fk_model_id: table.id ?? '', row_id: '1' };
    await api.dbTableRow.update('noco', 'Atlas', 'City', '1', { Name: 'Kristiania' });
    await api.utils.commentRow({ ...of, comment: 'Is that the old name?' } as never);
    await api.utils.commentRow({ ...of, description: 'It is: <b>1624</b>' } as never);
    const comments = (await api.utils.commentList({
      ...of,
      comments_only: true,
    } as never)) as unknown as object[];
    expect(comments).toMatchObject([
      { op_type: 'COMMENT', user: 'ann@example.com', row_id: '1', description: 'It is: <b>1624</b>' },
      { op_type: 'COMMENT', description: 'Is that the old name?' },
    ]);
    const all = (await api.utils.commentList(of as never)) as unknown as {
      op_type: string;
      op_sub_type: string;
    }[];
    const kinds = all.map((entry) => `${entry.op_type} ${entry.op_sub_type}`);
    expect(kinds.toSorted()).toEqual(['COMMENT null', 'COMMENT null', 'DATA INSERT', 'DATA UPDATE']);
    expect(await api.utils.commentCount({ fk_model_id: table.id ?? '', ids: ['1', '2'] } as never)).toEqual([
      { row_id: '1', count: 2 },
    ]);
    const audits = (await api.project.auditList(projectId, {} as never)) as { list: { op_type: string }[] };
    expect(audits.list.filter((line) => line.op_type === 'COMMENT')).toHaveLength(2);
    await expect(guest().utils.commentList(of as never)).rejects.toMatchObject({ response: { status: 401 } });
  });
});
