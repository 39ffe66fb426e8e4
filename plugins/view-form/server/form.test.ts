import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  createTestServer,
  testPlugin,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

interface FormColumn {
  readonly id: string;
  readonly fk_column_id: string;
  readonly show: boolean;
  readonly required: boolean;
}
interface FormEntity {
  readonly heading: string;
  readonly email: string;
  readonly columns: readonly FormColumn[];
}

const mails: MailMessage[] = [];
let didMail: () => void = () => undefined;
/** Addresses that the mail server does not take now. */
const refused = new Set<string>();
const post = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => true,
    async send(message) {
      if (message.to.some((address) => refused.has(address))) throw new Error('The mailbox is full.');
      mails.push(message);
      didMail();
    },
    verify: async () => {},
  });
});

let server: TestServer;
let owner: TestClient;
let table: TableEntity;
let made = 0;

beforeAll(async () => {
  server = await createTestServer({ plugins: [post] });
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' });
  const created = await owner.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
    title: 'Order',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Gift', uidt: 'Checkbox' },
      { title: 'Wish', uidt: 'SingleLineText' },
      { title: 'Pieces', uidt: 'Number' },
      { title: 'Code', uidt: 'SingleLineText', rqd: true },
      { title: 'Secret', uidt: 'SingleLineText' },
      { title: 'Mail', uidt: 'Email' },
      { title: 'Phone', uidt: 'PhoneNumber' },
      { title: 'CreatedAt', column_name: 'created_at', uidt: 'DateTime', cdf: 'CURRENT_TIMESTAMP' },
    ],
  });
  table = created.body;
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => server?.dispose());

const idOf = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';

interface Made {
  readonly id: string;
  readonly base: string;
  columnId(title: string): string;
}

/** A form that strangers reach at `base`, with these options for itself and its columns. */
async function makeForm(
  options: object = {},
  fields: Readonly<Record<string, object>> = {},
  by: object = {},
): Promise<Made> {
  const view = await owner.post<{ id: string }>(`${meta}/tables/${table.id}/forms`, {
    title: `Form ${++made}`,
    ...by,
  });
  const { id } = view.body;
  expect(await owner.patch(`${meta}/forms/${id}`, { meta: options })).toMatchObject({ status: 200, body: 1 });
  const form = await owner.get<FormEntity>(`${meta}/forms/${id}`);
  const columnId = (title: string) =>
    form.body.columns.find(({ fk_column_id: of }) => of === idOf(title))?.id ?? '';
  for (const [title, body] of Object.entries(fields))
    expect(await owner.patch(`${meta}/form-columns/${columnId(title)}`, body)).toMatchObject({ status: 200 });
  const shared = await owner.post<{ uuid: string }>(`${meta}/views/${id}/share`, {});
  return { id, columnId, base: `/api/v1/db/public/shared-view/${shared.body.uuid}/rows` };
}

const rowsOf = async (name: string) =>
  (await owner.get<{ list: readonly object[] }>(`/api/v1/db/data/noco/Shop/Order?where=(Name,eq,${name})`))
    .body.list;
const send = (base: string, data: object, aside: object = {}) =>
  server.client.post<{ msg: string }>(base, { data: { Code: 'x', ...data }, ...aside });

test('a form shows what people can answer, keeps what clients set of it by the names of v1, and is copied whole', async () => {
  const { id, columnId } = await makeForm(
    {},
    { Name: { label: 'Your name', help: 'As on your bell', required: true }, Secret: { show: false } },
  );
  const patch = {
    heading: 'Orders',
    success_msg: 'Thanks',
    email: '{"a@example.com":true}',
    redirect_url: '',
  };
  await owner.patch(`${meta}/forms/${id}`, patch);
  const form = await owner.get<FormEntity>(`${meta}/forms/${id}`);
  expect(form.body).toMatchObject({ heading: 'Orders', success_msg: 'Thanks', email: patch.email });
  const shown = form.body.columns.filter(({ show }) => show).map(({ fk_column_id: of }) => of);
  expect(shown).toEqual(expect.arrayContaining(['Name', 'Gift', 'Wish', 'Pieces', 'Code'].map(idOf)));
  expect(shown).not.toContain(idOf('Id'));
  const name = { label: 'Your name', help: 'As on your bell', required: true };
  expect(form.body.columns.find((column) => column.id === columnId('Name'))).toMatchObject(name);
  const copy = await owner.post<{ id: string }>(`${meta}/tables/${table.id}/forms`, {
    title: 'Copy',
    copy_from_id: id,
  });
  const copied = await owner.get<FormEntity>(`${meta}/forms/${copy.body.id}`);
  expect(copied.body).toMatchObject({ heading: 'Orders', success_msg: 'Thanks' });
  expect(copied.body.columns.find(({ fk_column_id: of }) => of === idOf('Name'))).toMatchObject(name);
});

