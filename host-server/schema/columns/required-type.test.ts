import { expect, test } from '@jest/globals';
import { createTestServer, testPlugin } from '@trellis/sdk/testing/server';

const late = { id: 'Late', label: 'Late', storage: 'string', fallback: 'SingleLineText' };

test('a column of a type that is not there says whose it is, and what to do', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = testPlugin('slow', () => finished, { contributes: { columnTypes: [late] } });
  const server = await createTestServer({ plugins: [slow], listensEarly: true });
  try {
    const ann = await server.signUp();
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Types' });
    const made = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Things',
      columns: [{ title: 'Name', uidt: 'SingleLineText' }],
    });
    const add = (uidt: string) =>
      ann.post<object>(`/api/v1/db/meta/tables/${made.body.id}/columns`, { title: `A ${uidt}`, uidt });

    expect(await add('Late')).toMatchObject({
      status: 503,
      body: { code: 'COLUMN_TYPE_STARTING', params: { type: 'Late', plugin: 'The slow' } },
    });
    expect(await add('Nothing')).toMatchObject({ status: 400, body: { code: 'COLUMN_TYPE_UNKNOWN' } });

    finish();
    // Switches take their turn behind what still starts.
    const off = await ann.post('/api/v1/app-store/plugins/column-rating/disable', {});
    expect(off.status).toBe(200);
    expect(await add('Rating')).toMatchObject({
      status: 409,
      body: {
        code: 'COLUMN_TYPE_OFF',
        msg: "The column type 'Rating' needs the plugin 'Rating', which does not run; switch it on first.",
      },
    });
  } finally {
    finish();
    await server.dispose();
  }
});
