import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Grid } from './Grid.tsx';
import { makeRows, testColumns, testPlace } from '../../testing/grid-fixtures.ts';
import type { GridProps } from './grid-types.ts';

/** What jsdom lacks of a pointer event. */
class TestPointerEvent extends MouseEvent {
  readonly pointerId = 1;
  readonly pointerType = 'mouse';
}

beforeEach(() => {
  Object.assign(window, { PointerEvent: TestPointerEvent });
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

function show(props: Partial<GridProps> = {}) {
  const onMoveRows = jest.fn<NonNullable<GridProps['onMoveRows']>>();
  const onInsertRow = jest.fn<NonNullable<GridProps['onInsertRow']>>();
  const source = makeRows(20);
  render(
    <Grid
      label="Steps"
      {...testPlace}
      columns={testColumns}
      source={source}
      onCommitCells={() => Promise.resolve([])}
      onAppendRow={() => undefined}
      {...{ onMoveRows, onInsertRow }}
      {...props}
    />,
  );
  screen.getByRole('textbox').focus();
  return { onMoveRows, onInsertRow, source, user: userEvent.setup() };
}

const body = (): HTMLElement => document.querySelector<HTMLElement>('.tgrid-body') ?? document.body;
const at = (row: number, x = 100) => ({ clientX: x, clientY: 36 + row * 34 + 10, button: 0 });

/** Presses the handle of a row, moves to others, and lets go. */
function drag(
  row: number,
  over: readonly number[],
  letGo: () => void = () => fireEvent.pointerUp(window),
): void {
  const element = document.querySelector(`[aria-rowindex="${row + 2}"]`) ?? body();
  fireEvent.pointerMove(element);
  const handle = element.querySelector('.tgrid-grip') ?? body();
  fireEvent.pointerDown(handle, at(row, 4));
  for (const to of over) fireEvent.pointerMove(window, at(to));
  letGo();
}

test('a row that is dragged goes behind the one it is let go over, or before it on the way up', () => {
  const { onMoveRows } = show();
  drag(1, [2, 4]);
  expect(onMoveRows).toHaveBeenLastCalledWith(['k1'], { side: 'after', row: 'k4' });
  drag(6, [3]);
  expect(onMoveRows).toHaveBeenLastCalledWith(['k6'], { side: 'before', row: 'k3' });
  expect(onMoveRows).toHaveBeenCalledTimes(2);
});

test('a line shows where it goes; Escape and the way back to its place leave it there', () => {
  const { onMoveRows } = show();
  drag(1, [3], () => {
    expect(document.querySelectorAll('.tgrid-drop-row')).toHaveLength(1);
    expect(document.querySelectorAll('.is-moving')).toHaveLength(1);
    fireEvent.keyDown(window, { key: 'Escape' });
  });
  expect(document.querySelector('.tgrid-drop-row, .is-moving')).toBeNull();
  drag(1, [3, 1]);
  drag(1, []);
  expect(onMoveRows).not.toHaveBeenCalled();
});

test('selected rows, or ticked ones, are dragged together in their order', async () => {
  const { onMoveRows, user } = show();
  fireEvent.pointerDown(body(), at(2));
  fireEvent.pointerMove(window, at(4));
  fireEvent.pointerUp(window, at(4));
  drag(3, [8]);
  expect(onMoveRows).toHaveBeenLastCalledWith(['k2', 'k3', 'k4'], { side: 'after', row: 'k8' });
  for (const n of [7, 3]) {
    fireEvent.pointerMove(document.querySelector(`[aria-rowindex="${n + 1}"]`) ?? body());
    await user.click(screen.getByRole('checkbox', { name: `Select row ${n}` }));
  }
  drag(6, [0]);
  expect(onMoveRows).toHaveBeenLastCalledWith(['k2', 'k6'], { side: 'before', row: 'k0' });
});

test('keys move the selected rows by one, and add a row above or below', async () => {
  const { onMoveRows, onInsertRow, user } = show();
  await user.keyboard(
    '{ArrowDown}{Shift>}{ArrowDown}{/Shift}{Alt>}{Shift>}{ArrowDown}{ArrowUp}{/Shift}{/Alt}',
  );
  expect(onMoveRows.mock.calls).toEqual([
    [['k1', 'k2'], { side: 'after', row: 'k3' }],
    [['k1', 'k2'], { side: 'before', row: 'k0' }],
  ]);
  await user.keyboard('{Alt>}{Enter}{Shift>}{Enter}{/Shift}{/Alt}');
  expect(onInsertRow.mock.calls.map(([row, side]) => [row, side])).toEqual([
    [1, 'after'],
    [1, 'before'],
  ]);
});

test('the first row cannot go up, and nothing is offered where rows have no order of their own', async () => {
  const { onMoveRows, user } = show();
  await user.keyboard('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
  expect(onMoveRows).not.toHaveBeenCalled();
  cleanup();
  show({ onMoveRows: undefined, onInsertRow: undefined });
  fireEvent.pointerMove(document.querySelector('[aria-rowindex="3"]') ?? body());
  expect(document.querySelector('.tgrid-grip')).toBeNull();
  await user.keyboard('{Alt>}{Enter}{/Alt}');
  expect(screen.getByRole('textbox').getAttribute('aria-label')).toBe('Name, row 1');
});
