import { describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Grid } from './Grid.tsx';
import type { EditorProps, WebColumnType } from '../extensions/index.ts';
import { CellEdits, type CellChange } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import { aColumn, numberType, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';
import { activeCell, cellAt, paste, showGrid, prepareGridBench } from '../../testing/grid-bench.tsx';

prepareGridBench();

describe('edits that are not taken', () => {
  test('a text that cannot be read stays at its cell until it is corrected', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}many{Enter}{ArrowUp}');
    expect(cellAt(0, 1).textContent).toBe('many');
    expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toContain('“Age” must be a number.');
    await user.keyboard('{Enter}');
    expect(input).toHaveProperty('value', 'many');
    await user.clear(input);
    await user.keyboard('7{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'age', value: 7 });
    await waitFor(() => expect(cellAt(0, 1).getAttribute('aria-invalid')).toBeNull());
  });

  test('a value that the server refuses is shown with its reason; Escape takes the stored one back', async () => {
    const refuse = jest.fn(async (changes: readonly CellChange[]) => {
      await Promise.resolve();
      return changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' }));
    });
    const { user, input } = showGrid({ onCommitCells: refuse });
    act(() => input.focus());
    await user.keyboard('Ada{Enter}{ArrowUp}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Taken already'));
    expect(cellAt(0, 0).textContent).toBe('Ada');
    await user.keyboard('{Escape}');
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });

  test.each([
    ['typed', { kind: 'text', text: '55' }],
    ['committed as a value', { kind: 'value', value: 110 }],
  ] as const)(
    'a text %s stays as it was typed when the server refuses it because its type went off meanwhile',
    async (_how, said) => {
      const off = 'The column type is switched off';
      const refuse = jest.fn((changes: readonly CellChange[]) =>
        Promise.resolve(changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: off }))),
      );
      // Its text is not what it stores, and it is written in more than one way.
      const doubled: WebColumnType = {
        ...numberType,
        Editor: ({ onChange, onCommit }: EditorProps) => (
          <input
            aria-label="Picker"
            autoFocus
            onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
            onBlur={() => {
              if (said.kind === 'value') onCommit(said.value);
            }}
          />
        ),
        parse: (text) => ({ ok: true, value: Number(text) * 2 }),
        format: (value) => `${Number(value) / 2} units`,
      };
      const columnsWith = (type: WebColumnType | undefined): GridColumn[] => [
        { entity: aColumn('age', 'Age'), width: 200, type },
      ];
      const props = { label: 'People', ...testPlace, source: makeRows(3), onCommitCells: refuse };
      const { rerender } = render(<Grid {...props} columns={columnsWith(doubled)} />);
      const user = userEvent.setup();
      act(() => screen.getByRole('textbox').focus());
      await user.keyboard('{Enter}');
      await user.type(screen.getByRole('textbox', { name: 'Picker' }), '55');
      rerender(<Grid {...props} columns={columnsWith(undefined)} />);
      await user.keyboard('{Enter}');
      expect(refuse.mock.calls[0]?.[0][0]).toMatchObject({ value: 110 });
      await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
      expect(cellAt(0, 0).textContent).toBe('55');
    },
  );

  test('a pasted text that the server refuses stays as it was pasted', async () => {
    const refuse = (changes: readonly CellChange[]) =>
      Promise.resolve(
        changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' })),
      );
    const { input } = showGrid({ onCommitCells: refuse });
    act(() => input.focus());
    fireEvent.keyDown(input, { key: 'ArrowRight' });
    paste(input, '007');
    await waitFor(() => expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true'));
    expect(cellAt(0, 1).textContent).toBe('007');
  });

  test('a refused text stays when its cell is only opened, until whoever opened it says that it is dealt with', async () => {
    const open = jest.fn<NonNullable<WebColumnType['open']>>();
    const { user, input } = showGrid({
      columns: [{ entity: aColumn('name', 'Name'), width: 80, type: { ...textType, open } }],
      onCommitCells: (changes) =>
        Promise.resolve(
          changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Nobody knows it' })),
        ),
    });
    act(() => input.focus());
    paste(input, 'Carl');
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Carl'));
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
    await user.keyboard('{Enter}');
    expect(open.mock.calls[0]?.[0].refusedText).toBe('Carl');
    expect(cellAt(0, 0).textContent).toBe('Carl');
    act(() => open.mock.calls[0]?.[0].onRefusedDone?.());
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });

  test('leaving the grid commits what was typed', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('Ada');
    act(() => input.blur());
    expect(onCommitCells).toHaveBeenCalledTimes(1);
  });
});

