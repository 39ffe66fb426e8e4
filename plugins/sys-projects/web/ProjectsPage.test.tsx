import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest, type ProjectSource } from '@trellis/sdk/web';
import { aProject, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import BlankProject from './BlankProject.tsx';
import ProjectsPage from './ProjectsPage.tsx';
import SqliteProject from './SqliteProject.tsx';

const zooAs = (role: ProjectEntity['role']) =>
  aProject({ id: 'p_zoo', title: 'Zoo', color: null, role, updated_at: '2026-01-02 03:04:05' });
const zoo = zooAs('owner');
const source = (id: string, label: string, Component: ProjectSource['Component']): ProjectSource => ({
  id,
  label,
  description: '',
  icon: 'plus',
  Component,
});
const projectSources = [
  source('blank', 'Blank project', BlankProject),
  source('sqlite', 'Open a SQLite file', SqliteProject),
];

function Address() {
  return <output>{useLocation().pathname}</output>;
}

function show(
  projects: readonly ProjectEntity[],
  options: MemoryHostOptions = {},
  deleted: readonly object[] = [],
) {
  const answers = (request: ApiRequest & { readonly method: string }) => {
    if (request.path === '/api/v1/db/meta/sqlite-files')
      return { list: [{ name: 'Old_shop.db', bytes: 2048 }], upload: { limit: 0 } };
    if (request.path === '/api/v1/db/meta/deleted-projects') return { list: deleted };
    return request.method === 'GET' ? { list: projects } : zoo;
  };
  const memory = renderWithHost(
    <>
      <ProjectsPage />
      <Address />
    </>,
    { registries: { projectSources }, api: answers, ...options },
  );
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

describe('My Projects', () => {
  test('a project is marked by whole letters of its name, whatever they are made of', async () => {
    show([{ ...zoo, title: 'A🦒 park' }]);
    await screen.findByText('A🦒 park');
    expect(screen.getByText('A🦒')).toBeTruthy();
  });

  test('a newcomer is told how to begin, and each way is offered once', async () => {
    show([]);
    await screen.findByRole('heading', { name: 'Get started by creating a new project' });
    expect(screen.getAllByRole('button', { name: /Blank project/ })).toHaveLength(1);
  });

  test.each([
    ['de', /changed 02\.01\.2026/],
    ['en', /changed Jan 2, 2026/],
  ])('the day of the last change is written as in %s', async (language, day) => {
    document.documentElement.lang = language;
    show([zoo]);
    expect(await screen.findByText(day)).toBeTruthy();
    document.documentElement.lang = '';
  });

  test('a newcomer who may not open databases reads nothing of them', async () => {
    show([], { registries: { projectSources: projectSources.slice(0, 1) } });
    await screen.findByRole('heading', { name: 'Get started by creating a new project' });
    expect(screen.queryByText(/database/)).toBeNull();
  });

  test('a blank project is created by its name and opened', async () => {
    const { user, requests } = show([]);
    await user.click(await screen.findByRole('button', { name: /Blank project/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Project name'), ' Zoo {Enter}');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/nc/p_zoo'));
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({ title: 'Zoo' });
  });

  test('a title is required and at most 50 characters long', async () => {
    const { user, requests } = show([]);
    await user.click(await screen.findByRole('button', { name: /Blank project/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Create project' }));
    expect(dialog.getByRole('alert').textContent).toBe('Project title is required');
    await user.type(dialog.getByLabelText('Project name'), 'x'.repeat(51));
    expect(dialog.getByRole('alert').textContent).toBe('Project title exceeds 50 characters');
    expect(requests.filter((request) => request.method === 'POST')).toEqual([]);
  });

  test('a refusal is shown and what was typed is kept', async () => {
    const { user } = show([], {
      api: (request) => {
        if (request.method === 'GET') return { list: [] };
        throw new ApiError(400, 'Project title already in use');
      },
    });
    await user.click(await screen.findByRole('button', { name: /Blank project/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Project name'), 'Zoo{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('Project title already in use');
    expect(dialog.getByLabelText<HTMLInputElement>('Project name').value).toBe('Zoo');
  });

  test('a SQLite file of the server becomes a project that is named after it', async () => {
    const { user, requests } = show([]);
    await user.click(await screen.findByRole('button', { name: /Open a SQLite file/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('radio', { name: /Old_shop\.db/ }));
    await user.click(dialog.getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/nc/p_zoo'));
    expect(requests.find((request) => request.method === 'POST')?.body).toMatchObject({
      title: 'Old shop',
      external: true,
      bases: [{ type: 'sqlite3', config: { connection: { connection: { filename: 'Old_shop.db' } } } }],
    });
  });

  test('files that were put into the folder meanwhile are listed, and what opening one means is said', async () => {
    const files = [{ name: 'Old_shop.db', bytes: 2048 }];
    const api = ({ path }: ApiRequest) => ({
      list: path.endsWith('/sqlite-files') ? [...files] : [],
      upload: { limit: 0 },
    });
    const { user } = show([], { api });
    await user.click(await screen.findByRole('button', { name: /Open a SQLite file/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByRole('radio', { name: /Old_shop\.db/ });
    files.push({ name: 'Chinook.sqlite', bytes: 1 });
    await user.click(dialog.getByRole('button', { name: 'Look again' }));
    await user.click(await dialog.findByRole('radio', { name: /Chinook/ }));
    expect(dialog.getByText(/"Chinook\.sqlite-wal" beside it/)).toBeTruthy();
  });

  test('deleting a project on an opened database says that the database stays', async () => {
    const opened = { ...zoo, is_meta: false };
    const { user, questions } = show([zoo], {
      api: ({ path }) =>
        path.endsWith(`/${zoo.id}`) ? opened : { list: path.endsWith('/projects') ? [zoo] : [] },
    });
    await user.click(await screen.findByRole('button', { name: 'Actions for Zoo' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(questions[0]?.message).toMatch(/The database itself stays as it is/));
  });

  test('deleting asks for the title and says how long it can be restored', async () => {
    const { user, questions, toasts } = show([zoo]);
    await user.click(await screen.findByRole('button', { name: 'Actions for Zoo' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(toasts[0]?.summary).toBe('Project Zoo deleted'));
    expect(questions[0]).toMatchObject({ danger: true, typeToConfirm: 'Zoo' });
    expect(questions[0]?.message).toMatch(/restored under My Projects for 30 days/);
  });

  test('the menu of a project opens the tabs of its dashboard and holds what plugins add to it', async () => {
    const seen: unknown[] = [];
    const tab = { id: 'cron', label: 'Jobs', icon: 'clock', permission: 'dataRead', Component: () => null };
    const other = { ...tab, id: 'hidden', permission: 'nobodyMay' };
    const { user, visited } = show([zooAs('viewer')], {
      registries: {
        projectSources,
        dashboardTabs: [tab, other, { ...tab, id: 'table', label: 'Table', perObject: true }],
        menuItems: [
          {
            id: 'acme.export',
            menu: 'project',
            label: 'Export',
            run: ({ project }) => void seen.push(project?.id),
          },
        ],
      },
    });
    const open = async () => user.click(await screen.findByRole('button', { name: 'Actions for Zoo' }));
    await open();
    const entries = screen.getAllByRole('menuitem').map((entry) => entry.textContent);
    expect(entries).toEqual(['Jobs', 'Export']);
    await user.click(screen.getByRole('menuitem', { name: 'Export' }));
    await open();
    await user.click(screen.getByRole('menuitem', { name: 'Jobs' }));
    expect([seen, visited]).toEqual([['p_zoo'], ['/nc/p_zoo?name=Jobs&dbalias=cron&type=cron']]);
  });

  test('a deleted project is restored from the end of the page', async () => {
    const gone = {
      id: 'p_9',
      title: 'Gone',
      deleted_at: '2026-03-01 10:00:00',
      drops_at: '2026-03-31 10:00:00',
    };
    const { user, requests } = show([zoo], {}, [gone]);
    await user.click(await screen.findByText('Deleted projects (1)'));
    await user.click(screen.getByRole('button', { name: 'Restore Gone' }));
    await waitFor(() => expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1));
    expect(requests.find(({ method }) => method === 'POST')?.path).toBe(
      '/api/v1/db/meta/deleted-projects/p_9/restore',
    );
  });

  test('a deleted project is dropped for good after its title was typed', async () => {
    const gone = {
      id: 'p_9',
      title: 'Gone',
      deleted_at: '2026-03-01 10:00:00',
      drops_at: '2026-03-31 10:00:00',
    };
    const { user, requests, questions } = show([zoo], { confirm: () => true }, [gone]);
    await user.click(await screen.findByText('Deleted projects (1)'));
    await user.click(screen.getByRole('button', { name: 'Delete Gone for good' }));
    await waitFor(() => expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    expect(questions[0]).toMatchObject({ danger: true, typeToConfirm: 'Gone' });
    expect(requests.find(({ method }) => method === 'DELETE')?.path).toBe(
      '/api/v1/db/meta/deleted-projects/p_9',
    );
  });

  test('an editor can open a project but neither rename nor delete it', async () => {
    show([zooAs('editor')]);
    await screen.findByRole('button', { name: /Zoo/ });
    expect(screen.queryByRole('button', { name: 'Actions for Zoo' })).toBeNull();
  });

  test('a menu that is left by Escape gives the focus back', async () => {
    const { user } = show([zoo]);
    const opener = await screen.findByRole('button', { name: 'Actions for Zoo' });
    await user.click(opener);
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(opener);
  });

  test('who may not create projects is offered no way to begin one', async () => {
    const ways = projectSources.map((way) => ({ ...way, permission: 'projectCreate' }));
    show([], {
      registries: { projectSources: ways },
      user: { roles: { user_new: true }, permissions: ['projectList'] },
    });
    await screen.findByText('You are in no project yet');
    expect(screen.queryByRole('button', { name: /Blank project/ })).toBeNull();
  });
});
