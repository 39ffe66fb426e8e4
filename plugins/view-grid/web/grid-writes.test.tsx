import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { focusGrid, input, prepareGridView, show } from '../testing/grid-view.tsx';

prepareGridView();

describe('a grid that is written in', () => {
  test('writes a single cell to its row by title and takes over what the server made of it', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowRight}37{Enter}');
    await waitFor(() => expect(screen.getByRole('gridcell', { name: '37' })).toBeTruthy());
    expect(server.written()).toMatchObject([
      { method: 'PATCH', path: '/api/v1/db/data/noco/p_1/md_1/views/vw_1/1', body: { Age: 37 } },
    ]);
  });

  test('writes cells of several rows in one call', async () => {
    const { server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'A\t1\nB\t2\n' : '') },
    });
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'B' })).toBeTruthy());
    expect(server.written()).toMatchObject([
      {
        method: 'PATCH',
        path: '/api/v1/db/data/bulk/noco/p_1/md_1',
        body: [
          { Id: '1', Name: 'A', Age: 1 },
          { Id: '2', Name: 'B', Age: 2 },
        ],
      },
    ]);
  });

  test('keeps what was typed at its cell when the server refuses it', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(400, 'Age must be below 200');
    focusGrid();
    await user.keyboard('{ArrowRight}999{Enter}{ArrowUp}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Age must be below 200'));
    expect(screen.getByRole('gridcell', { name: '999' }).getAttribute('aria-invalid')).toBe('true');
  });

  test('shows what was typed and not taken when the grid goes away, to be copied', async () => {
    const { server, user, unmount, questions } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(404, 'Table not found', 'TABLE_NOT_FOUND');
    focusGrid();
    await user.keyboard('half typed');
    unmount();
    await waitFor(() => expect(questions).toHaveLength(1));
    expect(questions[0]).toMatchObject({ title: 'What you entered was not saved', confirmLabel: 'Copy' });
    const { container } = render(questions[0]?.message);
    expect(container.textContent).toBe('half typedName: Table not found');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('half typed'));
  });

  test('adds the rows that were pasted past the end', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowDown}');
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'G\nAlan\nBarbara' : '') },
    });
    await screen.findByRole('gridcell', { name: 'Barbara' });
    expect(server.rows.map((row) => row.Name)).toEqual(['Ada', 'G', 'Alan', 'Barbara']);
  });

  test('takes back a paste in one step: what it changed, what it added, and what it marked', async () => {
    const { server, user } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{ArrowDown}');
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'G\tx\nAlan\ty' : '') },
    });
    await screen.findByRole('gridcell', { name: 'Alan' });
    await waitFor(() => expect(screen.getByRole('gridcell', { name: 'y' })).toBeTruthy());
    expect(screen.getByText(/2 cells were not taken/)).toBeTruthy();
    const before = server.written().length;
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(server.written()).toHaveLength(before + 2));
    expect(
      server
        .written()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual([expect.stringContaining('/undo'), expect.stringContaining('/undo')]);
    await waitFor(() => expect(screen.queryByRole('gridcell', { name: 'x' })).toBeNull());
    expect(screen.queryByText(/were not taken/)).toBeNull();
  });

  test('tells how many cells of a paste the server refused', async () => {
    const { server } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    server.refusal = new ApiError(400, 'Too short.');
    focusGrid();
    fireEvent.paste(input(), {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? 'A\nB' : '') },
    });
    expect(await screen.findByText(/2 cells were not taken/)).toBeTruthy();
  });

  test('Ctrl+Z takes the last write back, and says so when there is none', async () => {
    const { server, user, toasts } = show();
    await screen.findByRole('gridcell', { name: 'Ada' });
    focusGrid();
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(toasts[0]?.summary).toBe('Nothing to undo.'));
    await user.keyboard('Eve{Enter}');
    await waitFor(() => expect(server.written()).toHaveLength(1));
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(server.written().at(-1)?.path).toContain('/undo'));
  });
});
