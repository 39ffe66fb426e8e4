import { afterEach, describe, expect, test } from '@jest/globals';
import type { BaseEntity, TableEntity, TableUses } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { DialogRequests } from './dialog-requests.ts';
import { createTablesPane } from './TablesPane.tsx';

const project = aProject({ title: 'Zoo' });
const table = (id: string, title: string, order: number, type = 'table') =>
  ({ id, title, order, type }) as TableEntity;
const animals = table('md_a', 'Animals', 1);
const keepers = table('md_k', 'Keepers', 2);
const listPath = '/api/v1/db/meta/projects/p_1/tables';

interface ShowOptions extends MemoryHostOptions {
  /** The columns that link the tables with others. */
  readonly links?: TableUses['links'];
}

function show(tables: readonly TableEntity[], { links = [], ...options }: ShowOptions = {}) {
  const dialogs = new DialogRequests();
  const Pane = createTablesPane(dialogs);
  const api = (request: ApiRequest & { readonly method: string }) => {
    if (request.path.endsWith('/uses')) return { links };
    return request.path === listPath ? { list: tables } : { ...animals };
  };
  const memory = renderWithHost(<Pane />, { project, api, ...options });
  return { ...memory, dialogs, user: userEvent.setup() };
}

async function openMenu(user: ReturnType<typeof userEvent.setup>, title: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
  return within(screen.getByRole('menu'));
}

afterEach(cleanup);

