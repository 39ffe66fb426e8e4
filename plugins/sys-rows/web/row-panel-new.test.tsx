import { afterEach, describe, expect, test } from '@jest/globals';
import type { Row } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';
import { aColumn, aTable, FakeResponse, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { number, project, rowPath, sent, show, table } from '../testing/row-panel.tsx';
import type { RowRequest } from './panel-requests.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('a row that is yet to be added', () => {
  test('says which values it needs, and is added with them', async () => {
    const added: number[] = [];
    const memory = show({ rowKey: undefined, onAdded: (index) => added.push(index) });
    memory.open();
    await screen.findByRole('dialog', { name: 'New row' });
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    expect(screen.getByText('“Name” must not be empty.')).toBeTruthy();
    expect(sent(memory)).toEqual([]);
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'Grace');
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { Name: 'Grace' } }]);
    expect(added).toHaveLength(1);
  });

  test('is added once, however often it is asked for meanwhile', async () => {
    const memory = show({ rowKey: undefined });
    memory.open();
    const panel = await screen.findByRole('dialog', { name: 'New row' });
    await memory.user.type(screen.getByRole('textbox', { name: /Name/ }), 'Grace');
    act(() => panel.focus());
    // The answer to the first press is yet to come.
    for (let times = 0; times < 2; times += 1) fireEvent.keyDown(panel, { key: 's', ctrlKey: true });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(memory)).toHaveLength(1);
  });

  test('begins with what was typed before it was clear that more is needed', async () => {
    const naming = table.columns?.find(({ title }) => title === 'Name');
    const memory = show({ rowKey: undefined, values: { [naming?.id ?? '']: 'Grace', other: undefined } });
    memory.open();
    await screen.findByRole('dialog', { name: 'New row' });
    expect(screen.getByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Grace');
    await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { Name: 'Grace' } }]);
  });

  test('that begins with what its place gave is left without a question until something is entered', async () => {
    const naming = table.columns?.find(({ title }) => title === 'Name');
    const values = { [naming?.id ?? '']: 'Grace' };
    const memory = show({ rowKey: undefined, values, areDefaults: true }, { confirm: () => false });
    memory.open();
    expect(await screen.findByRole('textbox', { name: /Name/ })).toBe(document.activeElement);
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    memory.open();
    await memory.user.type(await screen.findByRole('textbox', { name: /Name/ }), ' H.');
    await memory.user.keyboard('{Escape}');
    await waitFor(() => expect(memory.questions).toHaveLength(1));
    expect(sent(memory)).toEqual([]);
  });

  describe('of a table with links', () => {
    const linkType: WebColumnType = {
      ...textType,
      id: 'Link',
      storage: 'virtual',
      open: () => undefined,
      Answer: ({ column, labelledBy, onChange }) => (
        <button
          type="button"
          aria-labelledby={labelledBy}
          onClick={() => onChange([{ Id: 7, Name: 'AC/DC' }])}
        >
          {`Choose for ${column.title}`}
        </button>
      ),
      keptAnswers: {
        columnsOf: ({ id }) => (id === 'cl_artist' ? ['cl_fk'] : []),
        valuesOf: async (_value, { column }) => (column.id === 'cl_artist' ? { cl_fk: 7 } : undefined),
      },
      writeCells: async ({ column, changes, perform }) => {
        await perform({ method: 'PUT', path: '/links', body: changes.map(({ rowKey }) => rowKey) });
        return refusals.map((message) => ({ rowKey: '2', columnId: column.id, message }));
      },
    };
    let refusals: readonly string[] = [];
    afterEach(() => {
      refusals = [];
    });
    const linked = { virtual: true, uidt: 'Link', storage: 'virtual' } as const;
    const album = aTable([
      aColumn('cl_id', 'Id', { uidt: 'Number', pk: true, ai: true, rqd: true }),
      aColumn('cl_name', 'Name', { pv: true }),
      aColumn('cl_fk', 'ArtistId', { uidt: 'Number', rqd: true }),
      aColumn('cl_artist', 'Artist', linked),
      aColumn('cl_tracks', 'Tracks', linked),
      aColumn('cl_hidden', 'Junction', { ...linked, system: true }),
    ]);
    const withLinks = (request: Partial<RowRequest> = {}) => {
      const permitted = { ...project, permissions: [...(project.permissions ?? []), 'relationDataAdd'] };
      const memory = show(
        { project: permitted, table: album, rowKey: undefined, ...request },
        {
          registries: { columnTypes: [textType, number, linkType] },
          api: {
            'GET /api/v1/db/meta/tables/md_1': album,
            [`GET ${rowPath}/1`]: { Id: 1, Name: 'Ada', ArtistId: 7 },
            [`POST ${rowPath}`]: ({ body }: { readonly body: Row }) =>
              new FakeResponse({ Id: 2, ...body }, { 'x-trellis-operation': 'op_1' }),
            'PUT /links': new FakeResponse({}, { 'x-trellis-operation': 'op_2' }),
            'POST /api/v1/db/data/operations/p_1/op_1/undo': {},
            'POST /api/v1/db/data/operations/p_1/op_2/undo': {},
          },
        },
      );
      memory.open();
      return memory;
    };

    test('shows what is linked, and folds the key that says so away', async () => {
      withLinks({ rowKey: '1' });
      await screen.findByRole('dialog', { name: /Ada/ });
      expect(screen.getByText('Artist').closest('details')).toBeNull();
      expect(screen.getByText('ArtistId').closest('details')?.open).toBe(false);
    });

    test('asks for the row behind a foreign key, not for the key, and needs it where the key does', async () => {
      const memory = withLinks();
      await screen.findByRole('dialog', { name: 'New row' });
      expect(screen.queryByText('Junction')).toBeNull();
      expect(screen.getByText('ArtistId').closest('details')?.open).toBe(false);
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      expect(screen.getByText('“Artist” must not be empty.')).toBeTruthy();
      expect(sent(memory)).toEqual([]);
      await memory.user.click(screen.getByText('Choose for Artist'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent(memory)).toMatchObject([{ method: 'POST', path: rowPath, body: { ArtistId: 7 } }]);
    });

    test('shows a key that it was given, in place of asking for its row', async () => {
      const memory = withLinks({ values: { cl_fk: 9 } });
      expect(await screen.findByRole('textbox', { name: /ArtistId/ })).toHaveProperty('value', '9');
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(sent(memory)).toMatchObject([{ method: 'POST', body: { ArtistId: 9 } }]));
    });

    test('links other rows once it is there', async () => {
      const memory = withLinks({ values: { cl_fk: 9 } });
      await memory.user.click(await screen.findByText('Choose for Tracks'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent(memory)).toMatchObject([
        { method: 'POST', path: rowPath },
        { method: 'PUT', path: '/links', body: ['2'] },
      ]);
    });

    test('is taken back where a link is refused, and says so at the link', async () => {
      refusals = ['The row is gone.'];
      const memory = withLinks({ values: { cl_fk: 9 } });
      await memory.user.click(await screen.findByText('Choose for Tracks'));
      await memory.user.click(screen.getByRole('button', { name: 'Add the row' }));
      expect(await screen.findByText('The row is gone.')).toBeTruthy();
      expect(sent(memory).slice(2)).toMatchObject([
        { method: 'POST', path: expect.stringMatching(/op_2\/undo$/) as unknown },
        { method: 'POST', path: expect.stringMatching(/op_1\/undo$/) as unknown },
      ]);
    });
  });
});
