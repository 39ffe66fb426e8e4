import { afterEach, describe, expect, test } from '@jest/globals';
import type { LiveEvent } from '@trellis/sdk/shared';
import { aProject, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { MemberEntity } from '../shared/index.ts';
import { InviteDialog } from './InviteDialog.tsx';
import TeamTab from './TeamTab.tsx';

const project = aProject({
  id: 'p_1',
  title: 'Atlas',
  role: 'owner',
  permissions: [
    'userList',
    'userInvite',
    'projectUserUpdate',
    'projectUserDelete',
    'projectUserInviteResend',
  ],
});
const users = '/api/v1/db/meta/projects/p_1/users';
const tab = { type: 'team', key: 'team', name: 'Team' };

function person(patch: Partial<MemberEntity>): MemberEntity {
  return {
    id: 'us_2',
    email: 'bob@example.com',
    firstname: null,
    lastname: null,
    picture: null,
    main_roles: 'user',
    project_id: 'p_1',
    roles: 'editor',
    custom_role: null,
    disabled: false,
    invite_token: null,
    created_at: '2026-11-01 10:00:00',
    invited_until: null,
    ...patch,
  };
}

function page(...list: readonly MemberEntity[]) {
  const pageInfo = { totalRows: list.length, page: 1, pageSize: 25, isFirstPage: true, isLastPage: true };
  return { users: { list, pageInfo } };
}

function show(api: MemoryHostOptions['api'], element = <TeamTab project={project} tab={tab} />) {
  const memory = renderWithHost(element, { user: { id: 'us_1' }, api });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('the team of a project', () => {
  test('hands the project over to somebody once it is agreed to', async () => {
    const handOver = '/api/v1/plugins/sys-members/projects/p_1/hand-over';
    const { requests, questions } = renderWithHost(<TeamTab project={project} tab={tab} />, {
      user: { id: 'us_1' },
      confirm: () => true,
      api: {
        [`GET ${users}`]: page(person({ id: 'us_1', email: 'ann@example.com', roles: 'owner' }), person({})),
        [`POST ${handOver}`]: { msg: 'success' },
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'What to do with bob@example.com' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hand the project over' }));
    await waitFor(() =>
      expect(requests.find(({ path }) => path === handOver)?.body).toEqual({ user_id: 'us_2' }),
    );
    expect(questions).toMatchObject([{ title: 'Hand Atlas over to bob@example.com?' }]);
  });

  test('invites people with a role of the project, once it has some', async () => {
    const role = { id: `ro_${'1'.repeat(32)}`, title: 'Guests', description: 'Sees no pay', base: 'editor' };
    const of = { ...project, permissions: [...(project.permissions ?? []), 'customRoleList'] };
    const { user, requests } = show(
      {
        'GET /api/v1/plugins/sys-members/projects/p_1/roles': { list: [role], permissions: [] },
        [`POST ${users}`]: { people: [] },
      },
      <InviteDialog project={of} onClose={() => undefined} />,
    );
    await user.type(screen.getByLabelText('E-mail'), 'bob@example.com, cid@example.com');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Guests');
    expect(screen.getByText('Sees no pay')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
        email: 'bob@example.com,cid@example.com',
        custom_role: role.id,
      }),
    );
  });

  test('shows who is there with their roles, and changes those of others', async () => {
    const { user, requests } = show({
      [`GET ${users}`]: page(person({ id: 'us_1', email: 'ann@example.com', roles: 'owner' }), person({})),
      [`PATCH ${users}/us_2`]: { msg: 'User details updated successfully' },
    });
    const me = await screen.findByText('ann@example.com');
    expect(within(me.closest('li') as HTMLElement).queryByRole('combobox')).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role of bob@example.com' }), 'viewer');
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
        roles: 'viewer',
        project_id: 'p_1',
      }),
    );
  });

  test('keeps showing a chosen role until the list says it, and takes no other meanwhile', async () => {
    let roles: MemberEntity['roles'] = 'editor';
    const patches: (() => void)[] = [];
    const lists: (() => void)[] = [];
    let waits = false;
    const { user } = show(async ({ method }) => {
      if (method === 'PATCH') {
        await new Promise<void>((resolve) => patches.push(resolve));
        return { msg: 'success' };
      }
      if (waits) await new Promise<void>((resolve) => lists.push(resolve));
      return page(person({ roles }));
    });
    const role = await screen.findByRole('combobox', { name: 'Role of bob@example.com' });
    waits = true;
    await user.selectOptions(role, 'viewer');
    expect(role).toHaveProperty('value', 'viewer');
    await user.selectOptions(role, 'creator');
    expect(patches).toHaveLength(1);
    await act(async () => patches[0]?.());
    await waitFor(() => expect(lists).toHaveLength(1));
    expect(role).toHaveProperty('value', 'viewer');
    roles = 'viewer';
    await act(async () => lists[0]?.());
    expect(role).toHaveProperty('value', 'viewer');
  });

  test('tells whose account is disabled', async () => {
    show({ [`GET ${users}`]: page(person({ disabled: true })) });
    expect((await screen.findByText('disabled')).closest('li')?.textContent).toContain('bob@example.com');
  });

  test.each<[string, LiveEvent]>([
    ['change its members', { kind: 'projects' }],
    ['invite somebody', { kind: 'objects', projectId: 'p_1', objectKind: 'team', requestId: 'r_1' }],
  ])('is read again when others %s', async (_what, event) => {
    const list = [person({})];
    const { receive } = show(() => page(...list));
    expect(await screen.findByText('bob@example.com')).toBeTruthy();
    list.push(person({ id: 'us_3', email: 'eve@example.com' }));
    act(() => receive(event));
    expect(await screen.findByText('eve@example.com')).toBeTruthy();
  });

  test('is invited to once, and the answer with the links is waited for', async () => {
    let answer = (_added: object) => {};
    const gate = new Promise<object>((resolve) => {
      answer = resolve;
    });
    const closed: string[] = [];
    const { user, requests } = show(
      ({ method }) => (method === 'POST' ? gate : page()),
      <InviteDialog project={project} onClose={() => closed.push('closed')} />,
    );
    const field = await screen.findByRole('textbox', { name: 'E-mail' });
    fireEvent.change(field, { target: { value: 'eve@example.com' } });
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(requests).toEqual([]);
    await user.type(field, '{Enter}{Enter}');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(closed).toEqual([]);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    const invited = { email: 'eve@example.com', outcome: 'link', invite_token: 'secret' };
    await act(async () => answer({ people: [invited] }));
    expect(await screen.findByDisplayValue(/secret/)).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(closed).toEqual(['closed']));
  });

  test('removes somebody only after a yes', async () => {
    let agrees = false;
    const api = { [`GET ${users}`]: page(person({})), [`DELETE ${users}/us_2`]: { msg: 'success' } };
    const confirm = () => agrees;
    const { requests, questions } = renderWithHost(<TeamTab project={project} tab={tab} />, { api, confirm });
    const user = userEvent.setup();
    const remove = async () => {
      await user.click(await screen.findByRole('button', { name: 'What to do with bob@example.com' }));
      await user.click(screen.getByRole('menuitem', { name: 'Remove from the project' }));
    };
    await remove();
    expect(questions.map(({ title }) => title)).toEqual(['Remove bob@example.com?']);
    agrees = true;
    await remove();
    await waitFor(() => expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
  });

  test('gives a new link of an invitation', async () => {
    const invited = person({ id: 'in_1', email: 'cid@example.com', invited_until: '2999-01-01 00:00:00' });
    const { user } = show({
      [`GET ${users}`]: page(invited),
      'POST /api/v1/plugins/sys-members/projects/p_1/invitations/in_1/link': { invite_token: 'abc' },
    });
    await user.click(await screen.findByRole('button', { name: 'What to do with cid@example.com' }));
    await user.click(screen.getByRole('menuitem', { name: 'Make a new invite link' }));
    const link = await screen.findByLabelText<HTMLInputElement>('Invite link of cid@example.com');
    expect(link.value).toMatch(/#\/user\/authentication\/signup\/abc$/);
  });
});

describe('inviting people', () => {
  const dialog = <InviteDialog project={project} onClose={() => undefined} />;

  test('says which addresses are none, and asks the server for nothing then', async () => {
    const { user, requests } = show({}, dialog);
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail is required');
    await user.type(screen.getByLabelText('E-mail'), 'ann@example.com, bad');
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    expect((await screen.findByRole('alert')).textContent).toBe('"bad" - invalid email');
    expect(requests.some(({ method }) => method === 'POST')).toBe(false);
  });

  test('says that the address of the site is missing where mail itself is set up', async () => {
    const people = [{ email: 'cid@example.com', invite_token: 'abc', outcome: 'link' }];
    const { user } = show(
      { [`POST ${users}`]: { email: 'cid@example.com', people, mail_lacks: 'address' } },
      dialog,
    );
    await user.type(screen.getByLabelText('E-mail'), 'cid@example.com');
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    expect(await screen.findByText(/The address of this site is not set/)).toBeTruthy();
    expect(screen.queryByText(/have not configured mailer/)).toBeNull();
  });

  test('shows the links where no mail goes out, who was refused, and goes on to the next', async () => {
    const { user, requests } = show(
      {
        [`POST ${users}`]: {
          emails: ['cid@example.com'],
          people: [{ email: 'cid@example.com', invite_token: 'abc', outcome: 'link' }],
          error: [{ email: 'bob@example.com', error: 'He is there already' }],
        },
      },
      dialog,
    );
    await user.type(screen.getByLabelText('E-mail'), 'cid@example.com,bob@example.com');
    await user.click(screen.getByRole('radio', { name: 'viewer' }));
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    expect(await screen.findByText(/Looks like you have not configured mailer yet/)).toBeTruthy();
    // Whoever cannot set it up is led nowhere.
    expect(screen.queryByRole('link', { name: 'Set up mail in the app store' })).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Invite link of cid@example.com').value).toMatch(
      /signup\/abc$/,
    );
    expect(screen.getByText(/He is there already/)).toBeTruthy();
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'cid@example.com,bob@example.com',
      roles: 'viewer',
    });
    await user.click(screen.getByRole('button', { name: 'Invite more' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('E-mail').value).toBe('');
  });
});
