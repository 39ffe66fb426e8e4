import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { RateLimiterToken } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  startReceiver,
  type Receiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { base, callPath, idOfAddress, type LastCall, type LastCalls } from '../shared/index.ts';

const meta = '/api/v1/db/meta';

describe('automations by web addresses', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId: string;
  let tableId: string;
  let titleId: string;

  beforeAll(async () => {
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' });
    projectId = project.body.id;
    const { body } = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Requests',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
        ],
      },
    );
    tableId = body.id;
    titleId = body.columns.find(({ title }) => title === 'Title')?.id ?? '';
  });
  afterAll(() => server?.dispose());

  const addresses = () => `${base}/projects/${projectId}/addresses`;
  async function address(): Promise<string> {
    const { body } = await ann.post<{ address: string }>(addresses());
    return body.address;
  }
  const definition = (of: string, title = '{{trigger.body.what}} for {{trigger.query.team}}') => ({
    title: 'Ask',
    trigger: { type: 'address.called', settings: { address: of } },
    steps: [
      {
        id: 'row',
        name: 'row',
        type: 'row.create',
        settings: { table: tableId, cells: { [titleId]: title } },
      },
    ],
  });
  const automations = () => `/api/v1/plugins/automations/projects/${projectId}/automations`;
  async function make(of: string, title?: string): Promise<string> {
    const answer = await ann.post<{ id: string }>(automations(), definition(of, title));
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.id;
  }
  const stranger = (headers: Readonly<Record<string, string>> = {}) => server.client.with({ headers });
  async function titles(count: number): Promise<readonly string[]> {
    const path = '/api/v1/db/data/noco/Desk/Requests?limit=100';
    const rows = async () => (await ann.get<{ list: readonly { Title: string }[] }>(path)).body.list;
    return (await askUntil(rows, (list) => list.length >= count)).map(({ Title }) => Title);
  }

  test('one is started by whoever calls its address, with what was sent, and once for calls that are the same', async () => {
    const of = await address();
    const id = await make(of);
    const call = `${callPath(of)}?team=paint`;
    const answer = await stranger({ 'idempotency-key': 'a' }).post(call, { what: 'roof' });
    expect(answer).toMatchObject({ status: 202, body: { msg: 'accepted' } });
    expect(await stranger({ 'idempotency-key': 'a' }).post(call, { what: 'roof' })).toMatchObject({
      status: 202,
    });
    expect(await stranger({ 'idempotency-key': 'a' }).post(call, { what: 'wall' })).toMatchObject({
      status: 422,
      body: { code: 'ADDRESS_KEY_OTHER' },
    });
    await stranger().post(call, { what: 'door' });
    expect(new Set(await titles(2))).toEqual(new Set(['roof for paint', 'door for paint']));
    const last = await ann.get<{ call: LastCall }>(`${addresses()}/${idOfAddress(of)}/last`);
    expect(last.body.call).toMatchObject({ body: { what: 'door' } });

    const other = await address();
    await ann.patch(`/api/v1/plugins/automations/automations/${id}`, definition(other));
    const isGone = ({ status }: { readonly status: number }) => status === 404;
    await askUntil(() => stranger().post(call, { what: 'late' }), isGone);
    expect(await stranger().post(`${callPath(other)}?team=x`, { what: 'new' })).toMatchObject({
      status: 202,
    });
    await ann.patch(`/api/v1/plugins/automations/automations/${id}`, { active: false });
    const off = await askUntil(
      () => stranger().post(callPath(other), { what: 'off' }),
      ({ status }) => status === 409,
    );
    expect(off.body).toMatchObject({ code: 'ADDRESS_OFF' });
  });

  test('numbers come with all their digits, and a key that stands twice is refused', async () => {
    const of = await address();
    await make(of, '{{trigger.body.what}}');
    const send = (body: string) =>
      fetch(`${server.url}${callPath(of)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const large = ['9007199254740993', '-12345678901234567890', '1e400', '12.5'];
    for (const digits of large) {
      expect((await send(`{"said":"a \\" 9007199254740993:","what":${digits}}`)).status).toBe(202);
      await askUntil(
        () => titles(1),
        (list) => list.includes(digits),
      );
    }
    for (const twice of ['{"what":"1","what":"2"}', '[{"a":{"b" :1,"b":1}}]'])
      expect((await send(twice)).status).toBe(400);
  });

  test('what was sent last is read by an id that starts nothing, and is forgotten with the address', async () => {
    const of = await address();
    const id = await make(of, 'Sent');
    expect(await stranger().post(callPath(of), { what: 'bell' })).toMatchObject({ status: 202 });
    const lastOf = async (one: string) =>
      (await ann.get<{ call: LastCall | null }>(`${addresses()}/${one}/last`)).body.call;
    const last = await askUntil(
      () => lastOf(idOfAddress(of)),
      (call) => call !== null,
    );
    expect(last).toMatchObject({ body: { what: 'bell' } });
    expect(await lastOf(of)).toBeNull();
    expect(await stranger().post(callPath(idOfAddress(of)), {})).toMatchObject({ status: 404 });

    const automation = `/api/v1/plugins/automations/automations/${id}`;
    const sweep = () =>
      server.host.registries
        .get('jobs')
        .get('automation-addresses.sweep')
        ?.run({
          signal: AbortSignal.timeout(60_000),
          logger: { debug() {}, info() {}, warn() {}, error() {} },
        });
    await sweep();
    expect(await lastOf(idOfAddress(of))).toMatchObject({ body: { what: 'bell' } });
    await ann.patch(automation, definition(await address(), 'Sent'));
    await sweep();
    await ann.patch(automation, definition(of, 'Sent'));
    expect(await lastOf(idOfAddress(of))).toBeNull();
  });

  test('an automation without a step is off, keeps what is sent to it as an example, and says so to whoever called', async () => {
    const of = await address();
    const lastOf = async () => (await ann.get<LastCalls>(`${addresses()}/${idOfAddress(of)}/last`)).body;
    expect(await lastOf()).toEqual({ is_saved: false, call: null, refused: null });
    expect(await stranger().post(callPath(of), { what: 'early' })).toMatchObject({ status: 404 });
    const made = await ann.post<{ id: string }>(automations(), {
      ...definition(of),
      steps: [],
      active: false,
    });
    expect(made).toMatchObject({ status: 200 });
    const before = (await titles(0)).length;
    expect(await stranger().post(callPath(of), { what: 'learn' })).toMatchObject({
      status: 409,
      body: { code: 'ADDRESS_OFF' },
    });
    expect(await lastOf()).toMatchObject({
      is_saved: true,
      call: { body: { what: 'learn' } },
      refused: null,
    });
    const one = `/api/v1/plugins/automations/automations/${made.body.id}`;
    expect(await ann.patch(one, { ...definition(of, 'Learnt'), active: true })).toMatchObject({
      status: 200,
    });
    const answer = await askUntil(
      () => stranger().post(callPath(of), { what: 'do' }),
      ({ status }) => status === 202,
    );
    expect(answer.status).toBe(202);
    expect(await titles(before + 1)).toHaveLength(before + 1);
  });

  test('a call that is refused is told to whoever builds the automation, until one is taken', async () => {
    const of = await address();
    await make(of, 'Taken');
    const lastOf = async () => (await ann.get<LastCalls>(`${addresses()}/${idOfAddress(of)}/last`)).body;
    const broken = await fetch(server.url + callPath(of), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"what": ',
    });
    expect(broken.status).toBe(400);
    expect(await lastOf()).toMatchObject({ call: null, refused: { code: 'ADDRESS_BODY' } });
    expect(await stranger().put(callPath(of), {})).toMatchObject({ status: 405 });
    expect((await lastOf()).refused).toMatchObject({
      code: 'ADDRESS_METHOD',
      msg: 'This address is called by POST.',
    });
    expect(await stranger().get(callPath(await address()))).toMatchObject({ status: 404 });
    expect(await stranger().post(callPath(of), { what: 'right' })).toMatchObject({ status: 202 });
    expect(await lastOf()).toMatchObject({ call: { body: { what: 'right' } }, refused: null });
  });

  test('an address that was not made here starts nothing, cannot be told from one that is not used, and cannot be saved', async () => {
    const unused = await address();
    const forged = `${unused.slice(0, -2)}${unused.endsWith('AA') ? 'BB' : 'AA'}`;
    const answers = [];
    for (const of of [unused, forged, 'x', '__proto__'])
      answers.push(await stranger().post<{ msg: string }>(callPath(of), { what: 'x' }));
    expect(answers.map(({ status, body }) => [status, body.msg])).toEqual(
      answers.map(() => [404, 'Nothing is started at this address.']),
    );
    for (const of of [forged, '', 'x'])
      expect(await ann.post(automations(), definition(of))).toMatchObject({ status: 400 });
  });

  test('an address, and whoever calls, is heard 600 times in a minute at the most, and again in the next minute', async () => {
    const [of, other] = [await address(), await address()];
    for (const one of [of, other]) await make(one, 'Often');
    // Calls that are the same start one run.
    const call = (one: string) => stranger({ 'idempotency-key': 'often' }).post(callPath(one), {});
    const limiter = server.host.container.get(RateLimiterToken);
    const forgetCaller = () => limiter.reset('automation-callers', { address: '127.0.0.1' });
    await forgetCaller();
    // The minute does not end while it is counted, however long the machine takes.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const refused = { status: 429, body: { code: 'TOO_MANY_TRIES' } };
    try {
      for (let round = 0; round < 24; round += 1) {
        const answers = await Promise.all(Array.from({ length: 25 }, () => call(of)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      }
      // The caller is at the end, whichever address is called.
      expect(await call(of)).toMatchObject(refused);
      expect(await call(other)).toMatchObject(refused);
      await forgetCaller();
      // Whoever else calls finds the other address open, and this one closed.
      expect(await call(of)).toMatchObject(refused);
      expect(await call(other)).toMatchObject({ status: 202 });
      clock.mockReturnValue(Date.now() + 60_000);
      expect(await call(of)).toMatchObject({ status: 202 });
    } finally {
      clock.mockRestore();
    }
  });

  test('whoever calls hears when nothing more is kept because what is started is paused', async () => {
    const of = await address();
    const id = await make(of, 'Paused');
    const seen = async () =>
      (
        await ann.get<{ waiting: number; paused: object | null }>(
          `/api/v1/plugins/automations/automations/${id}`,
        )
      ).body;
    const limits = { runsPerHour: 1, keptDays: 30, keptWaiting: 1, waitingDays: 7 };
    const call = (key: string) => stranger({ 'idempotency-key': key }).post(callPath(of), {});
    try {
      await server.host.plugins.saveSettings('automations', limits);
      // The second call may be run before the pause that it leads to; what comes after that pause is kept.
      const answers = [await call('p1'), await call('p2')];
      await askUntil(
        async () => (await seen()).paused,
        (paused) => paused !== null,
      );
      for (const key of ['p3', 'p4']) answers.push(await call(key));
      const kept = answers.filter(({ status }) => status === 202).length;
      expect(answers.slice(kept)).toEqual(
        answers.slice(kept).map(() => expect.objectContaining({ status: 503 })),
      );
      expect([2, 3]).toContain(kept);
      expect(answers.at(-1)).toMatchObject({ body: { code: 'ADDRESS_FULL' } });
      expect(await seen()).toMatchObject({ waiting: 1 });
      // What is kept is known again.
      expect(await call('p2')).toMatchObject({ status: 202 });
    } finally {
      await server.host.plugins.saveSettings('automations', {
        ...limits,
        runsPerHour: 5000,
        keptWaiting: 10_000,
      });
      await ann.delete(`/api/v1/plugins/automations/automations/${id}`);
    }
  });

  describe('what leads to itself', () => {
    interface Seen {
      readonly paused: { readonly code: string } | null;
    }
    /** What stands before the server and hands all calls on to it, as where it is reached by a name: nothing calls the server itself. */
    let before: Receiver;
    beforeAll(async () => {
      before = await startReceiver();
      before.answer(({ path, headers: { host: _, ...headers }, body }, response) => {
        void fetch(server.url + path, { method: 'POST', headers, body }).then(async (answer) => {
          response.statusCode = answer.status;
          response.end(await answer.text());
        });
      });
    });
    afterAll(() => before?.close());

    const isPaused = ({ paused }: Seen) => paused !== null;
    const automation = (id: string) => `/api/v1/plugins/automations/automations/${id}`;
    const until = (id: string, meets: (one: Seen) => boolean) =>
      askUntil(async () => (await ann.get<Seen>(automation(id))).body, meets);

    test('is paused where one calls its own address', async () => {
      const of = await address();
      const path = before.url + callPath(of);
      const { body } = await ann.post<{ id: string }>(automations(), {
        ...definition(of),
        steps: [{ id: 'call', name: 'call', type: 'address.call', settings: { method: 'POST', path } }],
      });
      expect(await stranger().post(callPath(of), {})).toMatchObject({ status: 202 });
      expect(await until(body.id, isPaused)).toMatchObject({ paused: { code: 'AUTOMATION_LOOP' } });
      const runs = await askUntil(
        async () => (await ann.get<{ list: { state: string }[] }>(`${automation(body.id)}/runs`)).body.list,
        (list) => list.length > 0,
      );
      expect(runs).toHaveLength(1);
      await ann.delete(automation(body.id));
    });

    test('is paused where a webhook tells an address of the rows that are written because of it', async () => {
      const of = await address();
      const id = await make(of, 'round');
      const notification = {
        type: 'URL',
        payload: { method: 'POST', path: before.url + callPath(of), body: '{}' },
      };
      const hook = await ann.post<{ id: string }>(`${meta}/tables/${tableId}/hooks`, {
        title: 'Round',
        event: 'after',
        operation: 'insert',
        notification,
      });
      await ann.post('/api/v1/db/data/noco/Desk/Requests', { Title: 'round' });
      expect(await until(id, isPaused)).toMatchObject({ paused: { code: 'AUTOMATION_LOOP' } });
      await ann.delete(`${meta}/hooks/${hook.body.id}`);
      await ann.delete(automation(id));
    });
  });

  test('forms and texts are taken as they say that they are, and what is neither is refused', async () => {
    const of = await address();
    await make(of, 'got {{json trigger.body}}');
    const send = (type: string | undefined, body: string | Uint8Array) =>
      fetch(server.url + callPath(of), {
        method: 'POST',
        body: Buffer.from(body),
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
    expect((await send('text/plain', 'as it is')).status).toBe(202);
    // Without a type nothing is read as JSON.
    expect((await send(undefined, '{"what":1}')).status).toBe(202);
    expect((await send('application/x-www-form-urlencoded', 'what=a+b&__proto__=x')).status).toBe(202);
    expect((await send('application/json', '{"what":')).status).toBe(400);
    expect((await send('text/plain', new Uint8Array([0xff, 0xfe]))).status).toBe(400);
    expect((await send('text/plain', 'x'.repeat(70_000))).status).toBe(413);
    const got = async () => (await titles(0)).filter((title) => title.startsWith('got '));
    const made = await askUntil(got, ({ length }) => length >= 3);
    expect(new Set(made)).toEqual(
      new Set([
        'got "as it is"',
        `got ${JSON.stringify('{"what":1}')}`,
        expect.stringContaining('"what":"a b"'),
      ]),
    );
  });

  test('only who may set automations makes addresses and sees what was sent', async () => {
    const of = await address();
    await make(of);
    await stranger().post(callPath(of), { what: 'secret' });
    const bob = await server.signUp('bob@example.com');
    expect(await bob.post(addresses())).toMatchObject({ status: 403 });
    await ann.post(`${meta}/projects/${projectId}/users`, { email: 'bob@example.com', roles: 'editor' });
    expect(await bob.post(addresses())).toMatchObject({ status: 403 });
    expect(await bob.get(`${addresses()}/${idOfAddress(of)}/last`)).toMatchObject({ status: 403 });
    const own = await bob.post<{ id: string }>(`${meta}/projects`, { title: 'Own' });
    const elsewhere = `${base}/projects/${own.body.id}/addresses/${idOfAddress(of)}/last`;
    expect((await bob.get(elsewhere)).body).toEqual({ is_saved: false, call: null, refused: null });
  });

  test('a body that nests too deep to be kept is refused', async () => {
    const of = await address();
    await make(of);
    const depth = 30_000;
    const answer = await fetch(server.url + callPath(of), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '['.repeat(depth) + ']'.repeat(depth),
    });
    expect(answer.status).toBe(400);
  });

  test('an address works in the project alone for which it was made', async () => {
    const of = await address();
    await make(of);
    await stranger().post(callPath(of), { what: 'secret' });
    const { id } = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Other desk' })).body;
    const table = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `${meta}/projects/${id}/tables`,
      {
        title: 'Heard',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
        ],
      },
    );
    const column = table.body.columns.find(({ title }) => title === 'Title')?.id ?? '';
    const taken = await ann.post<{ code: string }>(`/api/v1/plugins/automations/projects/${id}/automations`, {
      ...definition(of),
      steps: [
        {
          id: 'row',
          name: 'row',
          type: 'row.create',
          settings: { table: table.body.id, cells: { [column]: '{{json trigger.body}}' } },
        },
      ],
    });
    expect(taken).toMatchObject({ status: 400, body: { code: 'ADDRESS_FORMAT' } });
    const last = await ann.get(`${base}/projects/${id}/addresses/${idOfAddress(of)}/last`);
    expect(last.body).toEqual({ is_saved: false, call: null, refused: null });
  });
});
