import { afterEach, describe, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { aProject, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { number, project, rowPath, show, table } from '../testing/row-panel.tsx';
import { historyPane } from './history-pane.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('the panes of a row, and its address', () => {
  test('its link opens it in its view, also where the view leaves it out, and says so', async () => {
    const view = { id: 'vw_1', title: 'Grown-ups' } as ViewEntity;
    const memory = show({ view });
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'Copy link' }));
    await screen.findByRole('textbox', { name: /Name/ });
    const link = await navigator.clipboard.readText();
    cleanup();
    const linked = show(
      {},
      {
        route: link.split('#')[1],
        api: ({ path }) =>
          path === `${rowPath}/views/vw_1/count`
            ? { count: 0 }
            : path === `${rowPath}/1`
              ? { Id: 1, Name: 'Ada' }
              : path.endsWith('/columns')
                ? []
                : table,
      },
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => linked.host.shell.setContext({ project, table: { ...table, views: [view] }, view }));
    expect(await screen.findByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Ada');
    expect((await screen.findByRole('status')).textContent).toContain('“Grown-ups”');
    await linked.user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('its link leads a visitor to the page that they came by', async () => {
    window.location.hash = '#/nc/base/visited?type=table';
    const memory = show();
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'Copy link' }));
    const [, page] = (await navigator.clipboard.readText()).split('#');
    expect(page).toMatch(/^\/nc\/base\/visited\?name=.*&row=1$/);
    window.location.hash = '';
  });

  test('no link is offered to whom no row can be opened by it', async () => {
    const memory = show({ project: aProject({ permissions: [] }) });
    memory.open();
    await screen.findByRole('dialog', { name: 'Ada' });
    expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
  });

  test('lists what happened to the row', async () => {
    const events = [
      {
        id: 7,
        op: 'update',
        at: '2026-11-22T08:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: false,
        cells: [
          { fk_column_id: 'cl_age', before: 35, after: 36 },
          { fk_column_id: 'cl_gone', before: 'x', after: 'y' },
        ],
      },
      {
        id: 6,
        op: 'update',
        at: '2026-11-22T07:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: false,
        cells: [{ fk_column_id: 'cl_gone', before: 'w', after: 'x' }],
      },
      {
        id: 5,
        op: 'delete',
        at: '2026-11-21T07:00:00.000Z',
        user: 'ada@example.com',
        isUndo: false,
        isPurged: true,
        cells: [],
      },
    ];
    const memory = show(
      {},
      {
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`GET ${rowPath}/1/history`]: { list: events },
        },
      },
    );
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'History' }));
    const [event, hidden, purged] = await screen.findAllByRole('listitem');
    if (event === undefined) throw new Error('No event is listed');
    expect(hidden?.textContent).toMatch(/In columns that are not shown here/);
    expect(purged?.textContent).toMatch(/Row deleted.*its values were deleted for good/);
    expect(event.textContent).toMatch(/Changed.*ada@example.com/);
    expect(event.querySelector('del')?.textContent).toBe('35');
    expect(event.querySelector('ins')?.textContent).toBe('36');
    expect(event.querySelectorAll('dt')).toHaveLength(1);
  });

  test('lists that a covered value was changed, and not to what', async () => {
    const event = {
      id: 7,
      op: 'update',
      at: '2026-11-22T08:00:00.000Z',
      user: 'ada@example.com',
      isUndo: false,
      isPurged: false,
      cells: [{ fk_column_id: 'cl_name', before: 'hush', after: 'secret' }],
    };
    const memory = show(
      {},
      {
        registries: { columnTypes: [{ ...textType, isCovered: true }, number], rowPanes: [historyPane] },
        api: {
          'GET /api/v1/db/meta/tables/md_1': table,
          [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', Age: 36 },
          [`GET ${rowPath}/1/history`]: { list: [event] },
        },
      },
    );
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'History' }));
    const { textContent } = await screen.findByRole('listitem');
    expect(textContent).toMatch(/Name/);
    expect(textContent).not.toMatch(/hush|secret/);
  });

  test('an address that names a pane shows it first, and the fields are a click away', async () => {
    const linked = show(
      {},
      {
        route: '/nc/p_1?dbalias=md_1&row=1&pane=history',
        api: ({ path }) =>
          path.endsWith('/history') ? { list: [] } : path.endsWith('/1') ? { Id: 1, Name: 'Ada' } : table,
      },
    );
    act(() => linked.host.shell.setContext({ project, table }));
    expect(await screen.findByText('Nothing is known of what happened to this row.')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /Name/ })).toBeNull();
    await linked.user.click(screen.getByRole('button', { name: 'History' }));
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Ada');
  });

  test('a request for a pane of the row that is open already shows the pane, each time', async () => {
    const memory = show(
      {},
      {
        api: ({ path }) =>
          path.endsWith('/history') ? { list: [] } : path.endsWith('/1') ? { Id: 1, Name: 'Ada' } : table,
      },
    );
    memory.open();
    const button = await screen.findByRole('button', { name: 'History', pressed: false });
    act(() => memory.panelRequests.open({ project, table, rowKey: '1', pane: 'history' }));
    expect(button.getAttribute('aria-pressed')).toBe('true');
    await memory.user.click(button);
    expect(screen.getByRole('button', { name: 'History', pressed: false })).toBeTruthy();
    act(() => memory.panelRequests.open({ project, table, rowKey: '1', pane: 'history' }));
    expect(screen.getByRole('button', { name: 'History', pressed: true })).toBeTruthy();
  });

  test('says why earlier changes of a row cannot be read, and reads them when asked again', async () => {
    const event = (id: number) => ({ id, op: 'update', at: '2026-11-01T10:00:00Z', user: 'ada', cells: [] });
    let fails = true;
    const memory = show(
      {},
      {
        api: ({ path, query, method }) => {
          if (method !== 'GET' || !path.endsWith('/history'))
            return path.includes('/meta/') ? table : { Id: 1, Name: 'Ada', Age: 36 };
          if (query?.before === undefined)
            return { list: Array.from({ length: 50 }, (_, at) => event(100 - at)) };
          if (fails) throw new ApiError(503, 'The server is busy.');
          return { list: [event(1)] };
        },
      },
    );
    memory.open();
    await memory.user.click(await screen.findByRole('button', { name: 'History' }));
    await memory.user.click(await screen.findByRole('button', { name: 'Show earlier changes' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.');
    fails = false;
    await memory.user.click(screen.getByRole('button', { name: /again|retry/i }));
    await waitFor(() => expect(document.querySelectorAll('.rows-event')).toHaveLength(51));
  });
});