test('when a row was made is not asked for, also where a form showed it once, and is not taken from an answer', async () => {
  const { base } = await makeForm({}, { CreatedAt: { show: true } });
  const answer = { Name: 'Ann', CreatedAt: '2001-01-01 10:00:00' };
  expect(await send(base, answer)).toMatchObject({ status: 200 });
  const [row] = (await rowsOf('Ann')) as readonly { readonly CreatedAt: string }[];
  expect(row?.CreatedAt).not.toMatch(/^2001/);
});

test('a form refuses to hide what the table requires, addresses that are not secure, and rules that cannot be kept', async () => {
  const { id, columnId } = await makeForm();
  const field = (title: string, body: object) =>
    owner.patch<{ msg: string }>(`${meta}/form-columns/${columnId(title)}`, body);
  expect(await field('Code', { show: false })).toMatchObject({
    status: 400,
    body: { msg: expect.stringContaining('Code') },
  });
  for (const redirect of ['http://example.com', 'data:text/html,x'])
    expect(await owner.patch(`${meta}/forms/${id}`, { redirect_url: redirect })).toMatchObject({
      status: 400,
    });
  for (const pattern of ['(', '(x)\\1', 'a(?=b)', '(?:a{100}){100}', 'a|'])
    expect(await field('Wish', { meta: { pattern } })).toMatchObject({ status: 400 });
  expect(await field('Wish', { meta: { pattern: '[^@]+@[^@]+\\.[a-z]{2,}' } })).toMatchObject({
    status: 200,
  });
  const about = (title: string) => [
    { kind: 'condition', logicalOp: 'and', columnId: idOf(title), operator: 'eq', value: 'true' },
  ];
  expect(await field('Name', { meta: { condition: about('Gift') } })).toMatchObject({ status: 400 });
  expect(await field('Code', { meta: { condition: about('Gift') } })).toMatchObject({ status: 400 });
  expect(await field('Wish', { meta: { condition: about('Gift') } })).toMatchObject({ status: 200 });
  expect(await field('Wish', { meta: { condition: [{ kind: 'magic' }] } })).toMatchObject({ status: 400 });
});

test('an answer is held to what each field asks for, in words about the field', async () => {
  const { base } = await makeForm(
    {},
    {
      Name: { label: 'Your name', required: true },
      Pieces: { meta: { least: 1, most: 9 } },
      Wish: { meta: { pattern: '[a-z]+', patternMessage: 'Small letters only.' } },
    },
  );
  const msg = (text: string) => ({ status: 400, body: { msg: text } });
  expect(await send(base, {})).toMatchObject(msg('Please answer “Your name”.'));
  expect(await send(base, { Name: 'Ada', Pieces: 10 })).toMatchObject(msg('“Pieces” must be 9 or less.'));
  expect(await send(base, { Name: 'Ada', Pieces: '0' })).toMatchObject(msg('“Pieces” must be 1 or more.'));
  expect(await send(base, { Name: 'Ada', Wish: 'A1' })).toMatchObject(msg('Small letters only.'));
  expect(await send(base, { Name: 'Ada', Code: '' })).toMatchObject(msg('Please answer “Code”.'));
  expect(await rowsOf('Ada')).toEqual([]);
  expect(await send(base, { Name: 'Ada', Pieces: 9, Wish: 'tea' })).toMatchObject({ status: 200 });
  expect(await rowsOf('Ada')).toMatchObject([{ Pieces: 9, Wish: 'tea' }]);
});

test('addresses are checked also where their columns take any text, and numbers of landlines are good ones', async () => {
  const { base } = await makeForm();
  expect(await send(base, { Name: 'Eve', Mail: 'eve' })).toMatchObject({
    status: 400,
    body: { msg: expect.stringContaining('Mail') },
  });
  const answer = { Name: 'Lena', Mail: 'lena@example.com', Phone: '+49 30 901820' };
  expect(await send(base, answer)).toMatchObject({ status: 200 });
});