describe('a cell that goes away under the typing hand', () => {
  const without = (id: string) => testColumns.filter(({ entity }) => entity.id !== id);

  test('tells what was typed once its column is gone, and nothing goes to the one beside it', async () => {
    const { source, onCommitCells, rerender, user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}half typed');
    rerender({ columns: without('age'), source, onCommitCells });
    expect(screen.getByText(/“half typed” was not saved. The column “Age” was taken away/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
    expect(activeCell()).toBeNull();
    await user.keyboard(' text{Enter}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(input).toHaveProperty('value', '');
    await user.keyboard('{ArrowDown}');
    expect(activeCell()).not.toBeNull();
  });

  test('is left alone where another column goes away: the edit stays with its own', async () => {
    const { source, onCommitCells, rerender, user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{ArrowRight}4');
    rerender({ columns: without('name'), source, onCommitCells });
    expect(input.getAttribute('aria-label')).toBe('Age, row 1');
    await user.keyboard('2{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0]).toMatchObject([{ columnId: 'age', value: 42 }]);
  });

  test('tells at once what was typed where its row was deleted elsewhere, and takes no other one', async () => {
    const { source, onCommitCells, user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('Anna');
    const gone = source.rows[0]?.key;
    act(() => {
      Object.assign(source, { wasDeleted: (key: string) => key === gone });
      source.rows = source.rows.slice(1);
    });
    expect(
      await screen.findByText(/“Anna” was not saved. This row was deleted while you typed/),
    ).toBeTruthy();
    expect(activeCell()).toBeNull();
    // A paste that has nowhere to go does not take the place of what was told.
    for (let times = 0; times < 2; times += 1) paste(input, 'gone');
    expect(await screen.findByText(/no cell is selected/)).toBeTruthy();
    expect(screen.getByText(/“Anna” was not saved/)).toBeTruthy();
    await user.keyboard('bel{Enter}');
    expect(onCommitCells).not.toHaveBeenCalled();
    // Nor does what is typed on.
    expect(screen.getByText(/“Anna” was not saved/)).toBeTruthy();
    const told = screen.getByText(/“bel” was not saved. No cell is selected/);
    expect(told.closest('details')?.open).toBe(true);
  });

  test('tells what was typed where its row is gone and nobody told of it', async () => {
    const onCommitCells = () => Promise.reject(new Error('This row is gone.'));
    const { source, user, input } = showGrid({ onCommitCells });
    act(() => input.focus());
    await user.keyboard('Anna');
    act(() => {
      source.rows = source.rows.slice(1);
    });
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/“Anna” was not saved. Name: This row is gone/)).toBeTruthy();
  });

  test.each([
    ['before it was refused', true],
    ['after that', false],
  ])('leaves nothing to be taken back of a text whose row was deleted %s', async (_when, isBefore) => {
    let refuse: () => void = () => undefined;
    const onCommitCells = () =>
      new Promise<never>((_resolve, reject) => (refuse = () => reject(new Error('This row is gone.'))));
    const edits = new CellEdits();
    const { source, user, input } = showGrid({ onCommitCells, edits });
    act(() => input.focus());
    await user.keyboard('Anna{Enter}');
    const goes = () =>
      act(() => {
        Object.assign(source, { wasDeleted: (key: string) => key === 'k0' });
        source.rows = source.rows.slice(1);
      });
    if (isBefore) goes();
    await act(async () => {
      refuse();
      await new Promise((resolve) => setTimeout(resolve));
    });
    if (!isBefore) goes();
    expect(await screen.findByText(/“Anna” was not saved/)).toBeTruthy();
    expect(edits.hasAny).toBe(false);
  });
});
