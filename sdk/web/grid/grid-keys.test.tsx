import { describe, expect, jest, test } from '@jest/globals';
import { createRef, useLayoutEffect, type ReactNode } from 'react';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Grid } from './Grid.tsx';
import { aColumn, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';
import { activeCell, cellAt, paste, prepareGridBench, showGrid, storeIn } from '../../testing/grid-bench.tsx';
import type { GridHandle, GridProps } from './grid-types.ts';

prepareGridBench();

describe('the keyboard', () => {
  test('walks the cells and names the active one to assistive technology', async () => {
    const { user, input } = showGrid();
    await user.tab();
    while (document.activeElement !== input) await user.tab();
    expect(activeCell()).toBe(cellAt(0, 0));
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(activeCell()).toBe(cellAt(1, 1));
    expect(input.getAttribute('aria-label')).toBe('Age, row 2');
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(activeCell()).toBe(cellAt(0, 0));
    await user.keyboard('{Control>}{End}{/Control}');
    expect(input.getAttribute('aria-label')).toBe('Fixed, row 100');
  });

  test('typing replaces the value, Enter commits and goes down', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('Ada{Enter}');
    expect(onCommitCells.mock.calls[0]?.[0]).toEqual([
      { rowKey: 'k0', index: 0, columnId: 'name', value: 'Ada', before: 'row 0', text: 'Ada' },
    ]);
    expect(activeCell()).toBe(cellAt(1, 0));
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Ada'));
  });

  test('Enter opens the value as it is, Escape leaves it as it was', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(input).toHaveProperty('value', 'row 0');
    await user.keyboard(' changed{Escape}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(cellAt(0, 0).textContent).toBe('row 0');
    expect(input).toHaveProperty('value', '');
  });

  test('an editor that was opened and not changed writes nothing', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{F2}{Tab}');
    expect(onCommitCells).not.toHaveBeenCalled();
    expect(activeCell()).toBe(cellAt(0, 1));
  });

  test('a held key opens a cell once', async () => {
    const open = jest.fn();
    const { input } = showGrid({
      columns: [{ entity: aColumn('name', 'Name'), width: 80, type: { ...textType, open } }],
    });
    act(() => input.focus());
    for (let n = 0; n < 10; n++) fireEvent.keyDown(input, { key: 'Enter', repeat: n > 0 });
    expect(open).toHaveBeenCalledTimes(1);
    fireEvent.keyDown(input, { key: 'Enter' });
    expect(open).toHaveBeenCalledTimes(2);
  });

  test('Delete empties the range and leaves read-only cells', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{Shift>}{ArrowDown}{End}{/Shift}{Delete}');
    const cleared = onCommitCells.mock.calls[0]?.[0].map(({ rowKey, columnId, value }) => [
      rowKey,
      columnId,
      value,
    ]);
    expect(cleared).toEqual([
      ['k0', 'name', null],
      ['k0', 'age', null],
      ['k0', 'done', false],
      ['k1', 'name', null],
      ['k1', 'age', null],
    ]);
  });

  describe.each([
    ['Delete', '{Delete}'],
    ['Ctrl+D', '{Control>}d{/Control}'],
  ])('%s does nothing, and says so, where while rows were loaded', (_name, keys) => {
    async function pressAndWait() {
      const source = makeRows(8);
      let isLoaded = false;
      let arrive: () => void = () => undefined;
      Object.assign(source, {
        rowAt: (index: number) => (isLoaded || index < 3 ? source.rows[index] : undefined),
        load: () => new Promise<void>((resolve) => (arrive = resolve)),
      });
      const onCommitCells = storeIn(source);
      const { user, input, rerender } = showGrid({ source, onCommitCells });
      act(() => input.focus());
      await user.keyboard('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}{Shift>}{ArrowUp}{/Shift}');
      await user.keyboard(keys);
      const goOn = (meanwhile: () => void) =>
        act(async () => {
          isLoaded = true;
          meanwhile();
          arrive();
          await Promise.resolve();
        });
      return {
        source,
        onCommitCells,
        goOn,
        rerender: () => rerender({ source, onCommitCells, columns: testColumns.slice(1) }),
      };
    }

    test('others went', async () => {
      const { source, onCommitCells, goOn } = await pressAndWait();
      await goOn(() => {
        source.rows = source.rows.filter(({ key }) => key !== 'k4');
      });
      expect(await screen.findByText(/the selected cells are others by now/)).toBeTruthy();
      expect(onCommitCells).not.toHaveBeenCalled();
    });

    test('their column went', async () => {
      const { onCommitCells, goOn, rerender } = await pressAndWait();
      rerender();
      await goOn(() => undefined);
      expect(await screen.findByText(/the selected cells are others by now/)).toBeTruthy();
      expect(onCommitCells).not.toHaveBeenCalled();
    });
  });

  test('a cell that may not be empty says so when it is cleared, and the others are emptied', async () => {
    const required = aColumn('name', 'Name', { rqd: true });
    const columns = [{ entity: required, width: 200, type: textType }, ...testColumns.slice(1)];
    const { user, input, onCommitCells } = showGrid({ columns });
    act(() => input.focus());
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}{Delete}');
    expect(screen.getByRole('alert').textContent).toContain('“Name” must not be empty.');
    expect(onCommitCells.mock.calls[0]?.[0].map((change) => change.columnId)).toEqual(['age']);
  });

  test('Space ticks a checkbox and opens the row elsewhere', async () => {
    const onOpenRow = jest.fn();
    const { user, input, onCommitCells } = showGrid({ onOpenRow });
    act(() => input.focus());
    await user.keyboard(' ');
    expect(onOpenRow).toHaveBeenCalledWith('k0');
    await user.keyboard('{ArrowRight}{ArrowRight} ');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({
      columnId: 'done',
      value: false,
      before: true,
    });
  });

  test('typing into a read-only cell says why and writes nothing', async () => {
    const { user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('{End}x');
    expect(screen.getByRole('alert').textContent).toBe('“Fixed” is read-only.');
    expect(input).toHaveProperty('value', '');
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('Tab leaves the grid at its last cell, so that nobody is caught in it', async () => {
    const { user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('{Control>}{End}{/Control}');
    expect(fireEvent.keyDown(input, { key: 'Tab' })).toBe(true);
  });

  test('Escape in a cell lets the next Tab leave the grid, in both directions', async () => {
    const { user, input } = showGrid();
    act(() => input.focus());
    const leaves = (shiftKey: boolean): boolean => fireEvent.keyDown(input, { key: 'Tab', shiftKey });
    await user.keyboard('{ArrowDown}{ArrowRight}{Escape}');
    expect([leaves(false), activeCell()]).toEqual([true, cellAt(1, 1)]);
    await user.keyboard('{Escape}');
    expect([leaves(true), activeCell()]).toEqual([true, cellAt(1, 1)]);
    // A range is taken back first, and whatever is done in between means to stay.
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Escape}');
    expect([leaves(false), activeCell()]).toEqual([false, cellAt(1, 2)]);
    await user.keyboard('{Escape}{ArrowDown}');
    expect([leaves(false), activeCell()]).toEqual([false, cellAt(2, 3)]);
  });

  test('a message stays for whoever leaves the grid to read it, and a second Escape closes it', async () => {
    const { user, input } = showGrid();
    act(() => input.focus());
    paste(input, 'Anna\t30\ttrue\tfixed\tmore');
    await user.keyboard('{Escape}{Escape}');
    expect(screen.getByText(/had no place/)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/had no place/)).toBeNull();
  });

  test('knows of the focus that a dialog gives back as it goes away', () => {
    function Dialog(): ReactNode {
      useLayoutEffect(() => () => screen.getByRole('textbox').focus(), []);
      return null;
    }
    const page = (isOpen: boolean) => (
      <>
        <Grid label="People" {...testPlace} columns={testColumns} source={makeRows(3)} />
        {isOpen && <Dialog />}
      </>
    );
    const { rerender, container } = render(page(true));
    expect(container.querySelector('.tgrid.is-focused')).toBeNull();
    rerender(page(false));
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    expect(container.querySelector('.tgrid.is-focused')).not.toBeNull();
  });

  test('the page can lead to a column, in the row where the person is', async () => {
    const handle = createRef<GridHandle>();
    const { user, input } = showGrid({ ref: handle } as Partial<GridProps>);
    act(() => handle.current?.goToColumn('age'));
    expect(activeCell()).toBe(cellAt(0, 1));
    act(() => input.focus());
    await user.keyboard('{ArrowDown}');
    act(() => handle.current?.goToColumn('fixed'));
    expect(activeCell()).toBe(cellAt(1, 3));
  });

  test('Enter after Tab leads to the column where Tab began, one row below', async () => {
    const { user, input } = showGrid();
    act(() => input.focus());
    await user.keyboard('Anna{Tab}30{Enter}');
    expect(activeCell()).toBe(cellAt(1, 0));
    await user.keyboard('{Tab}{Tab}{Shift>}{Tab}{/Shift}40{Enter}');
    expect(activeCell()).toBe(cellAt(2, 0));
    await user.keyboard('{Tab}{ArrowDown}50{Enter}');
    expect(activeCell()).toBe(cellAt(4, 1));
  });

  test('Ctrl+Z and Ctrl+Y are handed to the page', async () => {
    const onUndo = jest.fn();
    const onRedo = jest.fn();
    const { user, input } = showGrid({ onUndo, onRedo });
    act(() => input.focus());
    await user.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
    expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 1]);
    // On a keyboard of another alphabet.
    fireEvent.keyDown(input, { key: 'я', code: 'KeyZ', ctrlKey: true });
    expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([2, 1]);
  });
});