test('no pattern keeps the server busy, however its ways are counted', async () => {
  const several = 'a*a*a*a{0,9}a{0,9}a{0,9}a{0,9}a{0,9}';
  for (const pattern of [several, '(a+)+', '(a|a)*', '(a?){50}(.+)+c', '((a|b|ab)*)*']) {
    const { base } = await makeForm({}, { Wish: { meta: { pattern } } });
    const busy = send(base, { Name: 'Eve', Wish: `${'a'.repeat(299)}!` });
    const other = await server.client.get('/api/v1/health');
    expect(other.status).toBeLessThan(500);
    expect(await busy).toMatchObject({ status: 400, body: { msg: expect.stringContaining('Wish') } });
    const fits = pattern.endsWith('c') ? `${'a'.repeat(99)}c` : 'a'.repeat(30);
    expect(await send(base, { Name: 'Eve', Wish: fits })).toMatchObject({ status: 200 });
  }
});

test('a field is still asked for where the option that its condition names is called otherwise', async () => {
  const column = await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, {
    title: 'Size',
    uidt: 'SingleSelect',
    colOptions: { options: [{ title: 'Small' }, { title: 'Large' }] },
  });
  const size = column.body.columns?.find(({ title }) => title === 'Size');
  const { base, id } = await makeForm();
  const place = async (columnId: string) => {
    const { body } = await owner.get<FormEntity>(`${meta}/forms/${id}`);
    return body.columns.find(({ fk_column_id: of }) => of === columnId);
  };
  await owner.patch(`${meta}/form-columns/${(await place(size?.id ?? ''))?.id}`, { show: true, order: 0 });
  const condition = [
    { kind: 'condition', logicalOp: 'and', columnId: size?.id, operator: 'eq', value: 'Large' },
  ];
  const wish = `${meta}/form-columns/${(await place(idOf('Wish')))?.id}`;
  expect(await owner.patch(wish, { required: true, meta: { condition } })).toMatchObject({ status: 200 });
  const options = (size?.colOptions as { readonly options: readonly object[] } | undefined)?.options ?? [];
  await owner.patch(`${meta}/columns/${size?.id}`, {
    colOptions: { options: [options[0], { ...options[1], title: 'Huge' }] },
  });
  expect(await place(idOf('Wish'))).toMatchObject({ meta: { condition: [{ value: 'Huge' }] } });
  expect(await send(base, { Name: 'Fay', Code: 'x', Size: 'Huge' })).toMatchObject({
    status: 400,
    body: { msg: 'Please answer “Wish”.' },
  });
  await owner.delete(`${meta}/columns/${size?.id}`);
});

test('a field whose condition is not met is not required, and takes nothing', async () => {
  const condition = [
    { kind: 'condition', logicalOp: 'and', columnId: idOf('Gift'), operator: 'eq', value: 'true' },
  ];
  const { base } = await makeForm(
    {},
    { Wish: { required: true, meta: { condition } }, Secret: { show: false } },
  );
  expect(await send(base, { Name: 'Bob', Wish: 'smuggled', Secret: 'smuggled' })).toMatchObject({
    status: 200,
  });
  expect(await rowsOf('Bob')).toMatchObject([{ Wish: null, Secret: null }]);
  expect(await send(base, { Name: 'Cid', Gift: true })).toMatchObject({ status: 400 });
  expect(await send(base, { Name: 'Cid', Gift: true, Wish: 'tea' })).toMatchObject({ status: 200 });
  expect(await rowsOf('Cid')).toMatchObject([{ Wish: 'tea' }]);
});

test('conditions of a field are joined as those of a filter: and binds before or', async () => {
  const about = (logicalOp: string, title: string, value: string) => ({
    kind: 'condition',
    logicalOp,
    columnId: idOf(title),
    operator: 'eq',
    value,
  });
  const condition = [about('and', 'Gift', 'true'), about('or', 'Name', 'Flo'), about('and', 'Name', 'Gus')];
  const { base } = await makeForm({}, { Wish: { required: true, meta: { condition } } });
  expect(await send(base, { Name: 'Flo', Gift: true, Wish: 'tea' })).toMatchObject({ status: 200 });
  expect(await rowsOf('Flo')).toMatchObject([{ Wish: 'tea' }]);
  expect(await send(base, { Name: 'flo', Wish: 'milk' })).toMatchObject({ status: 200 });
  expect(await rowsOf('flo')).toMatchObject([{ Wish: null }]);
});

