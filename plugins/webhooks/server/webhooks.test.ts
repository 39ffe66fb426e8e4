import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { DeliveryEntity, HookEntity } from '../shared/index.ts';
import { startReceiver, type Received, type Receiver } from '../testing/receiver.ts';

interface TableAnswer {
  readonly project_id: string;
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

describe('webhooks', () => {
  let server: TestServer;
  let receiver: Receiver;
  let ann: TestClient;
  let table: TableAnswer;
  const rows = '/api/v1/db/data/v1/Shop/Things';
  const bulk = '/api/v1/db/data/bulk/v1/Shop/Things';
  const made: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const answer = await ann.post<TableAnswer>(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Price', uidt: 'Decimal' },
        { title: 'Sold', uidt: 'Checkbox' },
      ],
    });
    table = answer.body;
  });
  afterEach(async () => {
    for (const id of made.splice(0)) await ann.delete(`/api/v1/db/meta/hooks/${id}`);
    receiver.answer((_, response) => void response.end('ok'));
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  const idOf = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';

  async function hook(path: string, more: object = {}, payload: object = {}): Promise<HookEntity> {
    const { status, body } = await ann.post<HookEntity>(`/api/v1/db/meta/tables/${table.id}/hooks`, {
      title: path,
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: receiver.url + path, ...payload } },
      ...more,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    made.push(body.id);
    return body;
  }
  const at = (path: string) => (request: Received) => request.path.startsWith(path);
  const json = (request: Received | undefined) =>
    JSON.parse(request?.body ?? 'null') as Record<string, unknown>;

  async function logOf(id: string, meets: (list: readonly DeliveryEntity[]) => boolean) {
    for (;;) {
      const { body } = await ann.get<{ list: DeliveryEntity[] }>(`/api/v1/db/meta/hooks/${id}/deliveries`);
      if (meets(body.list)) return body.list;
    }
  }

  test('tells of rows that are added, changed and deleted, also many at once', async () => {
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

  test('is signed by a secret that can be changed, both secrets counting for a while', async () => {
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

  test('tells only of rows that meet its conditions, and of changes of chosen columns', async () => {
    const dear = await hook('/dear', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${dear.id}/filters`;
    const added = await ann.post(filters, {
      fk_column_id: idOf('Price'),
      comparison_op: 'gt',
      value: '100',
    });
    expect(added.body).toMatchObject({ fk_hook_id: dear.id, comparison_op: 'gt', value: '100' });
    expect((await ann.get(filters)).body).toEqual([added.body]);
    const renamed = await hook('/renamed', { operation: 'update', columns: [idOf('Name')] });
    expect(renamed.columns).toEqual([idOf('Name')]);
    await ann.post(bulk, [
      { Name: 'Cheap', Price: '99.99' },
      { Name: 'Dear', Price: '100.01' },
    ]);
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Dearest', Price: '1000' });
    await ann.patch(`${rows}/${body.Id}`, { Price: '2000' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Dearer' });
    const [only] = await receiver.until(1, at('/renamed'));
    expect(json(only)).toMatchObject({ Name: 'Dearer' });
    const told = await receiver.until(2, at('/dear'));
    expect(told.map((got) => String(json(got).Name)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Dear',
      'Dearest',
    ]);
    expect(receiver.got.filter(at('/renamed'))).toHaveLength(1);
  });

  test('tries again what failed, keeps the order of a row, and shows it in its log', async () => {
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

  test('keeps what goes by mail until this server sends mail', async () => {
    const notification = { type: 'Email', payload: { to: 'bob@example.com', subject: 'New', body: 'x' } };
    const { id } = await hook('/mail', { notification });
    await ann.post(rows, { Name: 'By mail' });
    const [waiting] = await logOf(id, (list) => list.some(({ attempts }) => attempts > 0));
    expect(waiting).toMatchObject({ state: 'waiting', error: expect.any(String) });
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    expect((await ann.post(path, { hook: { notification } })).body).toMatchObject({ msg: 'Success' });
  });

  test('tells of the rows of one call together where that is chosen, up to a hundred at once and in their order', async () => {
    const { id, batch } = await hook('/together', { batch: true }, { body: '{{json event}}|{{json data}}' });
    await hook('/changed-together', { batch: true, operation: 'update' });
    await hook('/gone-together', { batch: true, operation: 'delete' });
    expect(batch).toBe(true);
    const names = Array.from({ length: 250 }, (_, index) => `Part ${index}`);
    const inserted = await ann.post<readonly { Id: number }[]>(
      bulk,
      names.map((Name) => ({ Name })),
    );
    const keys = inserted.body.map(({ Id }) => Id);
    const told = await receiver.until(3, at('/together'));
    const parts = told
      .map(({ body }) => {
        const [event = '', data = ''] = body.split('|');
        const { rows: of, count } = JSON.parse(event) as { rows: readonly string[]; count: number };
        return { of, count, data: JSON.parse(data) as readonly { Name: string }[] };
      })
      // Messages about different rows are sent at the same time.
      .toSorted((a, b) => Number(a.of[0]) - Number(b.of[0]));
    expect(parts.map(({ count }) => count)).toEqual([100, 100, 50]);
    expect(parts.flatMap(({ data }) => data.map(({ Name }) => Name))).toEqual(names);
    expect(parts.flatMap(({ of }) => of)).toEqual(keys.map(String));

    await ann.patch(
      bulk,
      keys.slice(0, 30).map((Id) => ({ Id, Name: `New ${Id}` })),
    );
    const [changed] = await receiver.until(1, at('/changed-together'));
    expect(json(changed)).toHaveLength(30);
    await ann.delete(
      bulk,
      keys.map((Id) => ({ Id })),
    );
    const gone = await receiver.until(3, at('/gone-together'));
    expect(gone.flatMap((request) => json(request) as unknown as { Id: number }[])).toHaveLength(250);
    await ann.post(rows, { Name: 'Alone' });
    const [, , , alone] = await receiver.until(4, at('/together'));
    expect(alone?.body).toContain('[{"Id":');

    const log = await logOf(id, (list) => list.length === 4 && list.every(({ state }) => state === 'done'));
    expect(log.map(({ rows: count }) => count)).toEqual([1, 50, 100, 100]);
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, { ids: [log[1]?.id] });
    const again = (await receiver.until(5, at('/together')))[4];
    const once = told.find(({ body }) => body.includes('"count":50'));
    expect(again?.headers['x-trellis-event-id']).toBe(once?.headers['x-trellis-event-id']);
    expect(again?.body).toBe(once?.body);
  });

  test('keeps the order of a row in batches, and tells of all of one again that failed', async () => {
    await hook('/shaky-batch', { batch: true, operation: 'update' });
    const { body } = await ann.post<readonly { Id: number }[]>(bulk, [{ Name: 'a0' }, { Name: 'b0' }]);
    let calls = 0;
    receiver.answer((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200, { 'retry-after': '1' }).end();
    });
    const renamed = (turn: number) =>
      ann.patch(
        bulk,
        body.map(({ Id }) => ({ Id, Name: `${Id} v${turn}` })),
      );
    for (const turn of [1, 2]) await renamed(turn);
    const [first, second, third] = await receiver.until(3, at('/shaky-batch'));
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toMatchObject({
      'x-trellis-attempt': '2',
      'x-trellis-event-id': first?.headers['x-trellis-event-id'],
    });
    const namesIn = (request: Received | undefined) =>
      (json(request) as unknown as { Name: string }[]).map(({ Name }) => Name);
    expect(namesIn(second)).toEqual(body.map(({ Id }) => `${Id} v1`));
    expect(namesIn(third)).toEqual(body.map(({ Id }) => `${Id} v2`));
  });

  test('has conditions that are read, changed and taken away by their own ids', async () => {
    const { id } = await hook('/by-id', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${id}/filters`;
    const named = (value: string) => ({ fk_column_id: idOf('Name'), comparison_op: 'eq', value });
    const first = await ann.post<{ id: string }>(filters, named('Yes'));
    const group = await ann.post<{ id: string; children: readonly { id: string }[] }>(filters, {
      is_group: true,
      logical_op: 'or',
      children: [named('Perhaps'), named('No')].map((one) => ({ ...one, logical_op: 'or' })),
    });
    const before = await ann.post<{ id: string }>(`${filters}?when=before`, named('Was'));
    const at0 = (of: string) => `/api/v1/db/meta/filters/${of}`;
    expect((await ann.get(at0(first.body.id))).body).toEqual(first.body);
    expect((await ann.get(at0(before.body.id))).body).toEqual(before.body);
    const [child, other] = group.body.children;
    expect(await ann.get(`${at0(group.body.id)}/children`)).toMatchObject({
      status: 200,
      body: [{ id: child?.id, value: 'Perhaps', fk_parent_id: group.body.id }, { id: other?.id }],
    });
    expect(await ann.patch(at0(child?.id ?? ''), { value: 'Maybe', order: 2 })).toMatchObject({
      status: 200,
      body: '',
    });
    expect((await ann.delete(at0(first.body.id))).status).toBe(200);
    expect((await ann.get(filters)).body).toMatchObject([
      {
        id: group.body.id,
        children: [
          { id: other?.id, value: 'No' },
          { id: child?.id, value: 'Maybe' },
        ],
      },
    ]);
    expect(await ann.patch(at0(child?.id ?? ''), { comparison_op: 'nonsense' })).toMatchObject({
      status: 409,
    });
    expect((await ann.get(at0(first.body.id))).status).toBe(404);

    const eve = await server.signUp();
    expect((await eve.get(at0(child?.id ?? ''))).status).toBe(
      (await eve.get(at0('fi_00000000000000'))).status,
    );
    const editor = await server.signUp();
    const me = await editor.get<{ email: string }>('/api/v1/auth/user/me');
    await ann.post(`/api/v1/db/meta/projects/${table.project_id}/users`, {
      email: me.body.email,
      roles: 'editor',
    });
    expect((await editor.delete(at0(child?.id ?? ''))).status).toBe(403);
    await ann.patch(at0(child?.id ?? ''), { value: 'Told' });
    await ann.post(bulk, [{ Name: 'Yes' }, { Name: 'Told' }, { Name: 'Maybe' }]);
    expect(json((await receiver.until(1, at('/by-id')))[0])).toMatchObject({ Name: 'Told' });
    expect(receiver.got.filter(at('/by-id'))).toHaveLength(1);
  });

  test('tells of a value that changed from one to another, where either may be any', async () => {
    const update = { operation: 'update', condition: true };
    const named = (value: string) => [{ fk_column_id: idOf('Name'), comparison_op: 'eq', value }];
    const told = { columns: [idOf('Name')], ...update };
    const sold = await hook('/sold', told);
    const reopened = await hook('/reopened', told);
    const conditions = (id: string, when: string) => `/api/v1/db/meta/hooks/${id}/filters?when=${when}`;
    await ann.put(conditions(sold.id, 'before'), { list: named('Open') });
    await ann.put(conditions(sold.id, 'after'), { list: named('Sold') });
    await ann.put(conditions(reopened.id, 'before'), { list: named('Sold') });
    expect((await ann.get(conditions(sold.id, 'before'))).body).toMatchObject([
      { fk_hook_id: sold.id, comparison_op: 'eq', value: 'Open' },
    ]);
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'New' });
    for (const Name of ['Sold', 'Open', 'Sold', 'Sold', 'Back', 'Sold'])
      await ann.patch(`${rows}/${body.Id}`, { Name });
    await ann.patch(`${rows}/${body.Id}`, { Price: '3' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Last' });
    const back = await receiver.until(3, at('/reopened'));
    expect(back.map((request) => json(request).Name)).toEqual(['Open', 'Back', 'Last']);
    expect(receiver.got.filter(at('/sold')).map((request) => json(request).Name)).toEqual(['Sold']);
  });

  test('tells of the rows of a view by the filters that it has then, and is paused when the view is gone', async () => {
    const grid = await ann.post<{ id: string }>(`/api/v1/db/meta/tables/${table.id}/grids`, {
      title: 'Dear ones',
    });
    const view = grid.body.id;
    const filters = `/api/v1/db/meta/views/${view}/filters`;
    const price = (value: string) => [{ fk_column_id: idOf('Price'), comparison_op: 'gt', value }];
    await ann.put(filters, { list: price('100') });
    const { id, view_id: stored } = await hook('/in-view', { view_id: view });
    expect(stored).toBe(view);
    await hook('/all');
    const add = (Name: string, Price: string) => ann.post(rows, { Name, Price });
    const toldOf = async (count: number) => {
      await receiver.until(count, at('/all'));
      await logOf(id, (list) => list.every(({ state }) => state === 'done'));
      return receiver.got.filter(at('/in-view')).map((request) => json(request).Name);
    };
    await add('50 of 100', '50');
    await add('150 of 100', '150');
    await receiver.until(1, at('/in-view'));
    expect(await toldOf(2)).toEqual(['150 of 100']);
    await ann.put(filters, { list: price('20') });
    await add('50 of 20', '50');
    await receiver.until(2, at('/in-view'));
    expect(await toldOf(3)).toEqual(['150 of 100', '50 of 20']);
    await ann.delete(`/api/v1/db/meta/views/${view}`);
    await add('500 of nothing', '500');
    const hooksOf = `/api/v1/db/meta/tables/${table.id}/hooks`;
    for (;;) {
      const { body } = await ann.get<{ list: readonly HookEntity[] }>(hooksOf);
      const own = body.list.find((one) => one.id === id);
      if (own?.paused_code === 'HOOK_VIEW_GONE') break;
    }
    expect(await toldOf(4)).toHaveLength(2);
    const other = await ann.post(hooksOf, {
      title: 'x',
      view_id: view,
      notification: { type: 'URL', payload: { path: receiver.url } },
    });
    expect(other).toMatchObject({ status: 400, body: { code: 'HOOK_VIEW' } });
  });

  test('tells of no write that says so, which takes the right to change webhooks', async () => {
    await hook('/noisy', { operation: 'update' });
    await hook('/noisy-new');
    const quiet = ann.with({ headers: { 'x-trellis-ignore-webhooks': 'true' } });
    const { body } = await quiet.post<{ Id: number }>(rows, { Name: 'Quiet' });
    const row = `${rows}/${body.Id}`;
    await ann.patch(`${row}?ignoreWebhook=true`, { Name: 'Quieter' });
    await ann.patch(`${bulk}?ignoreWebhook=true`, [{ Id: body.Id, Name: 'Quietest' }]);
    await ann.patch(`${row}?ignoreWebhook=false`, { Name: 'Loud' });
    const [told] = await receiver.until(1, at('/noisy'));
    expect(json(told)).toMatchObject({ Name: 'Loud' });
    expect((await ann.patch(`${row}?ignoreWebhook=perhaps`, { Name: 'x' })).status).toBe(400);

    const eve = await server.signUp('editor@example.com');
    const project = `/api/v1/db/meta/projects/${table.project_id}/users`;
    await ann.post(project, { email: 'editor@example.com', roles: 'editor' });
    expect(await eve.patch(`${row}?ignoreWebhook=true`, { Name: 'Sly' })).toMatchObject({
      status: 403,
      body: { code: 'HOOK_IGNORE' },
    });
    expect((await eve.patch(row, { Name: 'Open' })).status).toBe(200);
    expect(json((await receiver.until(2, at('/noisy')))[1])).toMatchObject({ Name: 'Open' });
    expect(receiver.got.filter(at('/noisy-new'))).toEqual([]);
  });

  test('stops where its receiver writes back what it tells of, and says why', async () => {
    const there = await hook('/there', { operation: 'update' });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'round 0' });
    let rounds = 0;
    receiver.answer(({ headers }, response) => {
      rounds += 1;
      const own = ann.with({ headers: { 'x-trellis-chain': String(headers['x-trellis-chain']) } });
      void own.patch(`${rows}/${body.Id}`, { Name: `round ${rounds}` }).then(() => response.end());
    });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'begin' });
    const stopped = await logOf(there.id, (list) => list.some(({ state }) => state === 'failed'));
    expect(stopped.map(({ state }) => state)).toEqual(['failed', 'done', 'done', 'done']);
    expect(stopped[0]).toMatchObject({ attempts: 0, error: expect.stringContaining('circle') });
    const { body: list } = await ann.get<{ list: readonly HookEntity[] }>(
      `/api/v1/db/meta/tables/${table.id}/hooks`,
    );
    expect(list.list).toMatchObject([
      { id: there.id, paused_code: 'HOOK_LOOP', paused: expect.stringContaining('circle') },
    ]);
    expect(receiver.got.filter(at('/there'))).toHaveLength(3);
  });

  test('takes no chain that it did not sign', async () => {
    const { id } = await hook('/unchained', { operation: 'update' });
    const forged = ann.with({ headers: { 'x-trellis-chain': `${id}.${id}.${id}.${'A'.repeat(22)}` } });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'x' });
    await forged.patch(`${rows}/${body.Id}`, { Name: 'Unchained' });
    expect(json((await receiver.until(1, at('/unchained')))[0])).toMatchObject({ Name: 'Unchained' });
  });

  test('says nothing while it is off', async () => {
    const off = await hook('/off', { active: false });
    await hook('/on');
    await ann.post(rows, { Name: 'Quiet' });
    await receiver.until(1, at('/on'));
    expect(receiver.got.filter(at('/off'))).toEqual([]);
    expect(off.active).toBe(false);
  });

  test('shows a row such as it tells of, whatever its columns are', async () => {
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

  test('belongs to owners and creators of its own project', async () => {
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
