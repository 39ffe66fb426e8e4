import { afterEach, expect, jest, test } from '@jest/globals';
import { TableDialogsToken, type TableDialogs } from '@trellis/sdk/web';
import type { GridHandle } from '@trellis/sdk/web/grid';
import { aColumn, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useRef, type ReactNode } from 'react';
import { useColumnPanel } from './use-column-panel.ts';

afterEach(cleanup);

const goToColumn = jest.fn<GridHandle['goToColumn']>();
const focus = jest.fn();

function Columns({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const grid = useRef({ goToColumn, focus } as Partial<GridHandle> as GridHandle);
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
  goToColumn.mockClear();
  focus.mockClear();
  const { rerender, services } = renderWithHost(<Columns ids={['a']} />);
  services.bind(TableDialogsToken, { value: dialogs });
  await act(async () => rerender(<Columns ids={['a']} />));
  fireEvent.click(screen.getByText('Add a column'));
  return { rerender, add: (id: string) => added?.(id) };
}

test('the cell cursor goes to a column that was added once the grid has it, with the focus', async () => {
  const { rerender, add } = await show();
  add('b');
  expect(goToColumn).not.toHaveBeenCalled();
  await act(async () => rerender(<Columns ids={['a', 'b']} />));
  expect([goToColumn.mock.calls, focus.mock.calls.length]).toEqual([[['b']], 1]);
  await act(async () => rerender(<Columns ids={['a', 'b', 'c']} />));
  expect(goToColumn).toHaveBeenCalledTimes(1);
});

test('also where the live channel told of it before the answer came', async () => {
  const { rerender, add } = await show();
  await act(async () => rerender(<Columns ids={['a', 'b']} />));
  expect(goToColumn).not.toHaveBeenCalled();
  add('b');
  expect(goToColumn.mock.calls).toEqual([['b']]);
});

test('whoever is in a dialog by then keeps the focus there', async () => {
  const { rerender, add } = await show();
  const dialog = document.createElement('div');
  dialog.setAttribute('aria-modal', 'true');
  const field = dialog.appendChild(document.createElement('input'));
  document.body.append(dialog);
  field.focus();
  add('b');
  await act(async () => rerender(<Columns ids={['a', 'b']} />));
  expect([goToColumn.mock.calls, focus.mock.calls.length]).toEqual([[['b']], 0]);
  dialog.remove();
});
