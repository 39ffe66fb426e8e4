import { describe, expect, jest, test } from '@jest/globals';
import { lazy, type ComponentType, type ReactNode } from 'react';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { EditorProps, WebColumnType } from '../extensions/index.ts';
import type { CellChange } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import { aColumn, numberType, textType } from '../../testing/table-fixtures.ts';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';
import { activeCell, cellAt, prepareGridBench, showGrid, storeIn } from '../../testing/grid-bench.tsx';
import type { GridProps } from './grid-types.ts';

prepareGridBench();

describe('a cell that is written in a place of its own', () => {
  function showOpening(opensTyped: boolean, props: Partial<GridProps> = {}) {
    const open = jest.fn<NonNullable<WebColumnType['open']>>();
    const type = { ...textType, open, opensTyped };
    const whyReadOnly = 'Press Enter.';
    const column = { entity: aColumn('name', 'Name'), width: 200, type, whyReadOnly };
    const shown = showGrid({ columns: [column, ...testColumns.slice(1)], ...props });
    act(() => shown.input.focus());
    return { open, ...shown };
  }

  test('is opened by what is typed on it, where its type takes that', async () => {
    const { open, user, input } = showOpening(true);
    await user.keyboard('A');
    expect(open).toHaveBeenCalledTimes(1);
    expect(open.mock.calls[0]?.[0]).toMatchObject({ rowKey: 'k0', typedText: 'A' });
    expect(input).toHaveProperty('value', '');
  });

  test('tells how it is changed where its type does not, or where nothing may be changed', async () => {
    const other = showOpening(false);
    await other.user.keyboard('A');
    expect(other.open).not.toHaveBeenCalled();
    expect(screen.getByText('Press Enter.')).toBeTruthy();
    other.unmount();
    const reader = showOpening(true, { readOnly: true });
    await reader.user.keyboard('A');
    expect(reader.open).not.toHaveBeenCalled();
  });
});