test('a form keeps its dates and its limit of answers, also when many send at once, and gives back what was refused', async () => {
  const day = 86_400_000;
  const at = (days: number) => new Date(Date.now() + days * day).toISOString();
  const closed = await makeForm({ closesAt: at(-1) });
  expect(await send(closed.base, { Name: 'Dan' })).toMatchObject({ body: { msg: 'This form is closed.' } });
  const early = await makeForm({ opensAt: at(1) });
  expect(await send(early.base, { Name: 'Dan' })).toMatchObject({
    body: { msg: 'This form is not open yet.' },
  });
  const { base } = await makeForm({ mostAnswers: 3 });
  // The column refuses it, after the form let it pass.
  expect(await send(base, { Name: 'Dan', Pieces: 'many' })).toMatchObject({ status: 400 });
  const sent = await Promise.all(Array.from({ length: 6 }, () => send(base, { Name: 'Dan' })));
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(sent.find(({ status }) => status === 400)?.body.msg).toBe('This form takes no more answers.');
  expect(await rowsOf('Dan')).toHaveLength(3);
});

/** Why a form takes no answer, as its page is told when it is opened. */
const closedTo = async ({ base }: Made, client: TestClient = server.client) =>
  (await client.get<{ closed?: { code: string; msg: string } }>(base.replace(/rows$/, 'meta'))).body.closed;

test('whoever opens a form that takes no answer from them is told so before they fill it in', async () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const closed = await makeForm({ closesAt: at(-1) });
  expect(await closedTo(closed)).toMatchObject({ code: 'FORM_CLOSED', msg: 'This form is closed.' });
  expect(await closedTo(await makeForm({ opensAt: at(1) }))).toMatchObject({ code: 'FORM_NOT_OPEN' });
  const one = await makeForm({ mostAnswers: 1 });
  expect(await closedTo(one)).toBeUndefined();
  expect(await send(one.base, { Name: 'Hal' })).toMatchObject({ status: 200 });
  expect(await closedTo(one)).toMatchObject({ code: 'FORM_FULL' });
  const once = await makeForm({ oncePerPerson: true });
  expect(await owner.post(once.base, { data: { Code: 'x', Name: 'Hal' } })).toMatchObject({ status: 200 });
  expect(await closedTo(once, owner)).toMatchObject({ code: 'FORM_ANSWERED' });
  expect(await closedTo(once)).toBeUndefined();
});

test('a form takes dates that come, the end after the beginning, and no others', async () => {
  const { id } = await makeForm({ opensAt: '2026-03-01T10:00Z', closesAt: '2026-03-01T10:00:30Z' });
  const set = async (options: object) =>
    (await owner.patch<{ code?: string }>(`${meta}/forms/${id}`, { meta: options })).body.code;
  expect(await set({ closesAt: '2026-13-01T10:00:00Z' })).toBe('FORM_MOMENT');
  expect(await set({ closesAt: '2026-03-01T::Z' })).toBe('FORM_MOMENT');
  expect(await set({ closesAt: '2026-02-30T10:00:00Z' })).toBe('FORM_MOMENT');
  expect(await set({ closesAt: '2026-03-01T10:00:00.000Z' })).toBe('FORM_DATES');
  expect(await set({ closesAt: '', opensAt: '' })).toBeUndefined();
});

test('one answer per person: of an account, and of a browser by a cookie that cannot be made up', async () => {
  const { base } = await makeForm({ oncePerPerson: true });
  const refused = { status: 400, body: { msg: expect.stringContaining('already') } };
  const ask = (client: TestClient, headers = {}) =>
    client.with({ headers }).post(base, { data: { Code: 'x', Name: 'Eve' } });
  expect(await ask(owner)).toMatchObject({ status: 200 });
  expect(await ask(owner)).toMatchObject(refused);
  const first = await ask(server.client);
  expect(first.status).toBe(200);
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(cookie).toMatch(/^trellis_sender=/);
  expect(await ask(server.client, { cookie })).toMatchObject(refused);
  expect(await ask(server.client, { cookie: 'trellis_sender=me.forged' })).toMatchObject({ status: 200 });
});

test('one answer per person: what a browser sent before its person signed in is found, and is told when the form is opened', async () => {
  const [form, other] = [await makeForm({ oncePerPerson: true }), await makeForm({ oncePerPerson: true })];
  const ask = (to: typeof form, client: TestClient) =>
    client.post<{ code?: string }>(to.base, { data: { Code: 'x', Name: 'Ina' } });
  const sent = await ask(form, server.client);
  const cookie = sent.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ina = await server.signUp('ina@example.com');
  const here = ina.with({ headers: { cookie } });
  expect(await closedTo(form, here)).toMatchObject({ code: 'FORM_ANSWERED' });
  expect(await ask(form, here)).toMatchObject({ status: 400, body: { code: 'FORM_ANSWERED' } });
  // They have sent nothing by another form, and nobody knows what they sent by another browser.
  expect((await ask(other, here)).status).toBe(200);
  expect((await ask(form, ina.with({ headers: { cookie: 'trellis_sender=me.forged' } }))).status).toBe(200);
  expect(await rowsOf('Ina')).toHaveLength(3);
});

