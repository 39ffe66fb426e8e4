import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { RateLimiterToken } from '@trellis/sdk/server';
import { createTestServer, startReceiver } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { at, bulk, json, openHookShop, rows, type HookShop, type TableAnswer } from '../testing/hook-shop.ts';

describe('webhooks', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  test('an address that is closed to this server is refused when the webhook is saved', async () => {
    const { ann, table, hook } = shop;
    const path = `/api/v1/db/meta/tables/${table.id}/hooks`;
    const to = (address: string) => ({
      title: 'Closed',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: address } },
    });
    for (const address of [
      'http://10.1.2.3:81/{{data.Id}}',
      'http://[fd00::1]/x',
      'https://169.254.169.254/',
    ])
      expect(await ann.post(path, to(address))).toMatchObject({
        status: 400,
        body: { code: 'OUTBOUND_REFUSED', msg: expect.stringContaining('TRELLIS_OUTBOUND_ALLOW') },
      });
    const { id } = await hook('/open');
    expect(await ann.patch(`/api/v1/db/meta/hooks/${id}`, to('http://10.1.2.3/'))).toMatchObject({
      status: 400,
      body: { code: 'OUTBOUND_REFUSED' },
    });
    const named = { ...to('https://hooks.example.com/x'), active: false };
    const kept = await ann.post<HookEntity>(path, named);
    expect(kept.status).toBe(200);
    await ann.delete(`/api/v1/db/meta/hooks/${kept.body.id}`);
  });

  test('a placeholder that is not closed is refused with its place when the webhook is saved', async () => {
    const { ann, table, hook } = shop;
    const payload = { path: 'https://hooks.example.com/x', body: '{\n  "name": "{{data.Name}"\n}' };
    const notification = { type: 'URL', payload };
    const refusal = {
      status: 400,
      body: { code: 'HOOK_PLACEHOLDER_OPEN', params: { placeholder: '{{data.Name}"', line: 2 } },
    };
    const path = `/api/v1/db/meta/tables/${table.id}/hooks`;
    expect(await ann.post(path, { title: 'Open', notification })).toMatchObject(refusal);
    const { id } = await hook('/open');
    expect(await ann.patch(`/api/v1/db/meta/hooks/${id}`, { notification })).toMatchObject(refusal);
    const headers = [{ name: 'x-name', value: '{{data.Name', enabled: true }];
    const called = { notification: { type: 'URL', payload: { ...payload, body: '{}', headers } } };
    expect(await ann.patch(`/api/v1/db/meta/hooks/${id}`, called)).toMatchObject({
      status: 400,
      body: { code: 'HOOK_PLACEHOLDER_OPEN', params: { placeholder: '{{data.Name', line: 1 } },
    });
  });

  test('tells of rows that are added, changed and deleted, also many at once', async () => {
    const { receiver, ann, hook } = shop;
    await hook('/added');
    await hook('/changed', { operation: 'update' }, { body: '{{json row}} {{json previous}}' });
    await hook('/gone', { operation: 'delete' });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Chair', Price: '9.90', Sold: true });
    await ann.post(bulk, [{ Name: 'Table' }, { Name: 'Lamp' }]);
    const stored = (await ann.get<object>(`${rows}/${body.Id}`)).body;
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Armchair' });
    await ann.delete(`${rows}/${body.Id}`);
    const [first] = await receiver.until(3, at('/added'));
    expect(stored).toMatchObject({ Id: body.Id, Name: 'Chair' });
    expect(json(first)).toEqual(stored);
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-trellis-event': 'after.insert',
      'x-trellis-attempt': '1',
    });
    const [changed] = await receiver.until(1, at('/changed'));
    const [after, before] = (changed?.body ?? '').split('} {');
    expect(JSON.parse(`${after}}`)).toMatchObject({ ...stored, Name: 'Armchair' });
    expect(JSON.parse(`{${before}`)).toMatchObject(stored);
    expect(json((await receiver.until(1, at('/gone')))[0])).toMatchObject({ ...stored, Name: 'Armchair' });
    expect(receiver.got.filter(at('/added')).map((got) => json(got).Name)).toEqual(
      expect.arrayContaining(['Chair', 'Table', 'Lamp']),
    );
  });

  test('of the event “before” are told the new values alone, by the names of their columns in the database', async () => {
    const { receiver, ann, table, hook } = shop;
    const names = new Map(table.columns.map((column) => [column.title, column.column_name]));
    const of = (row: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(row).map(([title, value]) => [names.get(title), value]));
    for (const operation of ['insert', 'update', 'delete'])
      await hook(`/before-${operation}`, { event: 'BEFORE', operation });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Stool', Price: '3.50' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Bench' });
    await ann.delete(`${rows}/${body.Id}`);
    const [added] = await receiver.until(1, at('/before-insert'));
    expect(json(added)).toMatchObject(of({ Id: body.Id, Name: 'Stool', Price: '3.5' }));
    expect(Object.keys(json(added))).not.toContain('Name');
    expect(added?.headers).toMatchObject({ 'x-trellis-event': 'before.insert' });
    const [changed] = await receiver.until(1, at('/before-update'));
    expect(json(changed)).toEqual(of({ Name: 'Bench' }));
    const [gone] = await receiver.until(1, at('/before-delete'));
    expect(json(gone)).toMatchObject({ Id: body.Id, Name: 'Bench', Price: '3.5' });
  });

  test('of the event “before” tells in a try by the names of columns by which it tells of changes', async () => {
    const { receiver, ann, table, hook } = shop;
    const whole = '{"data":{{json data}},"previous":{{json previous}}}';
    const asked = { event: 'before', operation: 'update' };
    const told = async (path: string) =>
      json((await receiver.until(1, at(path)))[0]) as Record<'data' | 'previous', Record<string, unknown>>;
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Rack', Price: 1, Sold: true });
    await hook('/stored-before', asked, { body: whole });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Wardrobe', Price: 2, Sold: false });
    const stored = await told('/stored-before');
    const namesOf = (message: typeof stored) => ({
      data: Object.keys(message.data)
        .filter((name) => name !== 'id')
        .toSorted(),
      previous: Object.keys(message.previous).toSorted(),
    });
    expect(namesOf(stored)).toEqual({
      data: ['name', 'price', 'sold'],
      previous: ['Id', 'Name', 'Price', 'Sold'],
    });
    const sample = await ann.get<object>(`/api/v1/db/meta/tables/${table.id}/hooks/samplePayload/update`);
    const tries = { '/names-alone': undefined, '/names-sample': { data: sample.body } };
    for (const [path, payload] of Object.entries(tries)) {
      const template = { method: 'POST', path: receiver.url + path, body: whole };
      const notification = { type: 'URL', payload: template };
      await ann.post(`/api/v1/db/meta/tables/${table.id}/hooks/test`, {
        hook: { ...asked, notification },
        ...(payload && { payload }),
      });
      expect(namesOf(await told(path))).toEqual(namesOf(stored));
    }
  });

  test('is signed by a secret that can be changed, both secrets counting for a while', async () => {
    const { receiver, ann, hook } = shop;
    const { id } = await hook('/signed');
    const secret = `/api/v1/db/meta/hooks/${id}/secret`;
    const old = (await ann.get<{ secret: string }>(secret)).body.secret;
    const fresh = (await ann.post<{ secret: string }>(secret, {})).body.secret;
    expect(fresh).not.toBe(old);
    await ann.post(rows, { Name: 'Signed' });
    const [got] = await receiver.until(1, at('/signed'));
    const signature = got?.headers['x-trellis-signature'] ?? '';
    const [, time = ''] = /^t=(\d+),/.exec(signature) ?? [];
    const sign = (key: string) =>
      `v1=${createHmac('sha256', key)
        .update(`${time}.${got?.body ?? ''}`)
        .digest('hex')}`;
    expect(signature).toBe(`t=${time},${sign(fresh)},${sign(old)}`);
  });

  test('fills templates in without running anything, and never in the name of the server', async () => {
    const { receiver, ann, table, hook } = shop;
    await hook(
      '/filled/{{data.Name}}',
      {},
      {
        headers: [
          { name: 'X-Who', value: '{{user.email}}\r\nX-Evil: 1', enabled: true },
          { name: 'X-Off', value: '1', enabled: false },
        ],
        parameters: [{ name: 'table', value: '{{table.title}}', enabled: true }],
        body: '{"name":"{{data.Name}}","ctor":"{{data.constructor}}{{data.__proto__}}{{process.env}}","n":1}',
      },
    );
    await ann.post(rows, { Name: 'a "b"/../c' });
    const [got] = await receiver.until(1, at('/filled'));
    expect(got?.path).toBe('/filled/a%20%22b%22%2F..%2Fc?table=Things');
    expect(json(got)).toEqual({ name: 'a "b"/../c', ctor: '', n: 1 });
    expect(got?.headers).toMatchObject({ 'x-who': 'ann@example.com  X-Evil: 1' });
    expect(got?.headers).not.toHaveProperty('x-evil');
    expect(got?.headers).not.toHaveProperty('x-off');
    const refused = await ann.post(`/api/v1/db/meta/tables/${table.id}/hooks`, {
      title: 'x',
      notification: { type: 'URL', payload: { path: 'http://{{data.Name}}/x' } },
    });
    expect(refused.status).toBe(400);
  });

  test('tries again what failed, keeps the order of a row, and shows it in its log', async () => {
    const { receiver, ann, hook, logOf } = shop;
    const { id } = await hook('/shaky', { operation: 'update' });
    let calls = 0;
    receiver.answer((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 500 : 200).end();
    });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'v0' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'v1' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'v2' });
    const failed = await logOf(id, (list) => list.length === 2 && list.some(({ status }) => status === 500));
    expect(failed[1]).toMatchObject({ state: 'waiting', attempts: 1, status: 500, operation: 'update' });
    expect(failed[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, {});
    const got = await receiver.until(3, at('/shaky'));
    expect(got.map((request) => json(request).Name)).toEqual(['v1', 'v1', 'v2']);
    expect(got[0]?.headers['x-trellis-event-id']).toBe(got[1]?.headers['x-trellis-event-id']);
    const done = await logOf(id, (list) => list.every(({ state }) => state === 'done'));
    expect(done[0]).toMatchObject({ status: 200, request: { method: 'POST' } });
    expect(JSON.stringify(done)).not.toContain('v1=');
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [done[0]?.id] });
    expect(json((await receiver.until(4, at('/shaky')))[3])).toMatchObject({ Name: 'v2' });
  });

  test('keeps every try of a message in its log, each with its answer and with what was sent', async () => {
    const { ann, hook, logOf, receiver } = shop;
    const answers = [500, 429, 204];
    receiver.answer((_, response) => void response.writeHead(answers.shift() ?? 200).end('not for the log'));
    const { id } = await hook('/tries');
    await ann.post(rows, { Name: 'Tried' });
    const tried = (count: number) => logOf(id, ([line]) => line?.tries.length === count);
    for (const count of [1, 2]) {
      await tried(count);
      await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, {});
    }
    const [line] = await tried(3);
    expect(line).toMatchObject({ state: 'done', status: 204 });
    expect(line?.tries.map(({ status }) => status)).toEqual([500, 429, 204]);
    expect(line?.tries[0]?.error).toContain('500');
    expect(line?.tries.at(-1)).toMatchObject({ error: null, request: line?.request });
    const got = await receiver.until(3, at('/tries'));
    for (const [index, one] of (line?.tries ?? []).entries()) {
      expect(one.request?.body).toBe(got[index]?.body);
      expect(one.request?.headers['x-trellis-attempt']).toBe(got[index]?.headers['x-trellis-attempt']);
      expect(one.duration_ms).toBeGreaterThanOrEqual(0);
    }
    const moments = line?.tries.map(({ tried_at: moment }) => moment) ?? [];
    expect(moments).toEqual(moments.toSorted());
    expect(moments.at(-1)).toBe(line?.tried_at);
    expect(JSON.stringify(line)).not.toMatch(/v1=|not for the log/);
    // What is sent again and again keeps its last tries alone.
    for (let count = 4; count <= 27; count += 1) {
      await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [line?.id] });
      await receiver.until(count, at('/tries'));
      await logOf(id, ([now]) => now?.state === 'done' && now.tries.length === Math.min(count, 25));
    }
  });

  test('sends again what happened in a stretch of time, and nothing from before or after it', async () => {
    const { ann, hook, logOf, receiver } = shop;
    const { id } = await hook('/stretch');
    const told = (list: readonly { readonly state: string }[], count: number) =>
      list.length === count && list.every(({ state }) => state === 'done');
    for (const [at, Name] of ['s0', 's1', 's2'].entries()) {
      await ann.post(rows, { Name });
      await logOf(id, (list) => told(list, at + 1));
    }
    const [, middle, first] = await logOf(id, (list) => told(list, 3));
    const replay = (body: object) => ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, body);
    const [last] = await logOf(id, () => true);
    expect(await replay({ from: middle?.created_at, to: last?.created_at })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
    const got = await receiver.until(4, at('/stretch'));
    expect(got.map((request) => json(request).Name)).toEqual(['s0', 's1', 's2', 's1']);
    expect(await replay({ to: first?.created_at })).toMatchObject({ body: { count: 0 } });
    expect(await replay({ from: first?.created_at })).toMatchObject({ body: { count: 3 } });
    expect(await replay({ from: 'yesterday' })).toMatchObject({ status: 400 });
  });

  test('is tried without a mail where this server sends none', async () => {
    const { ann, table } = shop;
    const notification = { type: 'email', payload: { to: 'bob@example.com', subject: 'New', body: 'x' } };
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    expect((await ann.post(path, { hook: { notification } })).body).toMatchObject({ msg: 'Success' });
  });

  test('says nothing while it is off', async () => {
    const { receiver, ann, hook } = shop;
    const off = await hook('/off', { active: false });
    await hook('/on');
    await ann.post(rows, { Name: 'Quiet' });
    await receiver.until(1, at('/on'));
    expect(receiver.got.filter(at('/off'))).toEqual([]);
    expect(off.active).toBe(false);
  });

  test('shows a row such as it tells of, whatever its columns are', async () => {
    const { ann, table } = shop;
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'None', uidt: 'SingleSelect' },
      {
        title: 'Stage',
        uidt: 'SingleSelect',
        colOptions: { options: [{ title: 'Lead' }, { title: 'Won' }] },
      },
      { title: 'Tags', uidt: 'MultiSelect', colOptions: { options: [{ title: 'red' }] } },
    ];
    const { body } = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${table.project_id}/tables`, {
      title: 'Deals',
      columns,
    });
    const sample = await ann.get<object>(`/api/v1/db/meta/tables/${body.id}/hooks/samplePayload/insert`);
    expect(sample).toMatchObject({ status: 200, body: { Id: 1, None: '', Stage: 'Lead', Tags: 'red' } });
  });

  test('can be tried before it is stored, and tells how the receiver answered', async () => {
    const { receiver, ann, table } = shop;
    const test = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    const notification = { type: 'URL', payload: { method: 'PUT', path: `${receiver.url}/tried` } };
    const sample = await ann.get<object>(`/api/v1/db/meta/tables/${table.id}/hooks/samplePayload/insert`);
    expect(sample.body).toEqual({ Id: 1, Name: 'Text', Price: 123.1, Sold: true });
    const tried = await ann.post(test, { hook: { notification }, payload: { data: sample.body } });
    expect(tried.body).toMatchObject({ msg: 'Success', status: 200, request: { method: 'PUT' } });
    expect(json((await receiver.until(1, at('/tried')))[0])).toEqual(sample.body);
    receiver.answer((_, response) => void response.writeHead(418).end('a secret of the receiver'));
    const failed = await ann.post(test, { hook: { notification } });
    expect(failed).toMatchObject({ status: 400, body: { params: { status: 418 } } });
    expect(JSON.stringify(failed.body)).not.toContain('a secret of the receiver');
  });

  test('follows no redirect to an address that is not allowed, and tells what went wrong with the connection', async () => {
    const { receiver, ann, table } = shop;
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    const notification = { type: 'URL', payload: { path: `${receiver.url}/away`, method: 'GET' } };
    receiver.answer((_, response) =>
      response.writeHead(302, { location: receiver.url.replace('127.0.0.1', '127.0.0.2') }).end(),
    );
    const before = receiver.got.length;
    expect(await ann.post(path, { hook: { notification } })).toMatchObject({
      status: 400,
      body: { params: { status: 0, reason: expect.stringContaining('127.0.0.2') } },
    });
    expect(receiver.got).toHaveLength(before + 1);
    receiver.answer((_, response) => void response.destroy());
    const cut = await ann.post(path, { hook: { notification } });
    expect(cut).toMatchObject({ status: 400, body: { params: { status: 0 } } });
  });

  test('refuses a notification whose text nests too deep', async () => {
    const { ann, table } = shop;
    const deep = '['.repeat(3000) + ']'.repeat(3000);
    const at0 = `/api/v1/db/meta/tables/${table.id}/hooks`;
    for (const notification of [
      `{"type":"Email","payload":{"x":${deep}}}`,
      { type: 'URL', payload: `{"path":"https://example.com/","x":${deep}}` },
    ]) {
      const refused = { status: 400, body: { code: 'HOOK_NOTIFICATION' } };
      expect(await ann.post(at0, { title: 'Deep', notification })).toMatchObject(refused);
      expect(await ann.post(`${at0}/test`, { hook: { notification } })).toMatchObject(refused);
    }
  });

  test('the audit has what is done with a webhook beside its changes', async () => {
    const { ann, table, hook, idOf } = shop;
    const { id, title } = await hook('/audited');
    const path = `/api/v1/db/meta/hooks/${id}`;
    await ann.get(`${path}/secret`);
    await ann.post(`${path}/secret`, {});
    await ann.put(`${path}/filters`, {
      list: [{ fk_column_id: idOf('Name'), comparison_op: 'eq', value: 'x' }],
    });
    await ann.post(`${path}/deliveries/replay`, {});
    await ann.post(`${path}/deliveries/drop`, {});
    await ann.post(`${path}/resume`, {});
    const audits = `/api/v1/db/meta/projects/${table.project_id}/audits`;
    const { body } = await ann.get<{
      list: readonly { readonly op_sub_type: string; readonly description: string }[];
    }>(audits);
    const own = body.list.filter(({ description }) => description.includes(title));
    expect(own.map(({ op_sub_type: what }) => what)).toEqual([
      'RESUMED',
      'DROPPED',
      'REPLAYED',
      'UPDATED',
      'SECRET_CHANGED',
      'SECRET_READ',
      'CREATED',
    ]);
  });

  test('calls no address of this server itself, although the operator allows the machine', async () => {
    const { ann, server, table } = shop;
    const at0 = `/api/v1/db/meta/tables/${table.id}/hooks`;
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', '127.1']) {
      const notification = { type: 'URL', payload: { path: `http://${host}:${port}/api/v1/health` } };
      const { status, body } = await ann.post(`${at0}/test`, { hook: { notification } });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { msg: expect.stringContaining('this server itself') },
      });
    }
  });

  test('is tried 30 times in a minute at the most by one person, and again in the next minute', async () => {
    const { ann, server, table, receiver } = shop;
    const { id } = (await ann.get<{ id: string }>('/api/v1/auth/user/me')).body;
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    const payload = { method: 'POST', path: `${receiver.url}/often` };
    const tryOut = () => ann.post<object>(path, { hook: { notification: { type: 'URL', payload } } });
    await server.host.container.get(RateLimiterToken).reset('webhooks.test', id);
    // The minute does not end while it is counted, however long the machine takes.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      for (let count = 0; count < 30; count += 1) expect((await tryOut()).status).toBe(200);
      expect(await tryOut()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
      expect(receiver.got.filter(at('/often'))).toHaveLength(30);
      clock.mockReturnValue(Date.now() + 60_000);
      expect((await tryOut()).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  test('belongs to owners and creators of its own project', async () => {
    const { server, ann, table, hook } = shop;
    const { id } = await hook('/private');
    const eve = await server.signUp('eve@example.com');
    const calls = (hookId: string, tableId: string) =>
      Promise.all([
        eve.get(`/api/v1/db/meta/tables/${tableId}/hooks`),
        eve.get(`/api/v1/db/meta/hooks/${hookId}/filters`),
        eve.get(`/api/v1/db/meta/hooks/${hookId}/deliveries`),
        eve.get(`/api/v1/db/meta/hooks/${hookId}/secret`),
        eve.post(`/api/v1/db/meta/hooks/${hookId}/resume`, {}),
      ]);
    const hidden = await calls(id, table.id);
    const unissued = await calls('hk_00000000000000', 'md_00000000000000');
    expect(hidden.map(({ status, body }) => ({ status, body }))).toEqual(
      unissued.map(({ status, body }) => ({ status, body })),
    );
    expect(hidden.every(({ status }) => status === 403 || status === 404)).toBe(true);
    expect((await eve.delete(`/api/v1/db/meta/hooks/${id}`)).body).toBe(0);
    expect((await eve.patch(`/api/v1/db/meta/hooks/${id}`, { title: 'Mine' })).body).toBe('');
    const { body } = await ann.get<{ list: readonly HookEntity[] }>(
      `/api/v1/db/meta/tables/${table.id}/hooks`,
    );
    expect(body.list).toMatchObject([{ id, title: '/private' }]);
  });
});

test('no webhook reaches an address of this network that the operator has not allowed', async () => {
  const inside = await startReceiver();
  const server = await createTestServer();
  try {
    const ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const table = await ann.post<TableAnswer>(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'Things',
      columns: [{ title: 'Id', uidt: 'ID', pk: true, ai: true }],
    });
    const path = `/api/v1/db/meta/tables/${table.body.id}/hooks/test`;
    const port = new URL(inside.url).port;
    const spelt = ['127.0.0.1', 'localhost', '127.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0'];
    for (const host of spelt) {
      const notification = { type: 'URL', payload: { path: `http://${host}:${port}/x` } };
      const { status } = await ann.post(path, { hook: { notification } });
      expect({ host, status }).toEqual({ host, status: 400 });
    }
    expect(inside.got).toEqual([]);
  } finally {
    await server.dispose();
    await inside.close();
  }
});