describe('an editor of a column type', () => {
  const Editor = ({ initialText, onChange, onCommit }: EditorProps) => (
    <input
      aria-label="Picker"
      autoFocus
      defaultValue={initialText}
      onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
      onDoubleClick={() => onCommit('double')}
    />
  );
  const pickerColumns = (Editor: ComponentType<EditorProps>): GridColumn[] => [
    { entity: aColumn('name', 'Name'), width: 200, type: { ...textType, Editor } },
    ...testColumns.slice(1),
  ];

  test('is shown what others write into its cell meanwhile', async () => {
    const Showing = ({ value }: EditorProps) => (
      <output aria-label="Shown">{typeof value === 'string' && value}</output>
    );
    const { source, user, input } = showGrid({ columns: pickerColumns(Showing) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    const shown = screen.getByRole('status', { name: 'Shown' });
    act(() => source.put(0, { name: 'Theirs' }));
    expect(shown.textContent).toBe('Theirs');
  });

  test('opens with what was typed and commits what it reported when the user goes on', async () => {
    const { user, input, onCommitCells } = showGrid({ columns: pickerColumns(Editor) });
    act(() => input.focus());
    await user.keyboard('a');
    const picker = screen.getByRole('textbox', { name: 'Picker' });
    expect(picker).toHaveProperty('value', 'a');
    await user.type(picker, 'b{Tab}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'name', value: 'ab' });
    expect(screen.queryByRole('textbox', { name: 'Picker' })).toBeNull();
    expect(document.activeElement).toBe(input);
  });

  test('holds a text that cannot be read until it is corrected, wherever the person goes', async () => {
    const columns: GridColumn[] = [
      testColumns[0] as GridColumn,
      { ...(testColumns[1] as GridColumn), type: { ...numberType, Editor } },
      ...testColumns.slice(2),
    ];
    const { user, input, onCommitCells } = showGrid({ columns });
    act(() => input.focus());
    await user.keyboard('{ArrowRight}');
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'soon');
    const body = document.querySelector<HTMLElement>('.tgrid-body') ?? document.body;
    fireEvent.pointerDown(body, { clientX: 100, clientY: 36 + 5 * 34 + 10, button: 0 });
    fireEvent.pointerUp(window);
    expect(cellAt(0, 1).textContent).toBe('soon');
    expect(cellAt(0, 1).getAttribute('aria-invalid')).toBe('true');
    expect(onCommitCells).not.toHaveBeenCalled();
  });

  test('holds the refused text that it opens with: Enter alone sends it again, Escape leaves it', async () => {
    let isRefused = true;
    const answer = jest.fn((changes: readonly CellChange[]) =>
      Promise.resolve(
        isRefused
          ? changes.map(({ rowKey, columnId }) => ({ rowKey, columnId, message: 'Taken already' }))
          : [],
      ),
    );
    const { user, input } = showGrid({ columns: pickerColumns(Editor), onCommitCells: answer });
    const picker = () => screen.getByRole('textbox', { name: 'Picker' });
    act(() => input.focus());
    await user.keyboard('a');
    await user.type(picker(), 'b{Enter}');
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBe('true'));
    await user.keyboard('{ArrowUp}{Enter}');
    expect(picker()).toHaveProperty('value', 'ab');
    await user.keyboard('{Escape}');
    expect(answer).toHaveBeenCalledTimes(1);
    expect(cellAt(0, 0).textContent).toBe('ab');
    isRefused = false;
    await user.keyboard('{Enter}');
    await user.keyboard('{Enter}');
    expect(answer.mock.calls[1]?.[0][0]).toMatchObject({ columnId: 'name', value: 'ab' });
    await waitFor(() => expect(cellAt(0, 0).getAttribute('aria-invalid')).toBeNull());
  });

  test('is given the table, its columns, the row and the project', async () => {
    const given: EditorProps[] = [];
    const Noting = (props: EditorProps) => {
      given.push(props);
      return <input aria-label="Picker" autoFocus />;
    };
    const { user, input } = showGrid({ columns: pickerColumns(Noting) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(given[0]).toMatchObject({
      ...testPlace,
      columns: testPlace.table.columns,
      row: { Name: 'row 0', Age: 0 },
      column: { id: 'name' },
    });
  });

  test('commits by itself, and gives the focus back', async () => {
    const { user, input, onCommitCells } = showGrid({ columns: pickerColumns(Editor) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.dblClick(screen.getByRole('textbox', { name: 'Picker' }));
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ value: 'double' });
    expect(document.activeElement).toBe(input);
  });

  test('that has gone can still write its cell, from what the cell holds by then', async () => {
    let late: EditorProps['onLate'];
    const columns = pickerColumns(({ onLate, onChange }) => {
      late = onLate;
      return (
        <input
          aria-label="Picker"
          onChange={({ target }) => onChange({ kind: 'value', value: target.value })}
        />
      );
    });
    const { source, input, user } = showGrid({ columns });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'a');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('textbox', { name: 'Picker' })).toBeNull();
    act(() => late?.((now) => (now === 'a' ? 'a and late' : 'lost')));
    await waitFor(() => expect(source.rowAt(0)?.values.name).toBe('a and late'));
    expect(activeCell()).toBe(cellAt(1, 0));
  });

  test('that commits when it loses the focus is asked before another cell is selected', async () => {
    const OnBlur = ({ onCommit }: EditorProps) => (
      <input aria-label="Picker" autoFocus onBlur={(event) => onCommit(event.target.value)} />
    );
    const { user, input, onCommitCells } = showGrid({ columns: pickerColumns(OnBlur) });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox', { name: 'Picker' }), 'Eve{Tab}');
    expect(onCommitCells.mock.calls[0]?.[0][0]).toMatchObject({ columnId: 'name', value: 'Eve' });
    expect(activeCell()).toBe(cellAt(0, 1));
  });

  test('that throws is closed, with a message', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const Broken = (): never => {
      throw new Error('no options');
    };
    const { user, input } = showGrid({
      columns: pickerColumns(Broken),
    });
    act(() => input.focus());
    await user.keyboard('{Enter}');
    expect(screen.getByText(/no options/)).toBeTruthy();
    expect(cellAt(0, 0).textContent).toBe('row 0');
  });
});

