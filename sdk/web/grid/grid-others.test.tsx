import { describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { prepareGridBench, showGrid, cellAt } from '../../testing/grid-bench.tsx';
import { testColumns } from '../../testing/grid-fixtures.ts';
import { textType } from '../../testing/table-fixtures.ts';
import type { GridColumn } from './grid-column.ts';

prepareGridBench();

const said = (): string[] => screen.queryAllByRole('status').map(({ textContent }) => textContent ?? '');

describe('a cell that others are in while it is edited', () => {
  test('says who else is in it', async () => {
    const { user, input } = showGrid({
      marks: new Map([['k0', [{ columnId: 'name', color: 'red', label: 'bob@example.com' }]]]),
    });
    act(() => input.focus());
    expect(said()).toEqual([]);
    await user.keyboard('M');
    expect(said()).toEqual(['Also in this cell: bob@example.com']);
    await user.keyboard('{Escape}{ArrowRight}9');
    expect(said()).toEqual([]);
  });

  test('says what they stored meanwhile, and offers it back after it was written over', async () => {
    const { source, user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('Mine');
    act(() => source.put(0, { name: 'Theirs' }));
    expect(said()).toEqual([
      'Somebody else changed this to “Theirs” meanwhile.Enter to write over it, Escape to keep it.',
    ]);
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(said().join()).toContain(
        'Somebody else changed “Name” to “Theirs” while you typed; your text is there now.',
      ),
    );
    expect(cellAt(0, 0).textContent).toBe('Mine');
    await user.click(screen.getByRole('button', { name: 'Put “Theirs” back' }));
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Theirs'));
    expect(onCommitCells.mock.lastCall?.[0]).toMatchObject([
      { rowKey: 'k0', value: 'Theirs', before: 'Mine' },
    ]);
    expect(said()).toEqual([]);
  });

  test('says that something is stored, not what, where the value stays covered', async () => {
    const [name, ...others] = testColumns;
    const columns = [{ ...(name as GridColumn), type: { ...textType, isCovered: true } }, ...others];
    const { source, user, input } = showGrid({ columns });
    act(() => input.focus());
    await user.keyboard('Mine');
    act(() => source.put(0, { name: 'Theirs' }));
    expect(said().join()).toContain('Somebody else changed this to “••••••••” meanwhile.');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(said().join()).toContain('changed “Name” to “••••••••” while you typed'));
    await user.click(screen.getByRole('button', { name: 'Put “••••••••” back' }));
    await waitFor(() => expect(source.rowAt(0)?.values.name).toBe('Theirs'));
  });

  test('keeps theirs on Escape, and tells nothing of a write of its own', async () => {
    const { source, user, input, onCommitCells } = showGrid();
    act(() => input.focus());
    await user.keyboard('Mine');
    act(() => source.put(0, { name: 'Theirs' }));
    await user.keyboard('{Escape}');
    expect(onCommitCells).not.toHaveBeenCalled();
    await user.keyboard('First{Enter}{ArrowUp}Second{Enter}');
    await waitFor(() => expect(cellAt(0, 0).textContent).toBe('Second'));
    expect(said()).toEqual([]);
  });
});
