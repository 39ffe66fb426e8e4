import { afterEach, expect, test } from '@jest/globals';
import { fillTemplate } from '@trellis/sdk/shared';
import { aProject, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import type { WebViewType } from '@trellis/sdk/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AuditEntity } from '../shared/index.ts';
import { wordsOf } from './audit-words.ts';
import AuditTab from './AuditTab.tsx';
import ServerAuditPanel from './ServerAuditPanel.tsx';

const project = aProject({
  id: 'p_1',
  title: 'Atlas',
  role: 'owner',
  permissions: ['auditList', 'userList'],
});
const meta = '/api/v1/db/meta/projects/p_1';

function line(patch: Partial<AuditEntity>): AuditEntity {
  return {
    id: 'adt_1',
    user: 'ann@example.com',
    ip: null,
    base_id: 'ds_1',
    project_id: 'p_1',
    fk_model_id: 'md_1',
    table_title: 'City',
    row_id: 'a b',
    row_count: 1,
    op_type: 'DATA',
    op_sub_type: 'UPDATE',
    status: null,
    description: 'a b updated in City',
    details: null,
    changes: [],
    created_at: '2026-11-01 10:00:00',
    updated_at: '2026-11-01 10:00:00',
    ...patch,
  };
}

function show(
  list: readonly AuditEntity[],
  totalRows = list.length,
  registries: MemoryHostOptions['registries'] = {},
) {
  const memory = renderWithHost(<AuditTab project={project} />, {
    registries,
    api: {
      [`GET ${meta}/audits`]: { list, pageInfo: { totalRows } },
      [`GET ${meta}/tables`]: { list: [{ id: 'md_1', title: 'City' }] },
      [`GET ${meta}/users`]: { users: { list: [{ email: 'ann@example.com' }] } },
    },
  });
  const asked = () => memory.requests.findLast(({ path }) => path.endsWith('/audits'))?.query;
  return { ...memory, asked, user: userEvent.setup() };
}

afterEach(cleanup);

test('a line says what was done by whom, and leads to its row', async () => {
  show([
    line({}),
    line({ id: 'adt_2', row_id: null, row_count: 12, op_sub_type: 'BULK_INSERT' }),
    line({ id: 'adt_3', op_sub_type: 'DELETE' }),
    line({
      id: 'adt_4',
      op_type: 'AUTHENTICATION',
      table_title: null,
      row_id: null,
      description: 'Bob came',
    }),
  ]);
  const lines = within(await screen.findByRole('list', { name: 'What was done' })).getAllByRole('listitem');
  const [changed, added, deleted, people] = lines.map((of) => within(of));
  expect(changed?.getByText('Changed row a b')).toBeTruthy();
  const place = changed?.getByRole('link', { name: 'City, row a b' }).getAttribute('href') ?? '';
  expect(place).toContain('dbalias=md_1');
  expect(place).toContain('row=a+b');
  expect(added?.getByText('Added 12 rows')).toBeTruthy();
  expect(deleted?.getByRole('link', { name: 'City' }).getAttribute('href')).not.toContain('row=');
  expect(people?.getByText('Bob came')).toBeTruthy();
  expect(people?.queryByRole('link')).toBeNull();
});

test('a line shows what was otherwise before, three changes at first, and no HTML of anybody', async () => {
  const change = (what: string, from: string | null, to: string | null) => ({
    what,
    is_word: false,
    from,
    to,
  });
  const { user } = show([
    line({
      changes: [
        change('Name', 'Oslo', '<b>Kristiania</b>'),
        change('People', '7', null),
        change('Mayor', null, 'Ida'),
        change('River', 'Aker', 'Akerselva'),
      ],
    }),
  ]);
  const changes = await screen.findByRole('list', { name: 'What changed' });
  expect(changes.textContent).toContain('NameOslo<b>Kristiania</b>');
  expect(within(changes).queryByText('River')).toBeNull();
  await user.click(within(changes).getByRole('button', { name: 'One more' }));
  expect(within(changes).getByText('Akerselva')).toBeTruthy();
});

test('a line calls types of views as people choose them', async () => {
  const change = { what: 'Type', is_word: true, from: 'kanban', to: 'grid' };
  show([line({ changes: [change] })], 1, {
    viewTypes: [
      { id: 'kanban', label: 'Board' } as WebViewType,
      { id: 'grid', label: 'Table' } as WebViewType,
    ],
  });
  const changes = await screen.findByRole('list', { name: 'What changed' });
  expect(changes.textContent).toBe('TypeBoardTable');
});

test('the list says that rows were changed since it was read, and shows what was done to them', async () => {
  let list = [line({ row_id: 'a' })];
  const memory = renderWithHost(<AuditTab project={project} />, {
    api: ({ path }) => {
      if (path === `${meta}/audits`) return { list, pageInfo: { totalRows: list.length } };
      if (path === `${meta}/tables`) return { list: [{ id: 'md_1', title: 'City' }] };
      return { users: { list: [] } };
    },
  });
  await screen.findByText('Changed row a');
  await screen.findByRole('option', { name: 'City' });
  expect(screen.queryByText(/there are newer entries/)).toBeNull();
  list = [line({ id: 'adt_2', row_id: 'b' }), ...list];
  const event = { projectId: 'p_1', tableId: 'md_1', seq: 7, requestId: 'other' };
  act(() => memory.receive({ kind: 'rowsReset', ...event }));
  await screen.findByText(/there are newer entries/);
  expect(screen.queryByText('Changed row b')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show them' }));
  await screen.findByText('Changed row b');
  expect(screen.queryByText(/there are newer entries/)).toBeNull();
  // Nor is it said of lines that are read for another question.
  act(() => memory.receive({ kind: 'rowsReset', ...event, seq: 8 }));
  await screen.findByText(/there are newer entries/);
  list = [line({ id: 'adt_3', row_id: 'c' }), ...list];
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Rows');
  await screen.findByText('Changed row c');
  expect(screen.queryByText(/there are newer entries/)).toBeNull();
});

test('every kind of line that a project has is called by a name, and can be asked for', async () => {
  const kinds = {
    WEBHOOKS: 'Webhooks',
    AUTOMATIONS: 'Automations',
    SCHEDULES: 'Schedules',
    META: 'Settings',
  };
  show(
    Object.keys(kinds).map((op_type) => line({ id: op_type, op_type, op_sub_type: 'CREATED', row_id: null })),
  );
  const list = within(await screen.findByRole('list', { name: 'What was done' }));
  const choice = within(screen.getByRole('combobox', { name: 'Kind' }));
  for (const name of Object.values(kinds)) {
    expect(list.getByRole('img', { name })).toBeTruthy();
    expect(choice.getByRole('option', { name })).toBeTruthy();
  }
});

test('the lines of a person, a kind, a table and some days are asked for, and all of them again', async () => {
  const { user, asked } = show([line({ user: 'gone@example.com' })]);
  await user.click(await screen.findByRole('button', { name: 'gone@example.com' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Rows');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Table' }), 'City');
  await user.type(screen.getByLabelText('From'), '2026-11-01');
  await user.type(screen.getByLabelText('Until'), '2026-11-01');
  await waitFor(() =>
    expect(asked()).toMatchObject({
      user: 'gone@example.com',
      op_type: 'DATA',
      fk_model_id: 'md_1',
      from: new Date(2026, 10, 1).toISOString(),
      until: new Date(2026, 10, 2).toISOString(),
      offset: 0,
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Show everything' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show everything' })).toBeNull());
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveProperty('value', '');
  expect(screen.getByLabelText('From')).toHaveProperty('value', '');
});

test('older lines are a page further, and another question begins with the newest', async () => {
  const { user, asked } = show([line({})], 120);
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked()).toMatchObject({ offset: 50 }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'Rows');
  await waitFor(() => expect(asked()).toMatchObject({ offset: 0, op_type: 'DATA' }));
});

