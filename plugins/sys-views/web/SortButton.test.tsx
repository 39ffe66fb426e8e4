import { afterEach, describe, expect, test } from '@jest/globals';
import type { ColumnEntity, ProjectEntity, SortEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { OwnLookContext, useNewOwnLook } from '@trellis/sdk/web/views';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SortButton } from './SortButton.tsx';

const column = (id: string, title: string): ColumnEntity =>
  ({ id, title, uidt: 'Text', virtual: null, system: false }) as ColumnEntity;
const table = {
  id: 'md_1',
  columns: [
    { ...column('cl_team_id', 'team_id'), internal: true },
    column('cl_name', 'Name'),
    column('cl_age', 'Age'),
  ],
} as unknown as TableEntity;
const view = { id: 'vw_1', lock_type: 'collaborative' } as ViewEntity;
const project = aProject({ role: 'editor' });
const sort = (id: string, columnId: string, order: number): SortEntity =>
  ({ id, fk_column_id: columnId, direction: 'asc', order }) as SortEntity;

type Sent = Pick<SortEntity, 'fk_column_id' | 'direction'>;

async function openPanel(sorts: readonly SortEntity[], refuse?: () => never) {
  let now: readonly Sent[] = sorts;
  const user = userEvent.setup();
  const memory = renderWithHost(<SortButton project={project} table={table} view={view} readOnly={false} />, {
    api: ({ method, path, body }) => {
      if (path.includes('/vw_2/')) return { sorts: { list: [sort('so_9', 'cl_age', 1)] } };
      if (method === 'PUT') refuse?.();
      if (method === 'PUT') now = (body as { readonly list: readonly Sent[] }).list;
      return { sorts: { list: now } };
    },
  });
  await screen.findByText(String(sorts.length));
  await user.click(screen.getByRole('button', { name: /Sort/ }));
  return { ...memory, user, saved: () => now };
}

function SortOfLocked() {
  const of = { project, table, view: { ...view, lock_type: 'locked' } as ViewEntity };
  return (
    <OwnLookContext value={useNewOwnLook()}>
      <SortButton {...of} readOnly={false} />
    </OwnLookContext>
  );
}

function columnsShown(): readonly string[] {
  return screen.getAllByLabelText<HTMLSelectElement>('Column to sort by').map((select) => select.value);
}

afterEach(cleanup);

describe('the sort panel', () => {
  test('the arrow keys on a handle change which sort counts first', async () => {
    const { user, saved } = await openPanel([sort('so_1', 'cl_name', 1), sort('so_2', 'cl_age', 2)]);
    screen.getAllByRole('button', { name: /Move this sort/ })[1]?.focus();
    await user.keyboard('{ArrowUp}');
    await waitFor(() => expect(columnsShown()).toEqual(['cl_age', 'cl_name']));
    await waitFor(() => expect(saved().map((each) => each.fk_column_id)).toEqual(['cl_age', 'cl_name']));
  });

  test('a locked view is sorted for oneself, in place of its own sorts, which come back', async () => {
    const user = userEvent.setup();
    const sorts = { list: [sort('so_1', 'cl_name', 1)] };
    const { requests } = renderWithHost(<SortOfLocked />, { api: () => ({ sorts }) });
    await screen.findByText('1');
    await user.click(screen.getByRole('button', { name: /Sort/ }));
    expect(screen.getByLabelText<HTMLSelectElement>('Column to sort by').disabled).toBe(true);
    const mine = screen.getByRole('region', { name: 'For you alone' });
    await user.click(within(mine).getByRole('button', { name: 'Add sort' }));
    await user.selectOptions(within(mine).getByLabelText('Column to sort by'), 'cl_age');
    expect(columnsShown()).toEqual(['cl_age']);
    await user.click(within(mine).getByRole('button', { name: 'Show it as the view has it' }));
    expect(columnsShown()).toEqual(['cl_name']);
    expect(requests.filter(({ method = 'GET' }) => method !== 'GET')).toEqual([]);
  });

  test.each([
    [true, 'Rows stand as they were made, and where people put them.'],
    [false, 'Rows come as the database gives them.'],
  ])('says in which order rows are that nothing sorts: in our own database %s', async (own, text) => {
    const bases = [{ id: 'ds_1', is_meta: own }] as unknown as ProjectEntity['bases'];
    const of = { project: { ...project, bases }, table: { ...table, base_id: 'ds_1' }, view };
    renderWithHost(<SortButton {...of} readOnly={false} />, { api: () => ({ sorts: { list: [] } }) });
    await userEvent.setup().click(screen.getByRole('button', { name: /Sort/ }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('a key that was made for a link is offered only to the sort that goes by it already', async () => {
    await openPanel([sort('so_1', 'cl_name', 1), sort('so_2', 'cl_team_id', 2)]);
    const offered = screen.getAllByLabelText('Column to sort by').map((select) =>
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    );
    expect(offered).toEqual([
      ['Name', 'Age'],
      ['team_id', 'Age'],
    ]);
  });

  test('a refused change stays with its reason and can be taken back', async () => {
    const { user } = await openPanel([sort('so_1', 'cl_name', 1)], () => {
      throw new ApiError(403, 'You may not change this view.');
    });
    await user.selectOptions(screen.getByLabelText('Direction'), 'desc');
    expect((await screen.findByRole('alert')).textContent).toContain('You may not change this view.');
    const direction = screen.getByLabelText<HTMLSelectElement>('Direction');
    expect(direction.value).toBe('desc');
    await user.click(screen.getByRole('button', { name: 'Back to what is saved' }));
    expect(direction.value).toBe('asc');
  });

  test('a refused change is asked about before it is left, and is none of another view', async () => {
    const { user, rerender, requests } = await openPanel([sort('so_1', 'cl_name', 1)], () => {
      throw new ApiError(403, 'You may not change this view.');
    });
    const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leavesAsking()).toBe(false);
    await user.selectOptions(screen.getByLabelText('Direction'), 'desc');
    await screen.findByRole('alert');
    expect(leavesAsking()).toBe(true);
    expect(screen.getByRole('button', { name: /^Sort \(not applied\)/ })).toBeTruthy();
    const other = { ...view, id: 'vw_2' };
    rerender(<SortButton project={project} table={table} view={other} readOnly={false} />);
    await user.click(await screen.findByRole('button', { name: /^Sort/ }));
    await waitFor(() => expect(columnsShown()).toEqual(['cl_age']));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(leavesAsking()).toBe(false);
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });
});
