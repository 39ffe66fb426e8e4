import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { DeliveryEntity, WholeHookEntity } from '../shared/index.ts';
import WebhooksDialog from './WebhooksDialog.tsx';

afterEach(cleanup);

const table = aTable([aColumn('cl_name', 'Name')]);

const hook: WholeHookEntity = {
  id: 'hk_1',
  base_id: 'ds_1',
  project_id: 'p_1',
  fk_model_id: table.id,
  title: 'Tell',
  description: null,
  env: 'all',
  type: null,
  event: 'after',
  operation: 'insert',
  async: false,
  payload: false,
  url: null,
  headers: null,
  condition: true,
  notification: JSON.stringify({ type: 'URL', payload: { path: 'https://example.com/in' } }),
  retries: null,
  retry_interval: null,
  timeout: null,
  active: true,
  columns: [],
  view_id: null,
  batch: false,
  paused: null,
  paused_code: null,
  dropped: 0,
  is_channel_off: false,
  failing: null,
  revision: 'r1',
  conditions: {
    after: [
      {
        id: 'fi_1',
        base_id: 'ds_1',
        project_id: 'p_1',
        fk_view_id: null,
        fk_hook_id: 'hk_1',
        fk_column_id: 'cl_name',
        fk_parent_id: null,
        logical_op: 'and',
        comparison_op: 'eq',
        value: 'Ada',
        is_group: null,
        order: 1,
        created_at: '2026-01-01 00:00:00',
        updated_at: '2026-01-01 00:00:00',
      },
    ],
    before: [],
  },
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-01-01 00:00:00',
};

const mail = { ...hook, notification: JSON.stringify({ type: 'Email', payload: { to: 'a@b.example' } }) };

const failed: DeliveryEntity = {
  id: 'dl_1',
  event_id: 'ev_1',
  row_id: '7',
  rows: 1,
  of_set: false,
  operation: 'insert',
  by_hand: false,
  state: 'failed',
  attempts: 3,
  status: 500,
  error: null,
  reason: null,
  duration_ms: 12,
  request: null,
  tries: [],
  created_at: '2026-01-01T00:00:00.000Z',
  tried_at: null,
  next_at: null,
};

test('the list says of which webhooks the last messages did not arrive, and why', async () => {
  const at = '2026-01-02T03:04:05.000Z';
  renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: () => ({
      list: [
        { ...hook, id: 'hk_a', title: 'Answers', failing: { at, status: 503, error: 'x' } },
        { ...hook, id: 'hk_b', title: 'Silent', failing: { at, status: null, error: 'Nobody answers.' } },
        { ...hook, id: 'hk_c', title: 'Arrives' },
        { ...hook, id: 'hk_d', title: 'Rests', paused: 'It is full.' },
      ],
    }),
  });
  const lines = await screen.findAllByRole('listitem');
  expect(
    lines.map(
      (line) => /Fails: the last answer was 503|Fails: Nobody answers\.|Paused: /.exec(line.textContent)?.[0],
    ),
  ).toEqual(['Fails: the last answer was 503', 'Fails: Nobody answers.', undefined, 'Paused: ']);
});

test('the log of a webhook says how much is sent again, and that nothing was', async () => {
  let count = 3;
  const { toasts } = renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: ({ method, path }) => {
      if (method === 'POST') return { count };
      if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [mail] };
      return { list: [failed], pageInfo: { totalRows: 1 } };
    },
  });
  const user = userEvent.setup();
  expect(await screen.findByText('A row is added · A mail')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'What to do with Tell' }));
  await user.click(screen.getByRole('menuitem', { name: 'Log' }));
  await user.click(await screen.findByRole('button', { name: 'Send all that did not arrive' }));
  await waitFor(() => expect(toasts.at(-1)?.summary).toBe('3 events are sent again'));
  count = 0;
  await user.click(screen.getByRole('button', { name: 'Send all that did not arrive' }));
  await waitFor(() => expect(toasts.at(-1)?.summary).toBe('There was nothing to send again'));
});

