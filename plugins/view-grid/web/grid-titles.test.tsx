import { afterEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { prepareGridView, show } from '../testing/grid-view.tsx';

prepareGridView();

describe('the titles of a grid', () => {
  test('the menu of a title sorts and hides', async () => {
    const { server, user } = show({ role: 'editor' });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Sort ascending',
      'Sort descending',
      // Groups of the view are for those who design it; others have their own.
      'Group by this column',
      'Freeze up to here',
      'Move right',
      'Hide column',
    ]);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        {
          method: 'POST',
          path: '/api/v1/db/meta/views/vw_1/sorts',
          body: { fk_column_id: 'cl_age', direction: 'desc' },
        },
      ]),
    );
    expect(screen.queryByRole('menu')).toBeNull();
  });

  test.each([
    ['a locked view', { role: 'creator', lock: 'locked' }],
    ['a view that one may only look at', { role: 'viewer', readOnly: true }],
  ] as const)(
    'the menu of a title sorts and groups %s for oneself, and offers no more',
    async (_what, of) => {
      const { server, user } = show(of);
      await screen.findByRole('gridcell', { name: 'Ada' });
      const openMenu = () => user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
      const entries = () => screen.getAllByRole('menuitem').map((item) => item.textContent);
      await openMenu();
      expect(entries().filter((entry) => /Hide|Move|Freeze/.test(entry))).toEqual([]);
      await user.click(screen.getByRole('menuitem', { name: 'Sort descending' }));
      const asked = () => server.requests.filter(({ path }) => path.includes('/data/')).at(-1)?.query;
      const sortArrJson = JSON.stringify([{ fk_column_id: 'cl_age', direction: 'desc' }]);
      await waitFor(() => expect(asked()).toMatchObject({ sortArrJson }));
      expect(screen.getByRole('columnheader', { name: /Age/ }).getAttribute('aria-sort')).toBe('descending');
      await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Group by this column' }));
      const groupArrJson = JSON.stringify([{ fk_column_id: 'cl_age', direction: 'asc' }]);
      await waitFor(() => expect(asked()).toMatchObject({ groupArrJson }));
      await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Do not sort by it' }));
      await waitFor(() => expect(asked()).not.toHaveProperty('sortArrJson'));
      expect(server.written()).toEqual([]);
    },
  );

  test('who designs the table renames a column in its title, from the menu or by a double click', async () => {
    const { server, user } = show({ role: 'creator' });
    await screen.findByRole('gridcell', { name: 'Ada' });
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name: 'Rename column' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Title of column Age'));
    await user.keyboard('Years{Enter}');
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        { method: 'PATCH', path: '/api/v1/db/meta/columns/cl_age', body: { title: 'Years' } },
      ]),
    );
    await user.dblClick(screen.getByRole('columnheader', { name: /^Age/ }));
    await user.keyboard('Nothing of it{Escape}');
    expect(screen.queryByLabelText('Title of column Age')).toBeNull();
    expect(server.written()).toHaveLength(1);
  });

  test('the first columns stay in sight as the view says, and up to where somebody says', async () => {
    const { server, user } = show({ role: 'owner', meta: { frozenColumns: 2, colour: 'kept' } });
    await screen.findByRole('gridcell', { name: 'Ada' });
    const frozen = document.querySelectorAll('.tgrid-header .tgrid-frozen [role=columnheader]');
    expect([...frozen].map((each) => each.textContent)).toEqual(['', 'Name', 'Age']);
    await user.click(screen.getByRole('button', { name: 'Menu of column Name' }));
    await user.click(screen.getByRole('menuitem', { name: 'Freeze up to here' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([
        {
          method: 'PATCH',
          path: '/api/v1/db/meta/views/vw_1',
          // What others changed meanwhile stays: the server merges.
          body: {
            meta: { frozenColumns: 1, colour: 'kept' },
            meta_before: { frozenColumns: 2, colour: 'kept' },
          },
        },
      ]),
    );
  });

  test('a column that the rows are sorted by says so, and is sorted by no more when somebody says so', async () => {
    const { server, user } = show({ sorts: [{ id: 'so_1', fk_column_id: 'cl_age', direction: 'desc' }] });
    const header = await screen.findByRole('columnheader', { name: /^Age.*Sorted descending/ });
    expect(header.getAttribute('aria-sort')).toBe('descending');
    await user.click(screen.getByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name: 'Do not sort by it' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'DELETE', path: '/api/v1/db/meta/sorts/so_1' }]),
    );
  });
});

describe('the menu of a title', () => {
  afterEach(() => document.documentElement.removeAttribute('dir'));

  test.each([
    ['ltr', 'Move right'],
    ['rtl', 'Move left'],
  ])('names the side to which a column goes on a page that runs %s', async (dir, name) => {
    document.documentElement.dir = dir;
    const { user } = show({ role: 'editor' });
    await user.click(await screen.findByRole('button', { name: 'Menu of column Age' }));
    const moves = screen.getAllByRole('menuitem', { name: /^Move/ });
    expect(moves.map((item) => item.textContent)).toEqual([name]);
  });

  test.each([
    ['Group by this column', [], [{ columnId: 'cl_age', direction: 'asc' }]],
    ['Do not group by it', [{ columnId: 'cl_age', direction: 'asc' }], []],
  ])('%s', async (name, before, after) => {
    const { server, user } = show({ role: 'owner', meta: { groups: before } });
    await user.click(await screen.findByRole('button', { name: 'Menu of column Age' }));
    await user.click(screen.getByRole('menuitem', { name }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'PATCH', body: { meta: { groups: after } } }]),
    );
  });
});
