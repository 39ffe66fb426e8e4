import { afterEach, expect, jest, test } from '@jest/globals';
import { TableDialogsToken, type TableDialogs } from '@trellis/sdk/web';
import type { GridHandle } from '@trellis/sdk/web/grid';
import { aColumn, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useRef, type ReactNode } from 'react';
import { useColumnPanel } from './use-column-panel.ts';

afterEach(cleanup);

const revealColumn = jest.fn<GridHandle['revealColumn']>();

function Columns({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const grid = useRef({ revealColumn } as Partial<GridHandle> as GridHandle);
  const columns = ids.map((id) => ({ entity: aColumn(id, id), width: 100, type: textType }));
  const panel = useColumnPanel(grid, columns);
  return <button onClick={() => panel?.openColumnPanel({ table: {} as never })}>Add a column</button>;
}

async function show() {
  let added: ((id: string) => void) | undefined;
  const dialogs: TableDialogs = {
    createTable() {},
    addColumnsFor: () => Promise.resolve(undefined),
    openColumnPanel({ onAdded }) {
      added = onAdded;
    },
  };
  revealColumn.mockClear();
  const { rerender, services } = renderWithHost(<Columns ids={['a']} />);
  services.bind(TableDialogsToken, { value: dialogs });
  await act(async () => rerender(<Columns ids={['a']} />));
  fireEvent.click(screen.getByText('Add a column'));
  return { rerender, add: (id: string) => added?.(id) };
}

test('a column that was added is scrolled to once the grid has it', async () => {
  const { rerender, add } = await show();
  add('b');
  expect(revealColumn).not.toHaveBeenCalled();
  await act(async () => rerender(<Columns ids={['a', 'b']} />));
  expect(revealColumn.mock.calls).toEqual([['b']]);
  await act(async () => rerender(<Columns ids={['a', 'b', 'c']} />));
  expect(revealColumn).toHaveBeenCalledTimes(1);
});

test('also where the live channel told of it before the answer came', async () => {
  const { rerender, add } = await show();
  await act(async () => rerender(<Columns ids={['a', 'b']} />));
  expect(revealColumn).not.toHaveBeenCalled();
  add('b');
  expect(revealColumn.mock.calls).toEqual([['b']]);
});
