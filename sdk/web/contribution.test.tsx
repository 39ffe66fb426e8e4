import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '../shared/index.ts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aProject, renderWithHost } from '../testing/web.tsx';
import {
  ApiError,
  Contribution,
  useContributions,
  useMenuActions,
  useUserStorage,
  type HostActions,
  type MenuContext,
  type MenuItem,
  type ShellItem,
  type UserStorage,
} from './index.ts';

const item = (id: string, rest: Partial<ShellItem> = {}): ShellItem => ({
  id,
  slot: 'overlays',
  Component: () => <p>{id}</p>,
  ...rest,
});

function Items() {
  return useContributions('shellItems').map(({ id, Component }) => (
    <Contribution key={id} registry="shellItems" id={id}>
      <Component />
    </Contribution>
  ));
}

function Menu({ table }: { readonly table?: TableEntity }) {
  return useMenuActions('table', { table }).map(({ id, label, run }) => (
    <button key={id} type="button" onClick={run}>
      {label}
    </button>
  ));
}

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('items of a registry', () => {
  test('one that throws costs itself alone', () => {
    const failing = item('broken', {
      Component: () => {
        throw new Error('no luck');
      },
    });
    renderWithHost(<Items />, { registries: { shellItems: [failing, item('well')] } });
    expect(screen.getByText('well')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('plugin test: no luck');
  });

  test('one whose `when` throws is not offered and is reported once', async () => {
    const unsure = item('unsure', {
      when: () => {
        throw new Error('no answer');
      },
    });
    const shown = renderWithHost(<Items />, { registries: { shellItems: [unsure, item('well')] } });
    shown.rerender(<Items />);
    expect(screen.queryByText('unsure')).toBeNull();
    const source = { registry: 'shellItems', id: 'unsure' };
    await waitFor(() => expect(shown.reports).toMatchObject([{ source, where: 'when() of unsure' }]));
  });
});

test('what two plugins keep for a person under one name stays apart', () => {
  const kept = new Map<string, UserStorage>();
  const keeper = (id: string) =>
    item(id, {
      Component: function Keeper() {
        kept.set(id, useUserStorage());
        return null;
      },
    });
  const { registries } = renderWithHost(<Items />);
  act(() => {
    registries.get('shellItems').register(keeper('first'), 'acme-first');
    registries.get('shellItems').register(keeper('second'), 'acme-second');
  });
  kept.get('first')?.set('choice', 'a');
  kept.get('second')?.set('choice', 'b');
  expect([...kept].map(([, storage]) => storage.get('choice'))).toEqual(['a', 'b']);
});

describe('an item that names a permission', () => {
  const mine = item('mine', { permission: 'tableCreate' });

  test('is offered to people who have it in the open project, or by their account', () => {
    const registries = { shellItems: [mine] };
    renderWithHost(<Items />, { registries, project: aProject() });
    expect(screen.getByText('mine')).toBeTruthy();
    cleanup();
    renderWithHost(<Items />, { registries, project: aProject({ role: 'editor' }) });
    expect(screen.queryByText('mine')).toBeNull();
    cleanup();
    renderWithHost(<Items />, { registries, user: { permissions: ['tableCreate'] } });
    expect(screen.getByText('mine')).toBeTruthy();
  });

  test('is judged by the project that its menu was opened on, not by the open one', () => {
    const entry: MenuItem = { id: 'a', menu: 'table', label: 'Count', permission: 'tableCreate', run() {} };
    function Count({ as }: { readonly as: 'owner' | 'viewer' }) {
      return <p>{`${as} ${useMenuActions('table', { project: aProject({ role: as }) }).length}`}</p>;
    }
    const menus = [<Count key="owner" as="owner" />, <Count key="viewer" as="viewer" />];
    renderWithHost(menus, { registries: { menuItems: [entry] }, project: aProject({ role: 'viewer' }) });
    expect(screen.getByText('owner 1')).toBeTruthy();
    expect(screen.getByText('viewer 0')).toBeTruthy();
  });
});

describe('entries of a menu', () => {
  const table = { id: 'md_1', title: 'Animals' } as TableEntity;
  const open = (run: MenuItem['run'], when?: MenuItem['when']) => {
    const entry: MenuItem = { id: 'acme', menu: 'table', label: 'Count', run, when };
    const other: MenuItem = { id: 'other', menu: 'project', label: 'Other', run: () => undefined };
    const project = { id: 'p_1', title: 'Zoo' } as ProjectEntity;
    return {
      ...renderWithHost(<Menu table={table} />, { registries: { menuItems: [entry, other] }, project }),
      user: userEvent.setup(),
    };
  };

  test('are those of the menu, and get what it was opened on and what they may do', async () => {
    const run = jest.fn((context: MenuContext, actions: HostActions) =>
      actions.navigate(`/x/${context.table?.id ?? ''}`),
    );
    const { user, visited } = open(run, (context) => context.project !== undefined);
    await user.click(screen.getByRole('button', { name: 'Count' }));
    expect(screen.queryByText('Other')).toBeNull();
    expect(visited).toEqual(['/x/md_1']);
  });

  test('a failing one is shown to the person and reported with its plugin', async () => {
    const { user, toasts, reports } = open(() => Promise.reject(new Error('out of paper')));
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await waitFor(() =>
      expect(toasts).toMatchObject([{ severity: 'error', summary: 'Count', detail: 'out of paper' }]),
    );
    expect(reports).toMatchObject([{ source: { registry: 'menuItems', id: 'acme' } }]);
  });

  test('a refusal of the server is shown and is no fault of the plugin', async () => {
    const { user, toasts, reports } = open(() => Promise.reject(new ApiError(403, 'Not yours.')));
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await waitFor(() => expect(toasts).toMatchObject([{ detail: 'Not yours.' }]));
    expect(reports).toEqual([]);
  });
});