test('one answer per person, also when somebody sends many at once', async () => {
  const { base } = await makeForm({ oncePerPerson: true });
  const ask = (client: TestClient, headers = {}) =>
    client.with({ headers }).post(base, { data: { Code: 'x', Name: 'Flo' } });
  const first = await ask(server.client);
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const again = await makeForm({ oncePerPerson: true });
  const sent = (client: TestClient, headers = {}) =>
    Promise.all(
      Array.from({ length: 6 }, () =>
        client.with({ headers }).post(again.base, { data: { Code: 'x', Name: 'Gus' } }),
      ),
    );
  // One browser is one person in every form that it fills in.
  for (const answers of [await sent(server.client, { cookie }), await sent(owner)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await rowsOf('Gus')).toHaveLength(2);
});

test('programs that fill in everything, or at once, are answered as people are, and nothing is kept of it', async () => {
  const { base } = await makeForm({ mostAnswers: 1 });
  const opened = async () =>
    (await server.client.get<{ handed?: string }>(base.replace(/rows$/, 'meta'))).body.handed;
  const answer = { Name: 'Bot', Pieces: '3', Wish: 'tea' };
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const sign = await opened();
  const trapped = [
    await send(base, answer, { second_subject: 'http://spam' }),
    await send(base, answer, { second_subject: '', opened: sign }),
  ];
  expect(await rowsOf('Bot')).toEqual([]);
  // What a sender says of its haste is nothing, and what is wrong is told to anybody.
  expect(await send(base, { ...answer, Mail: 'bot' }, { second_subject: 'x' })).toMatchObject({
    status: 400,
  });
  now += 1000;
  const taken = await send(base, answer, { second_subject: '', opened: sign });
  expect(await rowsOf('Bot')).toHaveLength(1);
  for (const { status, body } of trapped) expect({ status, body }).toEqual({ status: 200, body: taken.body });
});

test('a sign of when a form was opened that another server made, or nobody, holds no answer up', async () => {
  const { base } = await makeForm();
  for (const opened of [undefined, '', '0.x', `${Math.round(performance.now())}.${'A'.repeat(43)}`, 7, {}])
    expect(await send(base, { Name: 'Ivy' }, { opened })).toMatchObject({ status: 200 });
  expect(await rowsOf('Ivy')).toHaveLength(6);
});

test('a flood from one address is refused', async () => {
  const { base } = await makeForm({ mostPerMinute: 2 });
  const statuses = [];
  for (const Name of ['Jo', 'Jo', 'Jo']) statuses.push((await send(base, { Name })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('who is signed in is counted as themselves and not with the others behind their address, and has no rights more', async () => {
  // However long the machine takes, it is one minute in which they are counted.
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { base } = await makeForm({ mostPerMinute: 2, oncePerPerson: true }, { Secret: { show: false } });
  const clerk = await server.signUp('clerk@example.com');
  const ask = (client: TestClient) => client.post(base, { data: { Code: 'x', Name: 'Una', Secret: 'y' } });
  expect([(await ask(server.client)).status, (await ask(server.client)).status]).toEqual([200, 200]);
  expect((await ask(server.client)).status).toBe(429);
  expect((await ask(clerk)).status).toBe(200);
  const { body: token } = await owner.post<{ token: string }>(
    `/api/v1/db/meta/projects/${table.project_id}/api-tokens`,
    { description: 'Clerk' },
  );
  const program = server.client.with({ headers: { 'xc-token': token.token } });
  expect((await ask(program)).status).toBe(200);
  // It is the owner who has answered now.
  expect(await ask(owner)).toMatchObject({ status: 400, body: { code: 'FORM_ANSWERED' } });
  expect(await rowsOf('Una')).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ Secret: null })),
  );
});

test('a field may be called what every object has, and is left empty by who leaves it out', async () => {
  const { body: parts } = await owner.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
    title: 'Parts',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'constructor', uidt: 'SingleLineText' },
      { title: 'valueOf', uidt: 'Attachment' },
    ],
  });
  const path = `${meta}/tables/${parts.id}`;
  const link = { title: 'toString', uidt: 'LinkToAnotherRecord', type: 'mm', parentId: parts.id };
  await owner.post(`${path}/columns`, { ...link, childId: table.id });
  const form = await owner.post<{ id: string }>(`${path}/forms`, { title: 'Parts' });
  const { body } = await owner.post<{ uuid: string }>(`${meta}/views/${form.body.id}/share`, {});
  const sent = await server.client.post(`/api/v1/db/public/shared-view/${body.uuid}/rows`, {
    data: { Name: 'Screw' },
  });
  expect(sent).toMatchObject({ status: 200, body: { Name: 'Screw' } });
  const kept = await owner.get<{ list: readonly object[] }>('/api/v1/db/data/noco/Shop/Parts');
  expect(kept.body.list).toMatchObject([{ Name: 'Screw', constructor: null, valueOf: null }]);
});

