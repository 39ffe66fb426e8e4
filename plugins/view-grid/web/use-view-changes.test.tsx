import { afterEach, expect, test } from '@jest/globals';
import type { ViewColumnEntity } from '@trellis/sdk/shared';
import { ApiError } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, aView, renderWithHost } from '@trellis/sdk/testing/web';
import type { ShownColumn } from '@trellis/sdk/web/views';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { useViewChanges } from './use-view-changes.ts';

afterEach(cleanup);

const columns = [aColumn('cl_a', 'A'), aColumn('cl_b', 'B'), aColumn('cl_c', 'C')];
const inView = columns.map((column, at): ShownColumn => ({
  column,
  width: undefined,
  viewColumn: { id: `nc_${at}`, fk_column_id: column.id, order: at + 1, show: true } as ViewColumnEntity,
}));
const of = { project: aProject(), table: aTable(columns), view: aView(), readOnly: false };

function Titles() {
  const { shown, reorder } = useViewChanges(of, inView);
  const [problem, setProblem] = useState('');
  return (
    <>
      <output>{shown.map(({ column }) => column.title).join(' ')}</output>
      <button
        type="button"
        onClick={() => void reorder('cl_c', 'cl_a').catch((error: Error) => setProblem(error.message))}
      >
        Put C first
      </button>
      <p>{problem}</p>
    </>
  );
}

test('columns stand where they were dragged at once, and where they were again when that is refused', async () => {
  let refuse = (): void => undefined;
  renderWithHost(<Titles />, {
    api: ({ method }) =>
      method === 'PATCH'
        ? new Promise((_resolve, reject) => {
            refuse = () => reject(new ApiError(403, 'The view is locked.'));
          })
        : { sorts: { list: [] } },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Put C first' }));
  expect(screen.getByRole('status').textContent).toBe('C A B');
  refuse();
  expect(await screen.findByText('The view is locked.')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('A B C'));
});
