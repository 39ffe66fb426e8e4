import { afterEach, expect, jest, test } from '@jest/globals';
import { aColumn, aProject, aTable, FakeResponse, renderWithHost } from '@trellis/sdk/testing/web';
import { useRows, useRowsInSight } from '@trellis/sdk/web/rows';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { undoCommands } from './undo-commands.ts';
import { UndoButtons } from './UndoButtons.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const table = aTable([aColumn('cl_id', 'Id', { pk: true }), aColumn('cl_name', 'Name')]);

function View() {
  const rows = useRows({ kind: 'table', project: aProject(), table });
  useRowsInSight(rows);
  return <UndoButtons />;
}

function show() {
  let operation = 0;
  return renderWithHost(<View />, {
    api: ({ method }) => {
      operation += 1;
      return method === undefined || method === 'GET'
        ? { list: [] }
        : new FakeResponse({ Id: 1 }, { 'x-trellis-operation': `op${operation}` });
    },
  });
}

test('the buttons say what they take back and do again, and rest while there is nothing', async () => {
  const { requests, host } = show();
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(undo.getAttribute('aria-disabled')).toBe('true');
  await act(async () =>
    host.shell.context.rows?.write(
      [{ rowKey: '1', index: 0, columnId: 'cl_name', value: 'a', before: null }],
      {
        kind: 'paste',
        count: 4,
      },
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Undo: Paste of 4 cells' }));
  const redo = await screen.findByRole('button', { name: 'Redo: Paste of 4 cells' });
  expect(redo.title).toBe('Redo: Paste of 4 cells (Ctrl+Shift+Z)');
  expect(requests.at(-1)?.path).toMatch(/\/undo$/);
});

test('an undo that waits for what is being saved shows so, and says so after a while', async () => {
  let save = (_answer: FakeResponse): void => undefined;
  const { host, toasts, requests } = renderWithHost(<View />, {
    api: ({ method, path }) => {
      if (method === undefined || method === 'GET') return { list: [] };
      const done = new FakeResponse({ Id: 1 }, { 'x-trellis-operation': 'op1' });
      return path.endsWith('/undo') ? done : new Promise((resolve) => (save = resolve));
    },
  });
  const undo = await screen.findByRole('button', { name: 'Undo' });
  const { rows } = host.shell.context;
  const write = rows?.write([{ rowKey: '1', index: 0, columnId: 'cl_name', value: 'a', before: null }], {
    kind: 'edit',
    count: 1,
  });
  await waitFor(() => expect(requests.some(({ method }) => method === 'PATCH')).toBe(true));
  jest.useFakeTimers();
  await act(async () => void undoCommands.undo.run(host.shell.context, host));
  expect(undo.getAttribute('aria-busy')).toBe('true');
  expect(toasts).toEqual([]);
  act(() => jest.advanceTimersByTime(1000));
  expect(toasts[0]?.summary).toBe('The server has not answered yet. It is done as soon as it does.');
  jest.useRealTimers();
  await act(async () => {
    save(new FakeResponse({ Id: 1 }, { 'x-trellis-operation': 'op0' }));
    await write;
  });
  await waitFor(() => expect(undo.getAttribute('aria-busy')).toBe('false'));
  expect(requests.at(-1)?.path).toMatch(/op0\/undo$/);
});

test('the commands are offered where rows are in sight, and say when there is nothing to take back', async () => {
  const { host, toasts, unmount } = show();
  await screen.findByRole('button', { name: 'Undo' });
  expect(undoCommands.redo.when?.(host.shell.context)).toBe(true);
  await act(async () => undoCommands.redo.run(host.shell.context, host));
  await waitFor(() => expect(toasts[0]?.summary).toBe('Nothing to redo.'));
  unmount();
  expect(undoCommands.redo.when?.(host.shell.context)).toBe(false);
});