test('strangers are not told who gets mail', async () => {
  const { base } = await makeForm({ emails: { 'boss@example.com': true }, heading: 'Hello' });
  const told = await server.client.get(base.replace(/rows$/, 'meta'));
  expect(told).toMatchObject({ status: 200, body: { view: { meta: { heading: 'Hello' } } } });
  expect(JSON.stringify(told.body)).not.toContain('boss@example.com');
});

test('a field for owners and creators alone is in nothing that strangers are told, nor in what they send', async () => {
  const { base, columnId } = await makeForm({}, { Secret: { required: true, meta: { creatorsOnly: true } } });
  const told = await server.client.get(base.replace(/rows$/, 'meta'));
  expect(JSON.stringify(told.body)).not.toContain('Secret');
  expect(JSON.stringify(told.body)).not.toContain(idOf('Secret'));
  // It is required of those alone who are asked.
  const sent = await send(base, { Name: 'Ida', Secret: 'smuggled' });
  expect(sent).toMatchObject({ status: 200 });
  expect(sent.body).not.toHaveProperty('Secret');
  expect(await rowsOf('Ida')).toMatchObject([{ Name: 'Ida', Secret: null }]);
  const keep = (title: string, options: object) =>
    owner.patch<{ code?: string }>(`${meta}/form-columns/${columnId(title)}`, { meta: options });
  const about = (title: string) => [
    { kind: 'condition', logicalOp: 'and', columnId: idOf(title), operator: 'eq', value: 'x' },
  ];
  const refused = (code: string) => ({ status: 400, body: { code } });
  expect(await keep('Mail', { condition: about('Secret') })).toMatchObject(refused('FORM_CONDITION_FIELD'));
  expect(await keep('Mail', { condition: about('Wish') })).toMatchObject({ status: 200 });
  expect(await keep('Wish', { creatorsOnly: true })).toMatchObject(refused('FORM_CREATORS_ASKED'));
  expect(await keep('Code', { creatorsOnly: true })).toMatchObject(refused('FORM_CREATORS_NEEDED'));
  expect(await keep('Mail', { creatorsOnly: true })).toMatchObject({ status: 200 });
  expect(await keep('Wish', { creatorsOnly: true })).toMatchObject({ status: 200 });
});

test('what a condition asks of is not told to strangers who do not see that field, however it came to be hidden', async () => {
  const asks = (title: string, value: string) => ({
    kind: 'condition',
    logicalOp: 'or',
    columnId: idOf(title),
    operator: 'eq',
    value,
  });
  const condition = [asks('Wish', 'all'), asks('Secret', 'GUARDED')];
  const { base, columnId } = await makeForm({}, { Mail: { meta: { condition } } });
  const keep = (title: string, body: object) =>
    owner.patch<{ code?: string }>(`${meta}/form-columns/${columnId(title)}`, body);
  const told = async () => JSON.stringify((await server.client.get(base.replace(/rows$/, 'meta'))).body);
  const expectUntold = async () => {
    for (const word of ['GUARDED', idOf('Secret')]) expect(await told()).not.toContain(word);
  };
  expect(await told()).toContain('GUARDED');
  expect(await keep('Secret', { show: false })).toMatchObject({ status: 200 });
  await expectUntold();
  expect(await send(base, { Name: 'Kim', Mail: 'kim@example.com' })).toMatchObject({ status: 200 });
  expect(await rowsOf('Kim')).toMatchObject([{ Mail: null }]);
  // What else the condition asks of still decides.
  expect(await told()).toContain('"value":"all"');
  expect(await send(base, { Name: 'Lou', Wish: 'all', Mail: 'lou@example.com' })).toMatchObject({
    status: 200,
  });
  expect(await rowsOf('Lou')).toMatchObject([{ Mail: 'lou@example.com' }]);
  expect(await keep('Secret', { meta: { creatorsOnly: true } })).toMatchObject({ status: 200 });
  await expectUntold();
  const refused = { status: 400, body: { code: 'FORM_CREATORS_ASKED' } };
  expect(await keep('Secret', { show: true })).toMatchObject(refused);
  // Nor can the field that asks be hidden meanwhile, and shown when the other one is.
  expect(await keep('Mail', { show: false })).toMatchObject({ status: 200 });
  expect(await keep('Secret', { show: true })).toMatchObject({ status: 200 });
  expect(await keep('Mail', { show: true })).toMatchObject({
    status: 400,
    body: { code: 'FORM_CONDITION_FIELD' },
  });
  await expectUntold();
  expect(await keep('Mail', { show: true, meta: { condition: [] } })).toMatchObject({ status: 200 });
});

