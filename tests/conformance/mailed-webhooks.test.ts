import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { NoticeList } from '../../plugins/notification-center/shared/index.ts';
import { openPost, type Post } from '../../plugins/sys-mail/testing/post.ts';
import type { ChannelStateAnswer, HookEntity } from '../../plugins/webhooks/shared/index.ts';
import { openHookShop, rows, type HookShop } from '../../plugins/webhooks/testing/hook-shop.ts';

describe('webhooks on a server that sends mail', () => {
  let shop: HookShop;
  let post: Post;

  beforeAll(async () => {
    post = openPost();
    const env = { TRELLIS_SITE_URL: 'https://tables.example.com' };
    shop = await openHookShop({ plugins: [post.plugin], env });
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  const mailTo = (to: string, subject: string, body: string) => ({
    notification: { type: 'Email', payload: { to, subject, body } },
  });

  test('tell those whom they name of a row, with its cells in the subject and in the text', async () => {
    const { ann, hook, logOf } = shop;
    const to = 'bob@example.com, carl@example.com; {{data.Name}}@example.com';
    const { id } = await hook(
      '/mail',
      mailTo(to, 'New: {{data.Name}}', '{{data.Name}} costs {{data.Price}}.'),
    );
    await ann.post(rows, { Name: 'chair', Price: '9.90' });
    expect(await post.until('New: chair')).toEqual([
      {
        to: ['bob@example.com', 'carl@example.com', 'chair@example.com'],
        subject: 'New: chair',
        text: expect.stringMatching(/^chair costs 9\.90?\.$/),
      },
    ]);
    expect(await logOf(id, (list) => list[0]?.state === 'done')).toMatchObject([
      {
        attempts: 1,
        error: null,
        request: { method: 'Email', body: expect.stringContaining('chair costs') },
      },
    ]);
  });

  test('put a cell of several lines into a subject of one', async () => {
    const { ann, hook } = shop;
    await hook('/lines', mailTo('bob@example.com', 'Lines: {{data.Name}}', '{{data.Name}}'));
    await ann.post(rows, { Name: 'one\r\nBcc: eve@example.com\n' });
    const [mail] = await post.until('Lines: one Bcc: eve@example.com');
    expect(mail?.to).toEqual(['bob@example.com']);
    expect(mail?.text).toContain('\nBcc');
  });

  test('wait while this server sends no mail, say so, and go on when it does', async () => {
    const { ann, hook, logOf } = shop;
    post.open(false);
    // Clients of the v1 API write types in letters of their own.
    const { notification } = mailTo('bob@example.com', 'Late: {{data.Name}}', 'x');
    const { id } = await hook('/late', { notification: { ...notification, type: 'EMAIL' } });
    const { body: row } = await ann.post<{ Id: number }>(rows, { Name: 'desk' });
    const waits = { state: 'waiting', attempts: 0, status: null, error: null, tries: [] };
    expect(await logOf(id, (list) => list.length > 0)).toMatchObject([waits]);
    const own = async () => (await hooks()).find((of) => of.id === id);
    expect(await own()).toMatchObject({ is_channel_off: true, paused: null });
    expect(JSON.parse((await own())?.notification ?? '')).toMatchObject({ type: 'Email' });
    const sent = await ann.post(`/api/v1/db/meta/hooks/${id}/run`, { rows: [String(row.Id)] });
    expect(sent).toMatchObject({ status: 409, body: { code: 'HOOK_MAIL_OFF' } });
    const channels = async () =>
      (await ann.get<ChannelStateAnswer>('/api/v1/plugins/webhooks/channels')).body.list;
    const mail = { plugin_id: 'webhooks', users: [{ label: 'Webhooks', count: 1 }], paused: 0 };
    expect((await channels()).find(({ id: of }) => of === 'Email')).toMatchObject({
      ...mail,
      is_ready: false,
    });
    // Somebody who asks for it at once is not heard either, and no try counts.
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, {});
    expect(await logOf(id, (list) => list.length > 0)).toMatchObject([waits]);

    post.open(true);
    expect(await post.until('Late: desk')).toHaveLength(1);
    expect(await logOf(id, ([line]) => line?.state === 'done')).toMatchObject([{ attempts: 1, error: null }]);
    expect(await own()).toMatchObject({ is_channel_off: false, paused: null });
    expect((await channels()).find(({ id: of }) => of === 'Email')).toMatchObject({
      ...mail,
      is_ready: true,
    });
  });

  test('tell several people whom a cell names only where all of them are of the project', async () => {
    const { ann, hook, logOf, server, table } = shop;
    await server.signUp('bob@example.com');
    const { id } = await hook('/people', mailTo('{{data.Name}}', 'People', 'x'));
    const told = async (count: number) => {
      await ann.post(rows, { Name: 'ann@example.com, bob@example.com' });
      return (await logOf(id, (list) => list.length === count && list[0]?.state !== 'waiting'))[0];
    };
    expect(await told(1)).toMatchObject({ state: 'failed', error: expect.stringContaining('people of the') });
    const invited = { email: 'bob@example.com', roles: 'viewer' };
    // Where mail is sent, people are invited first.
    post.open(false);
    await ann.post(`/api/v1/db/meta/projects/${table.project_id}/users`, invited);
    post.open(true);
    expect(await told(2)).toMatchObject({ state: 'done' });
    expect(await post.until('People')).toMatchObject([{ to: ['ann@example.com', 'bob@example.com'] }]);
  });

  test('look through as many commas as an address may have once', async () => {
    const { ann, hook, logOf } = shop;
    const begin = process.cpuUsage();
    const to = `bob@example.com${','.repeat(200_000)}`;
    const { id } = await hook('/mails', mailTo(to, 'Commas', 'x'));
    await ann.post(rows, { Name: 'By mails' });
    await logOf(id, ([line]) => line !== undefined && line.tries.length > 0);
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(5000);
  });

  test('are tried by a mail that really goes out', async () => {
    const { ann, table } = shop;
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    const tried = {
      hook: mailTo('bob@example.com', 'Tried: {{data.Name}}', 'x'),
      payload: { data: { Name: 'y' } },
    };
    expect(await ann.post(path, tried)).toMatchObject({ status: 200, body: { msg: 'Success' } });
    expect(await post.until('Tried: y')).toMatchObject([{ to: ['bob@example.com'], text: 'x' }]);
  });

  test('go to few addresses each, and to no more of a project within an hour than the operator allows', async () => {
    const { ann, hook, logOf, server, table } = shop;
    const people = (count: number) =>
      Array.from({ length: count }, (_, at) => `p${at}@example.com`).join(',');
    const path = `/api/v1/db/meta/tables/${table.id}/hooks/test`;
    const tried = (to: string) => ann.post(path, { hook: mailTo(to, 'Many', 'x') });
    expect(await tried(people(51))).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('50') },
    });
    expect(await tried(people(50))).toMatchObject({ status: 200 });
    const { plugins } = server.host;
    await plugins.saveSettings('sys-mail', { recipientsPerHour: 40 });
    const { id } = await hook('/hourly', mailTo('bob@example.com', 'Hourly', 'x'));
    await ann.post(rows, { Name: 'Too many' });
    const [line] = await logOf(id, (list) => list[0]?.error !== null && list.length > 0);
    expect(line).toMatchObject({ state: 'waiting', error: expect.stringContaining('40 addresses') });
    await plugins.saveSettings('sys-mail', { recipientsPerHour: 500 });
    await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, {});
    expect(await post.until('Hourly')).toHaveLength(1);
  });

  const notices = async () =>
    (await shop.ann.get<NoticeList>('/api/v1/plugins/notification-center/notices')).body.list;
  const hooks = async () =>
    (await shop.ann.get<{ list: readonly HookEntity[] }>(`/api/v1/db/meta/tables/${shop.table.id}/hooks`))
      .body.list;

  test('tell whoever made one that it is paused, in the page and by mail', async () => {
    const { ann, table, hook } = shop;
    const grids = `/api/v1/db/meta/tables/${table.id}/grids`;
    const { id: view } = (await ann.post<{ id: string }>(grids, { title: 'Dear ones' })).body;
    const { id } = await hook('/in-view', { title: 'Of a view', view_id: view });
    await ann.delete(`/api/v1/db/meta/views/${view}`);
    const [mail] = await post.until('The webhook Of a view is paused');
    expect(mail?.to).toEqual(['ann@example.com']);
    expect(mail?.text).toContain('The webhook Of a view of the table Things in Shop tells nobody any more.');
    const { paused = null } = (await hooks()).find((of) => of.id === id) ?? {};
    expect(mail?.text).toContain(paused);
    expect(mail?.text).toContain('What happens meanwhile is not kept');
    expect(await notices()).toMatchObject([
      {
        kind: 'webhook-paused',
        text: 'A webhook is paused',
        title: 'Of a view',
        project: { title: 'Shop' },
        reason: { msg: paused },
        is_read: false,
      },
    ]);
  });

  test('tell whoever made one whose receiver has not taken anything for a day', async () => {
    const { ann, hook, receiver, table } = shop;
    receiver.answer((_, response) => void response.writeHead(500).end());
    const { id } = await hook('/away', { title: 'Away' });
    await ann.post(rows, { Name: 'Waits' });
    const isPaused = async () => (await hooks()).some((of) => of.id === id && of.paused !== null);
    // Somebody asks for each try, which would take a day by themselves.
    while (!(await isPaused())) await ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, {});
    const [mail] = await post.until('The webhook Away is paused');
    expect(mail?.text).toContain('of the table Things in Shop has not taken anything for about a day.');
    expect(mail?.text).toContain('status 500');
    // What is kept has bounds.
    expect(mail?.text).not.toContain('Nothing is lost');
    expect(mail?.text).toContain('waits, up to 10000 events and each for 7 days at the most');
    const query = `name=Things&dbalias=${table.id}&type=table&webhook=${id}`;
    expect(mail?.text).toContain(`https://tables.example.com/#/nc/${table.project_id}?${query}`);
    expect((await notices())[0]).toMatchObject({
      kind: 'webhook-paused',
      title: 'Away',
      table: { id: table.id, title: 'Things' },
      row_id: '',
      opens: { param: 'webhook', value: id },
    });
  });
});