test('the log of a webhook shows the tries before the last one, and of what was not sent the reason', async () => {
  const request = { method: 'POST', url: 'https://example.com/in', headers: {}, body: 'one' };
  const refused = {
    status: 503,
    error: 'busy',
    duration_ms: 7,
    request,
    tried_at: '2026-01-01T00:00:01.000Z',
  };
  const last = { ...refused, status: 200, error: null, tried_at: '2026-01-01T00:00:09.000Z' };
  const arrived: DeliveryEntity = {
    ...failed,
    id: 'dl_2',
    state: 'done',
    status: 200,
    tries: [refused, last],
  };
  const skipped: DeliveryEntity = {
    ...failed,
    id: 'dl_3',
    row_id: '',
    rows: 10_001,
    of_set: true,
    state: 'skipped',
    attempts: 0,
    status: null,
    error: '10001 rows were changed at once.',
    reason: { code: 'HOOK_SET_ROWS', params: { count: 10_001 } },
  };
  renderWithHost(<WebhooksDialog table={table} named={hook.id} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: ({ path }) =>
      path.endsWith(`/tables/${table.id}/hooks`)
        ? { list: [{ ...hook, id: 'hk_0', title: 'Other' }, hook] }
        : { list: [arrived, skipped], pageInfo: { totalRows: 2 } },
  });
  const user = userEvent.setup();
  // Whoever was led to a webhook finds it pointed at.
  const named = await screen.findByRole('button', { name: /Tell.*https/ });
  await waitFor(() => expect(document.activeElement).toBe(named));
  expect(named.closest('li')?.getAttribute('aria-current')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'What to do with Tell' }));
  await user.click(screen.getByRole('menuitem', { name: 'Log' }));
  const tries = await screen.findByRole('list', { name: 'Earlier tries' });
  expect(tries.children).toHaveLength(1);
  expect(tries.textContent).toContain('answer 503 after 7 ms');
  expect(screen.getAllByText(/What the receiver said is not kept/)).toHaveLength(1);
  const line = screen.getByText(/10,?001 rows at once/).closest('li');
  expect(line?.textContent).toContain('10001 rows were changed at once.');
  expect(line?.textContent).not.toContain('not tried yet');
  expect(line?.querySelector('[data-state="skipped"]')?.getAttribute('aria-label')).toBe('Not sent');
  // There is nothing to send again of it; the other button is that of a stretch of time.
  expect(screen.getAllByRole('button', { name: 'Send again', hidden: true })).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Send all that did not arrive' })).toBeNull();
});

test('the log of a webhook shows by itself what became of what is sent again, with all tries', async () => {
  const request = { method: 'POST', url: 'https://example.com/in', headers: {}, body: 'one' };
  const tried = (second: number) => ({
    status: 200,
    error: null,
    duration_ms: 3,
    request,
    tried_at: `2026-01-01T00:00:0${second}.000Z`,
  });
  const again: DeliveryEntity = {
    ...failed,
    state: 'waiting',
    attempts: 0,
    status: 200,
    error: null,
    tries: [tried(1), tried(2)],
  };
  const done: DeliveryEntity = { ...again, state: 'done', attempts: 1, tries: [...again.tries, tried(3)] };
  let reads = 0;
  renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: ({ path }) => {
      if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [hook] };
      reads += 1;
      return { list: [reads > 1 ? done : again], pageInfo: { totalRows: 1 } };
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'What to do with Tell' }));
  await user.click(screen.getByRole('menuitem', { name: 'Log' }));
  const line = (await screen.findByText(/is sent again/)).closest('li');
  expect(line?.textContent).not.toMatch(/not tried yet|one try/);
  expect(screen.getByRole('list', { name: 'Earlier tries' }).children).toHaveLength(2);
  expect(await screen.findByText(/3 tries · answer 200/, undefined, { timeout: 10_000 })).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Earlier tries' }).children).toHaveLength(2);
});

test('a copy of a webhook has a title that no other has', async () => {
  const { requests } = renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: ({ method }) =>
      method === 'POST' ? hook : { list: [hook, { ...hook, id: 'hk_2', title: 'Tell copy' }] },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'What to do with Tell' }));
  await user.click(screen.getByRole('menuitem', { name: 'Duplicate' }));
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/v1/db/meta/hooks/hk_1/duplicate',
      body: { title: 'Tell copy 2' },
    }),
  );
});

test('a webhook that is off says that what changes meanwhile is never told', async () => {
  renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: () => ({ list: [{ ...hook, active: false }] }),
  });
  expect(await screen.findByText(/changes that are made meanwhile are never told/)).toBeTruthy();
});