test('what was done on the server is shown with addresses, by whom and of which kind, and leads to no table', async () => {
  const path = '/api/v1/plugins/sys-audit/audits';
  const signedIn = line({
    project_id: null,
    fk_model_id: null,
    table_title: null,
    row_id: null,
    op_type: 'AUTHENTICATION',
    op_sub_type: 'SIGNIN',
    ip: '192.0.2.7',
    description: 'ann@example.com signed in',
    said: { text: '{{person}} signed in', values: { person: 'ann@example.com' } },
  });
  const memory = renderWithHost(<ServerAuditPanel />, {
    user: { permissions: ['serverAuditList', 'accountList'] },
    api: {
      [`GET ${path}`]: { list: [signedIn], pageInfo: { totalRows: 1 } },
      'GET /api/v1/users': { list: [{ email: 'ann@example.com' }, { email: 'bob@example.com' }] },
    },
  });
  const list = within(await screen.findByRole('list', { name: 'What was done' }));
  expect(list.getByText('ann@example.com signed in')).toBeTruthy();
  expect(list.getByText('192.0.2.7')).toBeTruthy();
  expect(list.queryByRole('link')).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Table' })).toBeNull();
  await screen.findByRole('option', { name: 'bob@example.com' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'bob@example.com');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Settings');
  await waitFor(() =>
    expect(memory.requests.findLast((request) => request.path === path)?.query).toMatchObject({
      user: 'bob@example.com',
      op_type: 'META',
    }),
  );
});

test('says so where nothing meets the question', async () => {
  show([]);
  expect(await screen.findByText('Nothing was done that meets this')).toBeTruthy();
});

test('a line is said in the language of the reader, with the roles as the page calls them', () => {
  const words: Readonly<Record<string, string>> = {
    '{{person}} was invited as {{role}}': '{{person}} kam mit der Rolle {{role}}',
    editor: 'Bearbeiter',
    Buyer: 'never a text of the page',
  };
  const t: Parameters<typeof wordsOf>[1] = (text, values = {}) => fillTemplate(words[text] ?? text, values);
  const told = (person: string, role: string): Partial<AuditEntity> => ({
    op_type: 'AUTHENTICATION',
    description: `${person} was invited as ${role}`,
    said: { text: '{{person}} was invited as {{role}}', values: { person, role } },
  });
  expect(wordsOf(line(told('bob', 'editor')), t)).toBe('bob kam mit der Rolle Bearbeiter');
  expect(wordsOf(line(told('{{role}}', 'Buyer')), t)).toBe('{{role}} kam mit der Rolle Buyer');
  const old = line({ op_type: 'TABLE', description: 'As it was kept before', said: null });
  expect(wordsOf(old, t)).toBe('As it was kept before');
});