describe('the tables of a project', () => {
  test('a table is opened in a tab', async () => {
    const { host, user } = show([animals, keepers]);
    await user.click(await screen.findByRole('button', { name: 'Keepers' }));
    expect(host.shell.activeTab).toEqual({ type: 'table', key: 'md_k', name: 'Keepers' });
  });

  test('a project without tables offers to create the first one', async () => {
    const { dialogs, user } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Create your first table' }));
    expect(dialogs.current).toMatchObject({ kind: 'createTable' });
  });

  test('whoever may only look sees no way to change tables', async () => {
    show([animals], { project: aProject({ role: 'viewer' }) });
    await screen.findByRole('button', { name: 'Animals' });
    expect(screen.getAllByRole('button')).toHaveLength(1);
  });

  test('a table shows what plugins put under it once it is unfolded, which is kept', async () => {
    const Views = ({ table: of }: { readonly table: TableEntity }) => <p>{`views of ${of.title}`}</p>;
    const registries = { tableBranches: [{ id: 'views', Component: Views }] };
    const kept = show([animals, keepers], { registries });
    const toggle = await screen.findByRole('button', { name: 'Contents of Keepers' });
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    await kept.user.click(toggle);
    expect(screen.getByText('views of Keepers')).toBeTruthy();
    expect(screen.queryByText('views of Animals')).toBeNull();
    screen.getByRole('button', { name: 'Animals' }).focus();
    await kept.user.keyboard('{ArrowRight}');
    expect(screen.getByText('views of Animals')).toBeTruthy();
    await kept.user.keyboard('{ArrowLeft}');
    expect(screen.queryByText('views of Animals')).toBeNull();
    // The person finds it so in the next browser, too.
    expect(kept.host.userStorageOf('host').get('unfolded-tables.p_1')).toEqual(['md_k']);
  });

  test('a table is renamed in place by F2, and Escape changes nothing', async () => {
    const { user, requests } = show([animals, keepers]);
    (await screen.findByRole('button', { name: 'Animals' })).focus();
    await user.keyboard('{F2}Beasts{Escape}');
    expect(requests.filter((request) => request.method === 'PATCH')).toEqual([]);
    screen.getByRole('button', { name: 'Animals' }).focus();
    await user.keyboard('{F2}Beasts{Enter}');
    await waitFor(() =>
      expect(requests.find((request) => request.method === 'PATCH')).toMatchObject({
        path: '/api/v1/db/meta/tables/md_a',
        body: { title: 'Beasts' },
      }),
    );
  });

  test('a name that was refused stays in its field to be mended', async () => {
    let isRefused = true;
    const { user, requests } = show([animals, keepers], {
      api: ({ method, path }: ApiRequest & { readonly method: string }) => {
        if (method === 'PATCH' && isRefused) throw new ApiError(400, 'taken already', 'TAKEN');
        return path === listPath ? { list: [animals, keepers] } : { ...animals };
      },
    });
    const names = () => requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []));
    (await screen.findByRole('button', { name: 'Animals' })).focus();
    await user.keyboard('{F2}Keepers{Enter}');
    const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Table name' });
    await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
    expect(field().value).toBe('Keepers');
    expect(names()).toEqual([]);
    await user.keyboard('Beasts{Enter}');
    await waitFor(() => expect(names()).toEqual([{ title: 'KeepersBeasts' }]));
    await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
    expect(field().value).toBe('KeepersBeasts');
    isRefused = false;
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Table name' })).toBeNull());
    expect(names()).toHaveLength(2);
  });

  test('whoever goes to another table while a name is on its way stays there', async () => {
    let answer: (table: unknown) => void = () => undefined;
    const { host, user, requests } = show([animals, keepers], {
      api: ({ method, path }: ApiRequest & { readonly method: string }) => {
        if (method === 'PATCH') return new Promise((resolve) => (answer = resolve));
        return path === listPath ? { list: [animals, keepers] } : { ...animals };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Animals' }));
    await user.keyboard('{F2}Beasts{Enter}');
    await waitFor(() => expect(requests.some(({ method }) => method === 'PATCH')).toBe(true));
    await user.click(screen.getByRole('button', { name: 'Keepers' }));
    await act(async () => {
      answer({ ...animals, title: 'Beasts' });
      await Promise.resolve();
    });
    expect(host.shell.activeTab?.key).toBe('md_k');
  });

  test('a name that another table has is refused with the reason', async () => {
    const { user, requests, toasts } = show([animals, keepers]);
    (await screen.findByRole('button', { name: 'Animals' })).focus();
    await user.keyboard('{F2}keepers{Enter}');
    expect(toasts[0]?.summary).toBe("There is already one called 'keepers'");
    expect(requests.filter((request) => request.method === 'PATCH')).toEqual([]);
  });

  test('a table is moved by its menu, without a mouse drag', async () => {
    const { user, requests } = show([animals, keepers]);
    const menu = await openMenu(user, 'Animals');
    expect(menu.queryByRole('menuitem', { name: 'Move up' })).toBeNull();
    await user.click(menu.getByRole('menuitem', { name: 'Move down' }));
    await waitFor(() =>
      expect(requests.find((request) => request.method === 'POST')).toMatchObject({
        path: '/api/v1/db/meta/tables/md_a/reorder',
        body: { order: 3 },
      }),
    );
  });

  test('a table is moved among those of its database alone', async () => {
    const bases = ['b_1', 'b_2'].map((id) => ({ id, alias: id, is_meta: false }) as BaseEntity);
    const of = (id: string, title: string, order: number, base_id: string) => ({
      ...table(id, title, order),
      base_id,
    });
    const all = [of('md_a', 'A', 1, 'b_1'), of('md_b', 'B', 2, 'b_2'), of('md_c', 'C', 3, 'b_1')];
    const { user, requests } = show(all, { project: { ...project, bases } });
    const menu = await openMenu(user, 'B');
    expect(menu.queryByRole('menuitem', { name: /^Move/ })).toBeNull();
    await user.keyboard('{Escape}');
    await user.click((await openMenu(user, 'C')).getByRole('menuitem', { name: 'Move up' }));
    await waitFor(() =>
      expect(requests.find((request) => request.method === 'POST')).toMatchObject({
        path: '/api/v1/db/meta/tables/md_c/reorder',
        body: { order: 0 },
      }),
    );
  });

  test('a deleted table leaves with its tab, after a question', async () => {
    const { host, user, questions, toasts } = show([animals]);
    await user.click(await screen.findByRole('button', { name: 'Animals' }));
    const menu = await openMenu(user, 'Animals');
    await user.click(menu.getByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(toasts[0]?.summary).toBe('Table Animals deleted'));
    expect(questions[0]).toMatchObject({ title: 'Delete table Animals?', danger: true });
    expect(host.shell.tabs).toEqual([]);
  });

  test('a linked table is not deleted, and the columns that link it are named', async () => {
    const links = [{ id: 'cl_9', title: 'Keeper', table: 'Zoos' }];
    const { user, questions, toasts, requests } = show([animals], { links });
    const menu = await openMenu(user, 'Animals');
    await user.click(menu.getByRole('menuitem', { name: 'Delete' }));
    await waitFor(() => expect(toasts[0]?.detail).toBe('Delete these columns first: “Zoos.Keeper”.'));
    expect(questions).toEqual([]);
    expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('a menu that is left by Escape gives the focus back', async () => {
    const { user } = show([animals]);
    await openMenu(user, 'Animals');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Animals' }));
  });

  test('many tables can be searched, and the search box stays while it filters', async () => {
    const many = Array.from({ length: 9 }, (_, at) => table(`md_${at}`, `Table ${at}`, at));
    const { user } = show(many);
    await user.type(await screen.findByRole('searchbox', { name: 'Search tables' }), 'nothing');
    expect(screen.getByText('your search for nothing found no results')).toBeTruthy();
    expect(screen.getByRole('searchbox', { name: 'Search tables' })).toBeTruthy();
  });
});