describe('a key that is pressed before the row of its cell is there', () => {
  function showLate(props: Partial<GridProps> = {}, opensTyped = false) {
    const source = makeRows(3);
    let isLoaded = false;
    Object.assign(source, { rowAt: (index: number) => (isLoaded ? source.rows[index] : undefined) });
    const open = jest.fn<NonNullable<WebColumnType['open']>>();
    const onOpenRow = jest.fn();
    const type = { ...textType, open, opensTyped };
    const opening = { entity: aColumn('name', 'Name'), width: 200, type, whyReadOnly: 'Press Enter.' };
    const shown = showGrid({ source, onOpenRow, columns: [opening, ...testColumns.slice(1)], ...props });
    act(() => shown.input.focus());
    const arrive = () =>
      act(() => {
        isLoaded = true;
        source.change();
      });
    return { ...shown, open, onOpenRow, arrive };
  }
  const saysLoading = () => screen.queryByText('This row is still loading.') !== null;

  test.each([
    ['for somebody who writes', {}],
    ['for somebody who reads', { readOnly: true }],
  ])('opens it when the row comes, and says until then why it does not, %s', async (_who, props) => {
    const { open, user, arrive } = showLate(props);
    await user.keyboard('{Enter}');
    expect(saysLoading()).toBe(true);
    expect(open).not.toHaveBeenCalled();
    arrive();
    expect(saysLoading()).toBe(false);
    expect(open.mock.calls[0]?.[0]).toMatchObject({ rowKey: 'k0' });
  });

  test('opens the row, or the editor of the grid, as well', async () => {
    const first = showLate();
    await first.user.keyboard(' ');
    first.arrive();
    expect(first.onOpenRow).toHaveBeenCalledWith('k0');
    first.unmount();
    const second = showLate({ columns: testColumns });
    await second.user.keyboard('{F2}');
    second.arrive();
    expect(second.input).toHaveProperty('value', 'row 0');
  });

  test.each(['Par', 'Par{Enter}'])('opens the place of a cell with what was typed: %s', async (keys) => {
    const { open, user, input, arrive } = showLate({}, true);
    await user.keyboard(keys);
    expect(saysLoading()).toBe(true);
    arrive();
    expect(saysLoading()).toBe(false);
    expect(open).toHaveBeenCalledTimes(1);
    expect(open.mock.calls[0]?.[0]).toMatchObject({ rowKey: 'k0', typedText: 'Par' });
    expect(input).toHaveProperty('value', '');
    expect(screen.queryByText(/was not saved/)).toBeNull();
  });

  test('is forgotten by whoever goes on meanwhile, or presses Escape', async () => {
    for (const key of ['{ArrowDown}', '{Escape}']) {
      const { open, user, arrive, unmount } = showLate();
      await user.keyboard(`{Enter}${key}`);
      expect(saysLoading()).toBe(false);
      arrive();
      expect(open).not.toHaveBeenCalled();
      unmount();
    }
  });
});

