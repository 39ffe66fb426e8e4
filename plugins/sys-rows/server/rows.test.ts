import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Refusal {
  readonly code?: string;
  readonly params?: { readonly count?: number };
}

describe('rows over HTTP', () => {
  let server: TestServer;
  let client: TestClient;
  let rows: string;
  let bulk: string;
  let round = 0;

  beforeAll(async () => {
    server = await createTestServer();
    client = await server.signUp();
  });

  afterAll(async () => {
    await server?.dispose();
  });

  beforeEach(async () => {
    round += 1;
    const title = `Project${round}`;
    const project = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title });
    await client.post(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'People',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Notes', uidt: 'LongText' },
      ],
    });
    rows = `/api/v1/db/data/noco/${title}/People`;
    bulk = `/api/v1/db/data/bulk/noco/${title}/People`;
    await client.post(bulk, [{ Name: 'Ada' }, { Name: 'Grace' }]);
  });

  test('tell what happened to them, the newest first, page by page', async () => {
    const { body } = await client.get<{ list: readonly { Id: number }[] }>(`${rows}?sort=Id`);
    const path = `${rows}/${body.list[0]?.Id}`;
    await client.patch(path, { Notes: 'first' });
    await client.patch(path, { Notes: 'second' });
    interface Events {
      readonly list: readonly { id: number; op: string; user: string | null; cells: readonly object[] }[];
    }
    const page = await client.get<Events>(`${path}/history?limit=2`);
    expect(page.body.list.map(({ op }) => op)).toEqual(['update', 'update']);
    expect(page.body.list[0]).toMatchObject({
      user: expect.stringContaining('@'),
      isUndo: false,
      cells: [{ before: 'first', after: 'second' }],
    });
    const earlier = await client.get<Events>(`${path}/history?before=${page.body.list[1]?.id}`);
    expect(earlier.body.list.map(({ op }) => op)).toEqual(['insert']);
    expect(await client.get(`${path}/history?limit=x`)).toMatchObject({ status: 400 });
  });

  test('are deleted for good from the trash, which their history, undo and the audit say', async () => {
    const { body: page } = await client.get<{ list: readonly { Id: number }[] }>(`${rows}?sort=Id`);
    const path = `${rows}/${page.list[0]?.Id}`;
    const { body: of } = await client.get<{ list: readonly { id: string; project_id: string }[] }>(
      `/api/v1/db/meta/projects/Project${round}/tables`,
    );
    const comments = '/api/v1/db/meta/audits/comments';
    const place = { fk_model_id: of.list[0]?.id ?? '', row_id: String(page.list[0]?.Id) };
    await client.post(comments, { ...place, comment: 'Ada is on leave' });
    const query = `fk_model_id=${place.fk_model_id}&ids=${place.row_id}`;
    const commented = async () =>
      (await client.get<readonly { readonly count: number }[]>(`${comments}/count?${query}`)).body;
    const { headers } = await client.delete(path);
    const operation = headers.get('x-trellis-operation') ?? '';
    const operations = `/api/v1/db/data/operations/Project${round}`;
    const listed = async () =>
      (await client.get<{ list: readonly { operation_id: string }[] }>(`${operations}/deletions`)).body.list;
    expect(await listed()).toMatchObject([{ operation_id: operation, names: ['Ada'] }]);
    expect((await server.client.delete(`${operations}/deletions/${operation}`)).status).toBe(401);
    expect(await commented()).toMatchObject([{ count: 1 }]);
    const purged = await client.delete(`${operations}/deletions/${operation}`);
    expect(purged).toMatchObject({ status: 200, body: { rows: 1 } });
    expect(await listed()).toEqual([]);
    expect(await commented()).toEqual([]);
    expect(await client.delete(`${operations}/deletions/${operation}`)).toMatchObject({ status: 404 });
    expect(await client.post(`${operations}/${operation}/undo`)).toMatchObject({
      status: 409,
      body: { code: 'UNDO_PURGED' },
    });
    const { body: history } = await client.get(`${path}/history`);
    expect(history).toMatchObject({
      list: [
        { op: 'delete', isPurged: true, cells: [] },
        { op: 'insert', isPurged: true, cells: [] },
      ],
    });
    const audits = await client.get<{ list: readonly object[] }>(
      `/api/v1/db/meta/projects/${of.list[0]?.project_id ?? ''}/audits`,
    );
    expect(audits.body.list[0]).toMatchObject({
      op_type: 'DATA',
      op_sub_type: 'PURGE',
      description: '1 deleted rows were deleted for good',
    });
    expect(JSON.stringify([history, audits.body])).not.toContain('Ada');
  });

  async function notes(): Promise<readonly unknown[]> {
    const answer = await client.get<{ list: readonly Record<string, unknown>[] }>(`${rows}?sort=Id`);
    return answer.body.list.map((row) => row.Notes);
  }

  describe('written by a condition', () => {
    test.each(['', '?where=', '?filterArrJson=[]', '?filterArrJson=[[]]'])(
      'ask for a confirmation where the condition is nothing (%p)',
      async (query) => {
        const refusal = { status: 400, body: { code: 'CONFIRM_ALL', params: { count: 2 } } };
        expect(await client.patch<Refusal>(`${bulk}/all${query}`, { Notes: 'x' })).toMatchObject(refusal);
        expect(await client.delete<Refusal>(`${bulk}/all${query}`)).toMatchObject(refusal);
        expect(await notes()).toEqual([null, null]);
      },
    );

    test.each(['%20', '+', '%09'])(
      'are left alone by a where of blanks (%p), confirmed or not',
      async (where) => {
        for (const confirm of ['', '&confirm=all']) {
          const all = `${bulk}/all?where=${where}${confirm}`;
          expect((await client.patch(all, { Notes: 'x' })).status).toBe(400);
          expect((await client.delete(all)).status).toBe(400);
        }
        expect(await notes()).toEqual([null, null]);
      },
    );

    test('are chosen by the short name of a parameter where the long one is empty', async () => {
      const query = 'where=&w=(Name,eq,Ada)';
      expect(await client.patch(`${bulk}/all?${query}`, { Notes: 'x' })).toMatchObject({ body: 1 });
      expect(await notes()).toEqual(['x', null]);
      expect(await client.delete(`${bulk}/all?${query}&confirm=all`)).toMatchObject({ body: 1 });
      expect(await notes()).toEqual([null]);
    });

    test('are all written once that is confirmed', async () => {
      expect(await client.patch(`${bulk}/all?confirm=all`, { Notes: 'x' })).toMatchObject({ body: 2 });
      expect(await notes()).toEqual(['x', 'x']);
      expect(await client.delete(`${bulk}/all?confirm=all`)).toMatchObject({ status: 200, body: 2 });
      expect(await notes()).toEqual([]);
    });
  });

  describe('as CSV', () => {
    async function csv(query = ''): Promise<string> {
      const answer = await client.get<string>(`${rows}/export/csv${query}`);
      expect(answer.status).toBe(200);
      // Reading the body as text takes its byte-order mark away.
      return String(answer.body);
    }

    test('keep cells of several lines in one cell, whichever way their lines end', async () => {
      await client.post(bulk, [{ Notes: 'a\nb' }, { Notes: 'a\rb' }, { Notes: 'a\r\nb' }]);
      const text = await csv('?fields=Notes&where=(Notes,notnull)&raw=true');
      expect(text).toBe('Notes\r\n"a\nb"\r\n"a\rb"\r\n"a\r\nb"\r\n');
    });

    test('hold no formula behind a line feed, or behind what nobody sees', async () => {
      const texts = ['\n=1+1', 'x\n=1+1', ' =1+1', '\u200B=1+1', '\u00A0@x', "'=1+1"];
      await client.post(
        bulk,
        texts.map((Notes) => ({ Notes })),
      );
      const text = await csv('?fields=Notes&where=(Notes,notnull)');
      expect(text).toBe(
        "Notes\r\n\"'\n=1+1\"\r\n\"x\n=1+1\"\r\n' =1+1\r\n'\u200B=1+1\r\n'\u00A0@x\r\n''=1+1\r\n",
      );
    });

    test.each([
      'where=garbage',
      'where=(Nope,eq,1)',
      'where=(Name,nope,1)',
      'where=%20',
      'sort=Nope',
      'fields=Nope',
      'fields=Name,Nope',
    ])('are refused before a line is sent when the query is not understood (%p)', async (query) => {
      expect((await client.get(`${rows}/export/csv?${query}`)).status).toBe(400);
    });

    test('hold the columns that are asked for, in that order', async () => {
      expect(await csv('?fields=Name,Id&limit=1')).toMatch(/^Name,Id\r\n/);
    });
  });
});