test('whom the form names gets a mail of each answer, with the labels and answers of its fields', async () => {
  const { base } = await makeForm(
    { heading: 'Orders', emails: { 'boss@example.com': true, 'off@example.com': false } },
    { Name: { label: 'Your name' } },
  );
  const mailed = new Promise<void>((resolve) => (didMail = resolve));
  expect(await send(base, { Name: 'Jo', Wish: 'tea' })).toMatchObject({ status: 200 });
  await mailed;
  const ofAnswer = mails.filter(({ subject }) => subject === 'New answer: Orders');
  expect(ofAnswer).toMatchObject([{ to: ['boss@example.com'] }]);
  expect(ofAnswer[0]?.text).toContain('Your name: Jo');
  expect(ofAnswer[0]?.text).toContain('Wish: tea');
});

test('an address that is refused keeps no other from the mail of an answer', async () => {
  const { base } = await makeForm(
    { heading: 'Refused', emails: { 'gone@example.com': true, 'boss@example.com': true } },
    {},
  );
  refused.add('gone@example.com');
  const mailed = new Promise<void>((resolve) => (didMail = resolve));
  expect(await send(base, { Name: 'Jo' })).toMatchObject({ status: 200 });
  await mailed;
  expect(mails.filter(({ subject }) => subject === 'New answer: Refused')).toMatchObject([
    { to: ['boss@example.com'] },
  ]);
  refused.clear();
});

test('whoever made a form is told in the page of the mails for its answers that nobody took for two days, and why', async () => {
  const { id, base } = await makeForm({ heading: 'Lost', emails: { 'boss@example.com': true } }, {});
  const waiting = () => owner.get<{ readonly waiting: number }>('/api/v1/mail');
  const before = (await waiting()).body.waiting;
  refused.add('boss@example.com');
  expect(await send(base, { Name: 'Jo' })).toMatchObject({ status: 200 });
  await askUntil(waiting, ({ body }) => body.waiting > before);
  const job = server.host.registries.get('jobs').get('sys-mail.send');
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const now = Date.now();
  // Tried once more, and given up then.
  for (const later of [2 * 60_000, 3 * 24 * 3600_000]) {
    jest.spyOn(Date, 'now').mockReturnValue(now + later);
    await job?.run({ signal: new AbortController().signal, logger });
    jest.restoreAllMocks();
  }
  refused.clear();
  expect((await waiting()).body).toMatchObject({ waiting: 0 });
  const told = await owner.get<{ readonly list: readonly object[] }>(
    '/api/v1/plugins/notification-center/notices',
  );
  expect(told.body.list).toContainEqual(
    expect.objectContaining({
      kind: 'form-mail-lost',
      table: expect.objectContaining({ id: table.id }),
      opens: { param: 'view', value: id },
      reason: expect.objectContaining({
        code: 'ADAPTER_FAILED',
        msg: expect.stringContaining('failed to send mail'),
      }),
    }),
  );
});

test('the mail of an answer is sent later where the mail server was away, once this site has an address', async () => {
  const { base } = await makeForm({ heading: 'Away', emails: { 'boss@example.com': true } }, {});
  await server.host.plugins.saveSettings('sys-mail', { siteUrl: 'https://tables.example.com' });
  refused.add('boss@example.com');
  expect(await send(base, { Name: 'Jo' })).toMatchObject({ status: 200 });
  const mailPath = '/api/v1/mail';
  await askUntil(
    () => owner.get<{ readonly waiting: number; readonly problem: unknown }>(mailPath),
    ({ body }) => body.waiting === 1 && body.problem !== null,
  );
  refused.clear();
  expect((await owner.put(`${mailPath}/default`, { sender: 'post' })).status).toBe(200);
  const job = server.host.registries.get('jobs').get('sys-mail.send');
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  await job?.run({ signal: new AbortController().signal, logger });
  const ofAnswer = mails.filter(({ subject }) => subject === 'New answer: Away');
  expect(ofAnswer).toMatchObject([{ to: ['boss@example.com'], text: expect.stringContaining('Jo') }]);
});