describe('what is typed before its cell can take it', () => {
  const name = { entity: aColumn('name', 'Name'), width: 200, type: textType };
  const withoutType = [{ ...name, type: undefined, whyReadOnly: 'The column type is switched off.' }];

  test('waits for a row that is still loading, and for the keys after it', async () => {
    const source = makeRows(3);
    let isLoaded = false;
    Object.assign(source, { rowAt: (index: number) => (isLoaded ? source.rows[index] : undefined) });
    const onOpenRow = jest.fn();
    const { user, input } = showGrid({ source, onCommitCells: storeIn(source), onOpenRow });
    act(() => input.focus());
    await user.keyboard('typed before{Enter}and ');
    expect((input as HTMLTextAreaElement).value).toBe('and ');
    act(() => {
      isLoaded = true;
      source.change();
    });
    await user.keyboard('after{Enter}');
    await waitFor(() =>
      expect(source.rows.map(({ values }) => values.name)).toEqual(['typed before', 'and after', 'row 2']),
    );
    expect(onOpenRow).not.toHaveBeenCalled();
  });

  test('waits for a row however long its server is away, and is told once the rows cannot be had', async () => {
    jest.useFakeTimers();
    try {
      const source = makeRows(3);
      Object.assign(source, { rowAt: () => undefined });
      const { input } = showGrid({ source, onCommitCells: storeIn(source) });
      act(() => input.focus());
      fireEvent.input(input, { target: { value: 'Metropolis' } });
      act(() => {
        jest.advanceTimersByTime(60_000);
      });
      expect((input as HTMLTextAreaElement).value).toBe('Metropolis');
      Object.assign(source, { error: new Error('The rows cannot be read.') });
      act(() => {
        jest.advanceTimersByTime(10_000);
      });
      expect(screen.getByText(/“Metropolis” was not saved/)).toBeTruthy();
    } finally {
      jest.useRealTimers();
    }
  });

  test('waits for the plugin of its column type', async () => {
    const source = makeRows(3);
    const onOpenRow = jest.fn();
    const props = { source, onCommitCells: storeIn(source), onOpenRow };
    const { user, input, rerender } = showGrid({ ...props, columns: withoutType });
    act(() => input.focus());
    await user.keyboard('typed be');
    rerender({ ...props, columns: [name] });
    await user.keyboard('fore it{Enter}');
    await waitFor(() => expect(source.rows[0]?.values.name).toBe('typed before it'));
    expect(onOpenRow).not.toHaveBeenCalled();
  });

  test('is taken back by Escape, and told where the person chooses another cell', async () => {
    const { user, input } = showGrid({ columns: [...withoutType, ...testColumns.slice(1)] });
    act(() => input.focus());
    await user.keyboard('some text{Escape}');
    expect((input as HTMLTextAreaElement).value).toBe('');
    expect(screen.queryByText(/was not saved/)).toBeNull();
    await user.keyboard('other text');
    await user.pointer({ keys: '[MouseLeft]', target: cellAt(2, 1) });
    expect(await screen.findByText(/“other text” was not saved/)).toBeTruthy();
  });

  test('is told where no cell is selected', async () => {
    const { user, input } = showGrid({ source: makeRows(0) });
    act(() => input.focus());
    await user.keyboard('a b');
    expect(await screen.findByText(/“a b” was not saved. No cell is selected./)).toBeTruthy();
  });

  test('a blank in the middle of a text that a cell refuses opens nothing', async () => {
    const onOpenRow = jest.fn();
    const { user, input } = showGrid({ onOpenRow, columns: [...testColumns].reverse() });
    act(() => input.focus());
    await user.keyboard('some text');
    expect(onOpenRow).not.toHaveBeenCalled();
    await user.keyboard('{ArrowDown} ');
    expect(onOpenRow).toHaveBeenCalledTimes(1);
  });

  test('waits for the code of its editor', async () => {
    let arrive: (module: { default: (props: EditorProps) => ReactNode }) => void = () => undefined;
    const Late = lazy<(props: EditorProps) => ReactNode>(() => new Promise((resolve) => (arrive = resolve)));
    const { user, input } = showGrid({ columns: [{ ...name, type: { ...textType, Editor: Late } }] });
    act(() => input.focus());
    await user.keyboard('typed before');
    await act(async () => {
      arrive({ default: ({ initialText }) => <input aria-label="Late" defaultValue={initialText} /> });
      await Promise.resolve();
    });
    expect((await screen.findByLabelText<HTMLInputElement>('Late')).value).toBe('typed before');
  });
});
