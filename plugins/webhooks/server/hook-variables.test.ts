import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { at, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

const secret = 'p"ss & wörd';

describe('a webhook that names variables', () => {
  let shop: HookShop;
  let variables: string;
  const payload = {
    headers: [{ name: 'X-Key', value: 'Key {{env.KEY}}', enabled: true }],
    parameters: [{ name: 'place', value: '{{env.PLACE}} {{env.KEY}}', enabled: true }],
    body: '{"name":"{{data.Name}}","key":"{{env.KEY}}"}',
  };

  beforeAll(async () => {
    shop = await openHookShop();
    variables = `/api/v1/plugins/variables/projects/${shop.table.project_id}/variables`;
    await shop.ann.post(variables, { name: 'KEY', value: secret, is_secret: true });
    await shop.ann.post(variables, { name: 'PLACE', value: 'Bern' });
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  test('sends their values, and shows the secret ones in no log', async () => {
    const { ann, receiver, hook, logOf } = shop;
    const { id } = await hook('/keyed', {}, payload);
    await ann.post(rows, { Name: 'Chair' });
    const [got] = await receiver.until(1, at('/keyed'));
    expect(JSON.parse(got?.body ?? '')).toEqual({ name: 'Chair', key: secret });
    expect(got?.headers['x-key']).toContain('p"ss & w');
    expect(new URL(got?.path ?? '', 'http://x').searchParams.get('place')).toBe(`Bern ${secret}`);
    const [logged] = await logOf(id, (list) => list[0]?.state === 'done');
    expect(logged?.request).toMatchObject({ body: '{"name":"Chair","key":"•••"}' });
    expect(logged?.request?.url).toContain('place=Bern+•••');
    expect(JSON.stringify(logged)).not.toMatch(/ss & w|ss%20%26|ss\+%26/);
  });

  test('is refused where there is no such variable, of the project or of the server, and tried with none', async () => {
    const make = (text: string) =>
      shop.ann.post(`/api/v1/db/meta/tables/${shop.table.id}/hooks`, {
        title: text,
        event: 'after',
        operation: 'insert',
        notification: { type: 'URL', payload: { method: 'POST', path: 'https://example.com', body: text } },
      });
    for (const [text, name] of [
      ['{{env.NOPE}}', 'NOPE'],
      ['{{env.TRELLIS_SECRET}}', 'TRELLIS_SECRET'],
      ['{{env.PATH}}', 'PATH'],
      ['{{env.constructor}}', 'constructor'],
      ['{{json env}}', '{{json env}}'],
    ] as const)
      expect(await make(text)).toMatchObject({
        status: 400,
        body: { code: 'VARIABLE_UNKNOWN', params: { name } },
      });
  });

  test('is refused where its body begins as JSON and becomes none, when it is made, changed and tried; one that was stored stays', async () => {
    const { ann, table } = shop;
    const hooks = `/api/v1/db/meta/tables/${table.id}/hooks`;
    const set = (body: string, headers: readonly object[] = []) => ({
      title: 'Broken',
      event: 'after',
      operation: 'delete',
      notification: { type: 'URL', payload: { method: 'POST', path: 'https://example.com', headers, body } },
    });
    const broken = set('{"key": "{{env.KEY}}",\n "all": {{json data}}');
    const refused = { status: 400, body: { code: 'REQUEST_JSON_END' } };
    expect(await ann.post(hooks, broken)).toMatchObject(refused);
    expect(await ann.post(`${hooks}/test`, { hook: broken })).toMatchObject(refused);
    const made = await ann.post<{ id: string }>(hooks, set('{"key": "{{env.KEY}}", "all": {{json data}}}'));
    expect(made.status).toBe(200);
    const path = `/api/v1/db/meta/hooks/${made.body.id}`;
    expect(await ann.patch(path, broken)).toMatchObject(refused);
    expect((await ann.patch(path, { title: 'Whole' })).status).toBe(200);
    const plain = [{ name: 'Content-Type', value: 'text/plain', enabled: true }];
    expect((await ann.patch(path, set('{not JSON', plain))).status).toBe(200);
    await ann.delete(path);
  });

  test('is tried with them, and what it sent is shown without the secret ones', async () => {
    const { ann, receiver, table } = shop;
    const tried = await ann.post(`/api/v1/db/meta/tables/${table.id}/hooks/test`, {
      hook: {
        operation: 'insert',
        notification: { type: 'URL', payload: { method: 'POST', path: `${receiver.url}/tried`, ...payload } },
      },
    });
    expect(tried).toMatchObject({ status: 200, body: { request: { body: '{"name":"Text","key":"•••"}' } } });
    const [got] = await receiver.until(1, at('/tried'));
    expect(JSON.parse(got?.body ?? '')).toMatchObject({ key: secret });
  });

  test('shows in its log no value that a secret had before it was changed', async () => {
    const { ann, receiver, hook, logOf } = shop;
    await ann.post(variables, { name: 'TURNED', value: 'first-secret', is_secret: true });
    const { id } = await hook('/turned', {}, { body: '{{env.TURNED}} {{data.Name}}' });
    await ann.patch(`${variables}/TURNED`, { value: 'second-secret' });
    await ann.post(rows, { Name: 'made with first-secret' });
    const [got] = await receiver.until(1, at('/turned'));
    expect(got?.body).toBe('second-secret made with first-secret');
    const [logged] = await logOf(id, (list) => list[0]?.state === 'done');
    expect(logged?.request?.body).toBe('••• made with •••');
  });

  test('keeps what it has to tell while a variable is gone, and says so', async () => {
    const { ann, receiver, hook, logOf } = shop;
    await ann.post(variables, { name: 'GOING', value: 'here' });
    const { id } = await hook('/going', {}, { body: '{{env.GOING}}' });
    await ann.delete(`${variables}/GOING`);
    await ann.post(rows, { Name: 'Lamp' });
    const [waits] = await logOf(id, (list) => list[0]?.error !== null && list[0] !== undefined);
    expect(waits).toMatchObject({ state: 'waiting', error: "The variable 'GOING' has no value here." });
    await ann.post(variables, { name: 'GOING', value: 'back' });
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [waits?.id] });
    const [got] = await receiver.until(1, at('/going'));
    expect(got?.body).toBe('back');
  });
});
