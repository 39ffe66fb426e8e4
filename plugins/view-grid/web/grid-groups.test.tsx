import { describe, expect, test } from '@jest/globals';
import type { Row } from '@trellis/sdk/shared';
import { ApiError, type WebColumnType } from '@trellis/sdk/web';
import { numberType, textType } from '@trellis/sdk/testing/web';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { focusGrid, input, prepareGridView, show } from '../testing/grid-view.tsx';

prepareGridView();

describe('a grouped grid', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };
  const columnOptions = { cl_age: { figure: 'sum' } };

  test('shows its rows under the heads of their groups, with figures over each', async () => {
    show({ meta, columnOptions });
    const heads = await screen.findAllByRole('button', { name: /^Hide the rows of/, expanded: true });
    expect(heads.map((head) => head.getAttribute('aria-label'))).toEqual([
      'Hide the rows of Grace',
      'Hide the rows of Ada',
    ]);
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('NameGrace1'),
      expect.stringContaining('Grace45'),
      expect.stringContaining('NameAda1'),
      expect.stringContaining('Ada36'),
      expect.stringContaining('Add a row'),
    ]);
    expect(rows[0]?.textContent).toContain('45');
  });

  test('tells no covered value that its rows have in common: the cell of its type draws it', async () => {
    const hushed: WebColumnType = { ...textType, isCovered: true, Cell: () => <>••••</> };
    show({ meta, types: [numberType, hushed] });
    const heads = await screen.findAllByRole('button', { name: 'Hide the rows of (covered)' });
    expect(heads).toHaveLength(2);
    const drawn = screen.getAllByRole('row').filter((row) => row.hasAttribute('aria-expanded'));
    expect(drawn.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Name••••1'),
      expect.stringContaining('Name••••1'),
    ]);
  });

  test('hides the rows of a group and remembers it, and those of all', async () => {
    const { user } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    expect(screen.queryByRole('gridcell', { name: 'Grace' })).toBeNull();
    expect(screen.getByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Collapse all' }));
    expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Expand all' }));
    expect(await screen.findByRole('gridcell', { name: 'Grace' })).toBeTruthy();
  });

  test('has three levels, each with counts and figures, which collapse one inside the other', async () => {
    const by = (columnId: string) => ({ columnId, direction: 'asc' });
    const row = (Id: number, Name: string, Map: string, Age: number): Row => ({ Id, Name, Map, Age });
    const { user } = show({
      meta: { groups: [by('cl_name'), by('cl_map'), by('cl_age')] },
      columnOptions,
      rows: [
        row(1, 'Ada', 'here', 36),
        row(2, 'Ada', 'here', 36),
        row(3, 'Ada', 'there', 7),
        row(4, 'Bo', 'here', 1),
      ],
    });
    await screen.findByRole('button', { name: 'Hide the rows of Bo' });
    /** Level, name, count and figure of each head in sight. */
    const heads = () =>
      screen
        .getAllByRole('row')
        .filter((of) => of.hasAttribute('aria-expanded'))
        .map((of) => `${of.getAttribute('aria-level')} ${of.textContent}`);
    const all = heads();
    expect(all).toEqual([
      expect.stringMatching(/^1 NameAda3.*79$/),
      expect.stringMatching(/^2 Maphere2.*72$/),
      expect.stringMatching(/^3 Age362.*72$/),
      expect.stringMatching(/^2 Mapthere1.*7$/),
      expect.stringMatching(/^3 Age71.*7$/),
      expect.stringMatching(/^1 NameBo1.*1$/),
      expect.stringMatching(/^2 Maphere1.*1$/),
      expect.stringMatching(/^3 Age11.*1$/),
    ]);
    const [inner] = screen.getAllByRole('button', { name: 'Hide the rows of here' });
    await user.click(inner as HTMLElement);
    expect(heads()).toHaveLength(7);
    expect(screen.getAllByRole('gridcell', { name: 'Ada' })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Hide the rows of Ada' }));
    expect(heads().map((head) => head.slice(0, 6))).toEqual(['1 Name', '1 Name', '2 Maph', '3 Age1']);
    // What was collapsed inside is collapsed still.
    await user.click(screen.getByRole('button', { name: 'Show the rows of Ada' }));
    expect(heads()).toHaveLength(7);
    await user.click(screen.getByRole('button', { name: 'Expand all' }));
    expect(heads()).toEqual(all);
  });

  test('is a tree to screen readers, whose heads and rows are counted together', async () => {
    show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('5');
    const rows = screen.getAllByRole('row').slice(1, 5);
    const facts = rows.map((row) => ['aria-rowindex', 'aria-level'].map((name) => row.getAttribute(name)));
    expect(facts).toEqual([
      ['2', '1'],
      ['3', '2'],
      ['4', '1'],
      ['5', '2'],
    ]);
    expect(rows[0]?.getAttribute('aria-expanded')).toBe('true');
  });

  test('is folded by keys: from a row, and from head to head', async () => {
    const { user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(screen.queryByRole('gridcell', { name: 'Grace' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show the rows of Grace' }));
    await user.keyboard('{ArrowDown}{ArrowLeft}');
    expect(screen.queryByRole('gridcell', { name: 'Ada' })).toBeNull();
    await user.keyboard('{ArrowUp}{ArrowRight}');
    expect(screen.getByRole('gridcell', { name: 'Grace' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(input());
  });

  test('forgets what was collapsed of groups that it has no more', async () => {
    const { user, host } = show({ meta });
    const kept = () => host.userStorageOf('host').get('groups.collapsed-by.vw_1');
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    expect(kept()).toEqual({ by: 'cl_name', keys: [expect.any(String)] });
    await user.click(screen.getByRole('button', { name: 'Show the rows of Grace' }));
    expect(kept()).toBeUndefined();
  });

  test('adds a row with what the rows of a group have in common', async () => {
    const { user, server } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Add a row to Grace' }));
    await waitFor(() =>
      expect(server.written()).toMatchObject([{ method: 'POST', body: { Name: 'Grace' } }]),
    );
  });

  test('leads by the keyboard from row to row, whatever stands between them', async () => {
    show({ meta });
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await userEvent.keyboard('{ArrowDown}');
    const active = input().getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.textContent).toBe('Ada');
  });
});

describe('groups that cannot be read', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };

  test('are told of, and the rows are shown without them to this person alone', async () => {
    const { server, user } = show({ meta, groupsRefusal: new ApiError(409, 'More than 5,000 groups.') });
    expect((await screen.findByRole('alert')).textContent).toContain('More than 5,000 groups.');
    expect(await screen.findByRole('gridcell', { name: 'Ada' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show without groups' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await screen.findByText('2 rows')).toBeTruthy();
    server.groupsRefusal = undefined;
    await user.click(screen.getByRole('button', { name: 'Show groups' }));
    expect(await screen.findByRole('button', { name: 'Hide the rows of Grace' })).toBeTruthy();
    expect(server.written()).toEqual([]);
  });
});

describe('the selection of a grouped grid', () => {
  const meta = { groups: [{ columnId: 'cl_name', direction: 'desc' }] };
  const activeText = (): string | null | undefined =>
    document.getElementById(input().getAttribute('aria-activedescendant') ?? '')?.textContent;

  test('is nowhere while its row is hidden: what is typed goes to no other row', async () => {
    const { server, user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Grace' });
    focusGrid();
    await user.keyboard('{ArrowRight}');
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    focusGrid();
    await user.keyboard('7{Enter}');
    expect(server.written()).toEqual([]);
    expect(activeText()).toBeUndefined();
    await user.keyboard('{ArrowDown}');
    expect(activeText()).toBe('36');
  });

  test('stays with its row when that moves to another place', async () => {
    const { server, user } = show({ meta });
    await screen.findByRole('gridcell', { name: 'Grace' });
    focusGrid();
    await user.keyboard('Aaa{Enter}');
    expect(activeText()).toBe('Ada');
    await waitFor(() =>
      expect(screen.getAllByRole('gridcell', { name: /Ada|Aaa/ })[0]?.textContent).toBe('Ada'),
    );
    expect(activeText()).toBe('Ada');
    await user.keyboard('Zed{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    expect(server.written()[1]).toMatchObject({
      path: expect.stringMatching(/vw_1\/1$/),
      body: { Name: 'Zed' },
    });
  });

  test('goes to a row that is added to a collapsed group, which opens', async () => {
    const { server, user } = show({ meta });
    await user.click(await screen.findByRole('button', { name: 'Hide the rows of Grace' }));
    focusGrid();
    await user.click(await screen.findByRole('button', { name: 'Add a row to Grace' }));
    await screen.findByRole('button', { name: 'Hide the rows of Grace' });
    await waitFor(() => expect(document.activeElement).toBe(input()));
    await user.keyboard('Gwen{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(2));
    expect(server.written()[1]).toMatchObject({
      path: expect.stringMatching(/vw_1\/3$/),
      body: { Name: 'Gwen' },
    });
    // Typing goes on in the group of the row, which is that of its new name once the groups are loaded again: below may stand a row
    // of another one. Going down alone adds nothing.
    expect(input().getAttribute('aria-label')).toBe('Name, new row');
    await user.keyboard('Gus{Enter}');
    await waitFor(() => expect(server.written().length).toBeGreaterThan(2));
    expect(server.written()[2]).toMatchObject({
      method: 'POST',
      body: { Name: expect.stringMatching(/^(Grace|Gwen)$/) },
    });
  });
});