test('dates are held to the earliest and the latest, and every rule may have words of its own', async () => {
  const addColumn = (title: string, uidt: string) =>
    owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, { title, uidt });
  await addColumn('Day', 'Date');
  const formerly = table;
  table = (await addColumn('At', 'DateTime')).body;
  const { base, columnId } = await makeForm(
    {},
    {
      Name: { required: true, meta: { requiredMessage: 'Who are you?' } },
      Pieces: { meta: { least: 1, most: 9, leastMessage: 'Take one.', mostMessage: 'Leave some.' } },
      Day: { show: true, meta: { earliest: '2026-06-01', latest: '2026-06-30' } },
      At: { show: true, meta: { latest: '2026-06-10T12:00:00Z', mostMessage: 'In the morning.' } },
    },
  );
  const msg = (text: string) => ({ status: 400, body: { msg: text } });
  expect(await send(base, {})).toMatchObject(msg('Who are you?'));
  expect(await send(base, { Name: 'Ivy', Pieces: 0 })).toMatchObject(msg('Take one.'));
  expect(await send(base, { Name: 'Ivy', Pieces: 10 })).toMatchObject(msg('Leave some.'));
  expect(await send(base, { Name: 'Ivy', Day: '2026-05-31' })).toMatchObject(
    msg('“Day” must be 2026-06-01 or later.'),
  );
  expect(await send(base, { Name: 'Ivy', Day: '2026-07-01' })).toMatchObject(
    msg('“Day” must be 2026-06-30 or earlier.'),
  );
  expect(await send(base, { Name: 'Ivy', At: '2026-06-10 12:00:01+00:00' })).toMatchObject(
    msg('In the morning.'),
  );
  const kept = { Name: 'Ivy', Day: '2026-06-30', At: '2026-06-10 12:00:00+00:00' };
  expect(await send(base, kept)).toMatchObject({ status: 200 });
  const day = `${meta}/form-columns/${columnId('Day')}`;
  for (const [earliest, code] of [
    ['2026-07-01', 'FORM_FIELD_DATES'],
    ['2026-02-30', 'FORM_MOMENT'],
    ['soon', 'VIEW_OPTIONS_INVALID'],
  ])
    expect(await owner.patch(day, { meta: { earliest } })).toMatchObject({ status: 400, body: { code } });
  for (const title of ['Day', 'At']) await owner.delete(`${meta}/columns/${idOf(title)}`);
  table = formerly;
});

test('a condition asks of links whether there are any, and no more', async () => {
  const guests = await owner.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
    title: 'Guest',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  await owner.post('/api/v1/db/data/noco/Shop/Guest', { Name: 'Kim' });
  const formerly = table;
  const link = {
    title: 'Guests',
    uidt: 'LinkToAnotherRecord',
    type: 'mm',
    parentId: table.id,
    childId: guests.body.id,
  };
  table = (await owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, link)).body;
  const { base, columnId } = await makeForm({}, { Guests: { show: true, order: 0 } });
  const about = (operator: string) => [
    { kind: 'condition', logicalOp: 'and', columnId: idOf('Guests'), operator, value: 'Kim' },
  ];
  const wish = `${meta}/form-columns/${columnId('Wish')}`;
  for (const operator of ['eq', 'like'])
    expect(await owner.patch(wish, { meta: { condition: about(operator) } })).toMatchObject({
      status: 400,
      body: { code: 'FORM_CONDITION' },
    });
  for (const operator of ['empty', 'notempty', 'blank', 'notblank'])
    expect(await owner.patch(wish, { required: true, meta: { condition: about(operator) } })).toMatchObject({
      status: 200,
    });
  for (const none of [{}, { Guests: [] }])
    expect(await send(base, { Name: 'Joe', ...none })).toMatchObject({ status: 200 });
  expect(await send(base, { Name: 'Joe', Guests: [{ Id: 1 }] })).toMatchObject({
    status: 400,
    body: { msg: 'Please answer “Wish”.' },
  });
  expect(await send(base, { Name: 'Joe', Guests: [{ Id: 1 }], Wish: 'tea' })).toMatchObject({ status: 200 });
  await owner.delete(`${meta}/columns/${idOf('Guests')}`);
  table = formerly;
});
