import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import type { ViewProps, WebViewType } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import TableTab from './TableTab.tsx';

const project = { id: 'p_1', title: 'Zoo', role: 'owner' } as ProjectEntity;
const view = (id: string, type: string, isDefault = false) =>
  ({ id, title: id, view_type: type, is_default: isDefault }) as ViewEntity;
const table = {
  id: 'md_1',
  title: 'Animals',
  views: [view('vw_grid', 'grid', true), view('vw_form', 'form'), view('vw_cards', 'cards')],
} as unknown as TableEntity;
const grid = {
  id: 'grid',
  label: 'Grid',
  icon: 'table',
  View: (props: ViewProps) => (
    <p>{`rows of ${props.view.id}, ${props.readOnly ? 'read-only' : 'writable'}`}</p>
  ),
} as WebViewType;

function show(of: TableEntity, options: MemoryHostOptions & { readonly by?: ProjectEntity } = {}) {
  const { by = project, ...rest } = options;
  return renderWithHost(<TableTab project={by} tab={{ type: 'table', key: 'md_1', name: 'Animals' }} />, {
    registries: { viewTypes: [grid] },
    api: { 'GET /api/v1/db/meta/tables/md_1': of },
    ...rest,
  });
}

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('a table in its tab', () => {
  test('it opens with its default view', async () => {
    const { host } = show(table);
    await screen.findByText('rows of vw_grid, writable');
    expect(host.shell.context.table?.id).toBe('md_1');
  });

  test('the view that the address names is shown, and read-only where nothing can draw it', async () => {
    show(table, { route: '/?view=vw_form' });
    await screen.findByText('rows of vw_form, read-only');
    expect(screen.getByRole('status').textContent).toMatch(/switched off/);
  });

  test('a view of a plugin’s own type is drawn by it, and its errors stay inside it', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const cards = {
      id: 'cards',
      label: 'Cards',
      icon: 'th-large',
      View: () => {
        throw new Error('no cards today');
      },
    } as WebViewType;
    const bar = () => <p>toolbar item</p>;
    const { container } = show(table, {
      route: '/?view=vw_cards',
      registries: {
        viewTypes: [grid, cards],
        toolbarItems: [{ id: 'bar', slot: 'view-toolbar-start', Component: bar }],
      },
    });
    await screen.findByText(/no cards today/);
    expect(screen.getByText('toolbar item')).toBeTruthy();
    expect(container.textContent).not.toMatch(/switched off/);
  });

  test('a read-only table says why', async () => {
    show({ ...table, readOnlyReason: 'It has no primary key.' });
    await screen.findByText('rows of vw_grid, read-only');
    expect(screen.getByRole('status').textContent).toMatch('It has no primary key.');
  });

  test('a viewer cannot write', async () => {
    show(table, { by: { ...project, role: 'viewer' } });
    expect(await screen.findByText('rows of vw_grid, read-only')).toBeTruthy();
  });

  test('without anything that draws rows it says what to do', async () => {
    show(table, { registries: {} });
    await screen.findByRole('heading', { name: 'This view cannot be shown' });
    expect(screen.queryByRole('toolbar')).toBeNull();
  });

  test('a table that cannot be read says so and can be tried again', async () => {
    show(table, { api: {} });
    await screen.findByRole('heading', { name: 'This table cannot be opened' });
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});