test('back in the list, the keys are at the webhook that was looked at last', async () => {
  renderWithHost(<WebhooksDialog table={table} named={hook.id} onClose={() => undefined} />, {
    project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
    api: ({ path }) =>
      path.endsWith(`/tables/${table.id}/hooks`)
        ? { list: [{ ...hook, id: 'hk_0', title: 'Other' }, hook] }
        : { list: [failed], pageInfo: { totalRows: 1 } },
  });
  const user = userEvent.setup();
  const named = await screen.findByRole('button', { name: /Tell.*https/ });
  await waitFor(() => expect(document.activeElement).toBe(named));
  await user.click(screen.getByRole('button', { name: 'What to do with Other' }));
  await user.click(screen.getByRole('menuitem', { name: 'Log' }));
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  const other = await screen.findByRole('button', { name: /Other.*https/ });
  await waitFor(() => expect(document.activeElement).toBe(other));
  expect(other.closest('li')?.getAttribute('aria-current')).toBe('true');
});

describe('the editor of a webhook', () => {
  test.each([
    ['stays, with what was entered, where the person says no', false],
    ['is left where the person says yes', true],
  ])('asks before “Back” throws something away: %s', async (_, agrees) => {
    const { questions } = renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject(),
      confirm: () => agrees,
      api: ({ path }) => (path.endsWith('/samplePayload/insert') ? {} : { list: [] }),
    });
    const user = userEvent.setup();
    const open = () => user.click(screen.getByRole('button', { name: /New webhook|Make a webhook/ }));
    await screen.findByRole('button', { name: /New webhook|Make a webhook/ });
    await open();
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(questions).toEqual([]);
    await open();
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Tell');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(questions).toHaveLength(1);
    await waitFor(() =>
      expect(screen.queryByRole<HTMLInputElement>('textbox', { name: 'Name' })?.value).toBe(
        agrees ? undefined : 'Tell',
      ),
    );
  });

  test('saves what was emptied in the form of a channel as empty', async () => {
    const sent: ApiRequest[] = [];
    const room = { type: 'string', title: 'Room' } as const;
    const channel = {
      type: 'Chat',
      icon: null,
      plugin: 'channel-chat',
      settings: { type: 'object', properties: { room } },
    };
    const payload = { body: 'Hello', room: 'general' };
    const told = { ...hook, notification: JSON.stringify({ type: 'Chat', payload }) };
    renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
      api: (request) => {
        const { method, path } = request;
        if (method === 'PATCH') return sent.push(request);
        if (path.endsWith('/hooks/hk_1')) return told;
        if (path.endsWith('/hooks/channels')) return { list: [channel] };
        if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [told] };
        return path.includes('/samplePayload/') ? {} : { list: [] };
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /^Tell/ }));
    const field = await screen.findByRole('textbox', { name: 'Room' });
    await user.clear(field);
    expect(field).toHaveProperty('value', '');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toHaveProperty('notification', { type: 'Chat', payload: { body: 'Hello' } });
  });

  test('saves a webhook whole by one call, and overwrites nothing that somebody else saved meanwhile', async () => {
    const sent: ApiRequest[] = [];
    renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
      api: (request) => {
        const { method, path, body } = request;
        if (method !== 'GET') {
          sent.push(request);
          if ((body as { replaces?: string }).replaces === 'r1')
            throw new ApiError(409, 'Somebody else changed this.', 'CHANGED_MEANWHILE', { revision: 'r2' });
          return hook;
        }
        if (path.endsWith('/hooks/hk_1')) return hook;
        if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [hook] };
        if (path.endsWith('/secret')) return { secret: 'whsec_1' };
        return path.includes('/samplePayload/') ? {} : { list: [] };
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /^Tell/ }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' more');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Save mine' }));
    await screen.findByRole('button', { name: /New webhook/ });
    const after = [{ fk_column_id: 'cl_name', comparison_op: 'eq', value: 'Ada' }];
    expect(sent).toMatchObject([
      { method: 'PATCH', body: { title: 'Tell more', conditions: { after, before: [] }, replaces: 'r1' } },
      { method: 'PATCH', body: { title: 'Tell more', conditions: { after, before: [] }, replaces: 'r2' } },
    ]);
  });

  test('shows the secret that somebody else made meanwhile, and reads none at what else becomes of webhooks', async () => {
    let secret = 'whsec_1';
    const { receive, requests } = renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
      api: ({ path }) => {
        if (path.endsWith('/hooks/hk_1')) return hook;
        if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [hook] };
        if (path.endsWith('/secret')) return { secret };
        return path.includes('/samplePayload/') ? {} : { list: [] };
      },
    });
    const asked = (end: string) => requests.filter(({ path }) => path.endsWith(end)).length;
    const hear = (objectKind: string) =>
      act(() => receive({ kind: 'objects', projectId: 'p_1', objectKind, requestId: 'r_1' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Tell/ }));
    expect(await screen.findByDisplayValue('whsec_1')).toBeTruthy();
    hear('webhooks');
    await waitFor(() => expect(asked('/hooks/hk_1')).toBe(2));
    // Who reads it is written down.
    expect(asked('/secret')).toBe(1);
    secret = 'whsec_2';
    hear('webhooks.secrets');
    expect(await screen.findByDisplayValue('whsec_2')).toBeTruthy();
  });

  test('says while a body is typed where it becomes no JSON, and leaves other bodies alone', async () => {
    renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject(),
      api: ({ path }) => (path.endsWith('/samplePayload/insert') ? {} : { list: [] }),
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /New webhook|Make a webhook/ }));
    const body = await screen.findByRole('textbox', { name: 'Body' });
    const write = async (text: string) => {
      await user.clear(body);
      await user.click(body);
      await user.paste(text);
    };
    await write('{"name": "{{data.Name}}",\n "all": {{json data}}');
    expect(screen.getByText(/becomes no JSON: something is missing at the end/)).toBeTruthy();
    expect(body.getAttribute('aria-invalid')).toBe('true');
    await write('{"name": "{{data.Name}}",\n "all" {{json data}}}');
    expect(screen.getByText(/^Line 2: this becomes no JSON, since “{{json data}}”/)).toBeTruthy();
    for (const text of ['{"name": "{{data.Name}}",\n "all": {{json data}}}', 'New: {{data.Name}}']) {
      await write(text);
      expect(screen.queryByText(/becomes no JSON/)).toBeNull();
    }
  });

  test('begins a message to people with a line that they can read, which follows what the webhook tells of', async () => {
    const channel = { type: 'Chat', icon: null, plugin: 'channel-chat', settings: { type: 'object' } };
    renderWithHost(
      <WebhooksDialog
        table={aTable([{ ...aColumn('cl_name', 'Name'), pv: true }])}
        onClose={() => undefined}
      />,
      {
        project: aProject(),
        api: ({ path }) =>
          path.endsWith('/hooks/channels')
            ? { list: [channel] }
            : path.includes('/samplePayload/')
              ? {}
              : { list: [] },
      },
    );
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /New webhook|Make a webhook/ }));
    await user.selectOptions(
      await screen.findByLabelText('How'),
      await screen.findByRole('option', { name: 'Chat' }),
    );
    const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value;
    expect(message()).toMatch(
      /^New row in {{table\.title}}: {{data\.Name}}\nhttp:\/\/\S+#\/nc\/\S+&type=table&row={{event\.row}}$/,
    );
    await user.click(screen.getByRole('switch', { name: /Rows of one call together/ }));
    expect(message()).toMatch(/^New rows in {{table\.title}}: {{event\.count}}\n\S+&type=table$/);
  });

  test('keeps the event “before” of a webhook that a client of the API made, and says what it means', async () => {
    const sent: ApiRequest[] = [];
    const before = { ...hook, event: 'before' as const };
    renderWithHost(<WebhooksDialog table={table} onClose={() => undefined} />, {
      project: aProject({ permissions: ['hookList', 'hookUpdate'] }),
      api: (request) => {
        const { method, path } = request;
        if (method !== 'GET') sent.push(request);
        if (method !== 'GET' || path.endsWith('/hooks/hk_1')) return before;
        if (path.endsWith(`/tables/${table.id}/hooks`)) return { list: [before] };
        if (path.endsWith('/secret')) return { secret: 'whsec_1' };
        return path.includes('/samplePayload/') ? {} : { list: [] };
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /^Tell/ }));
    expect(await screen.findByText(/the new values alone/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toMatchObject([{ method: 'PATCH', body: { event: 'before' } }]));
  });
});
