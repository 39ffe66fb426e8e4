import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { ApiError, type ViewProps, type WebViewType } from '@trellis/sdk/web';
import {
  aProject,
  aColumn,
  renderWithHost,
  textType,
  type MemoryHostOptions,
} from '@trellis/sdk/testing/web';
import { plainLook, useOwnLook } from '@trellis/sdk/web/views';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { ownLookKey } from '../shared/own-look-key.ts';
import TableTab from './TableTab.tsx';

const tab = { type: 'table', key: 'md_1', name: 'Animals' };
const project = aProject({ title: 'Zoo' });
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
  const memory = renderWithHost(<TableTab project={by} tab={tab} />, {
    project: by,
    registries: { viewTypes: [grid] },
    api: { 'GET /api/v1/db/meta/tables/md_1': of },
    ...rest,
  });
  return { ...memory, user: userEvent.setup() };
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

  test('the view that the address names is shown', async () => {
    show(table, { route: '/?view=vw_cards', registries: { viewTypes: [grid, { ...grid, id: 'cards' }] } });
    expect(await screen.findByText('rows of vw_cards, writable')).toBeTruthy();
  });

  test('a view that nothing draws shows its rows to be read, also while no view type is there at all', async () => {
    jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
    jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    const columns = [aColumn('cl_name', 'Name', { pv: true })];
    const data = '/api/v1/db/data/noco/p_1/md_1/views/vw_grid';
    show(table, {
      registries: { columnTypes: [textType] },
      api: {
        'GET /api/v1/db/meta/tables/md_1': { ...table, columns },
        'GET /api/v1/db/meta/views/vw_grid/columns': [
          { id: 'vc_1', fk_column_id: 'cl_name', show: true, order: 1 },
        ],
        [`GET ${data}`]: { list: [{ Name: 'Otter' }] },
        [`GET ${data}/count`]: { count: 1 },
      },
    });
    await screen.findByRole('gridcell', { name: 'Otter' });
    expect(screen.getByRole('grid').getAttribute('aria-readonly')).toBe('true');
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
    show(table, { by: aProject({ role: 'viewer' }) });
    expect(await screen.findByText('rows of vw_grid, read-only')).toBeTruthy();
  });

  test.each([
    ['groups', { groups: [{ columnId: 'cl_kind', direction: 'asc' }] }],
    ['additions', { additions: { colors: 'mine' } }],
    ['options', { options: { rowHeight: 'tall' } }],
  ] as const)(
    'how somebody looks at a view whose %s others arrange is theirs, and kept for each view',
    async (part, theirs) => {
      const Grouped = (props: ViewProps) => {
        const own = useOwnLook(part, props);
        const now = JSON.stringify(own?.[part]) === JSON.stringify({ ...plainLook, ...theirs }[part]);
        return (
          <>
            <button onClick={() => own?.change(theirs)}>
              {`${part} of ${props.view.id}: ${now ? 'mine' : 'as the view has them'}`}
            </button>
            <Link to="/?view=vw_other">Other view</Link>
            <Link to="/?view=vw_grid">First view</Link>
          </>
        );
      };
      const ofTable = { ...table, views: [view('vw_grid', 'grid', true), view('vw_other', 'grid')] };
      const { user, requests } = show(ofTable, {
        by: aProject({ role: 'viewer' }),
        registries: { viewTypes: [{ ...grid, View: Grouped }] },
      });
      await user.click(await screen.findByText(`${part} of vw_grid: as the view has them`));
      await screen.findByText(`${part} of vw_grid: mine`);
      await user.click(screen.getByRole('link', { name: 'Other view' }));
      await screen.findByText(`${part} of vw_other: as the view has them`);
      await user.click(screen.getByRole('link', { name: 'First view' }));
      await screen.findByText(`${part} of vw_grid: mine`);
      expect(requests.filter(({ method = 'GET' }) => method !== 'GET')).toEqual([]);
    },
  );

  test('how somebody colours a view that others arrange is there again', async () => {
    const Coloured = (props: ViewProps) => {
      const own = useOwnLook('additions', props);
      const colour = own?.additions['colours'] === 'stripe' ? 'stripe' : 'none';
      return (
        <button
          onClick={() => own?.change({ additions: { colours: 'stripe' } })}
        >{`colour: ${colour}`}</button>
      );
    };
    const { user, rerender } = show(table, {
      by: aProject({ role: 'viewer' }),
      registries: { viewTypes: [{ ...grid, View: Coloured }] },
    });
    await user.click(await screen.findByText('colour: none'));
    await screen.findByText('colour: stripe');
    rerender(<p>elsewhere</p>);
    rerender(<TableTab project={aProject({ role: 'viewer' })} tab={tab} />);
    expect(await screen.findByText('colour: stripe')).toBeTruthy();
  });

  test('how somebody looks at another view is as the server keeps it once columns changed', async () => {
    const Coloured = (props: ViewProps) => {
      const own = useOwnLook('additions', props);
      return (
        <>
          <p>{`colour of ${props.view.id}: ${JSON.stringify(own?.additions['colours'] ?? 'none')}`}</p>
          <Link to="/?view=vw_other">Other view</Link>
        </>
      );
    };
    const kept = (colours: string) => ({ ...plainLook, additions: { colours } });
    const views = [view('vw_grid', 'grid', true), view('vw_other', 'grid')];
    let shown = { ...table, views, columns: [aColumn('cl_name', 'Name')] };
    const { user, host } = show(table, {
      by: aProject({ role: 'viewer' }),
      registries: { viewTypes: [{ ...grid, View: Coloured }] },
      api: () => shown,
    });
    const storage = host.userStorageOf('host');
    storage.set(ownLookKey('vw_other'), kept('before'));
    const refresh = async () => storage.set(ownLookKey('vw_other'), kept('after'));
    jest.spyOn(host, 'userStorageOf').mockReturnValue({ ...storage, refresh });
    await screen.findByText('colour of vw_grid: "none"');
    shown = { ...shown, columns: [aColumn('cl_name', 'Title')] };
    act(() => host.invalidate(['table:md_1']));
    await user.click(screen.getByRole('link', { name: 'Other view' }));
    expect(await screen.findByText('colour of vw_other: "after"')).toBeTruthy();
  });

  test('a table that is deleted while it is open says so, and its tab can be closed', async () => {
    let isGone = false;
    const { host, user } = show(table, {
      api: () => {
        if (isGone) throw new ApiError(404, 'Table not found', 'TABLE_NOT_FOUND');
        return table;
      },
    });
    act(() => host.shell.openTab(tab));
    await screen.findByText('rows of vw_grid, writable');
    isGone = true;
    act(() => host.invalidate(['table:md_1']));
    await screen.findByRole('heading', { name: '“Animals” is not there any more' });
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(host.shell.tabs).toEqual([]);
  });

  test('who looks at a view that is deleted is told, and the address names the view that is shown', async () => {
    let shown = table;
    const { host, toasts } = show(table, {
      route: '/?view=vw_cards',
      registries: { viewTypes: [grid, { ...grid, id: 'cards' }] },
      api: () => shown,
    });
    await screen.findByText('rows of vw_cards, writable');
    shown = { ...table, views: [view('vw_grid', 'grid', true)] };
    act(() => host.invalidate(['table:md_1']));
    await screen.findByText('rows of vw_grid, writable');
    expect(toasts).toMatchObject([{ summary: 'The view “vw_cards” is not there any more.' }]);
    expect(host.shell.activeTab).toEqual({ ...tab, view: 'vw_grid' });
  });

  test('an address with a view that is gone leads to the default view', async () => {
    const { host, toasts } = show(table, { route: '/?view=vw_gone' });
    await screen.findByText('rows of vw_grid, writable');
    expect(host.shell.activeTab).toEqual({ ...tab, view: 'vw_grid' });
    expect(toasts).toEqual([]);
  });

  test('a table that cannot be read says so and can be tried again', async () => {
    show(table, { api: {} });
    await screen.findByRole('heading', { name: 'This table cannot be opened' });
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});
