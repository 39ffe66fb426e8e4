import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import type { ViewProps, WebViewType } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import TableTab from './TableTab.tsx';

const project = { id: 'p_1', title: 'Zoo', role: 'owner' } as ProjectEntity;
const view = (id: string, type: number, isDefault = false) =>
  ({ id, title: id, type, is_default: isDefault }) as ViewEntity;
const table = {
  id: 'md_1',
  title: 'Animals',
  views: [view('vw_grid', 3, true), view('vw_form', 1)],
} as unknown as TableEntity;
const grid = {
  id: 'grid',
  number: 3,
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

afterEach(cleanup);

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
