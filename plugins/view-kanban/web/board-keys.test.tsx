import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { RowData } from '@trellis/sdk/web/rows';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { StackHead } from './StackHead.tsx';
import { useBoardKeys } from './use-board-keys.ts';

afterEach(cleanup);

const row: RowData = { key: '1', values: {} };

interface BoardProps {
  readonly onDrop: () => Promise<number>;
  readonly meant?: readonly RowData[];
}

function Board({ onDrop, meant = [row] }: BoardProps) {
  const [said, say] = useState('');
  const keys = useBoardKeys({
    stacks: [{ id: 'a', title: 'Open', count: 2 }],
    mayMove: true,
    meantBy: () => meant,
    onSelect: (_row, _place, upTo) => say(upTo ? 'selected up to it' : 'selected'),
    onClear: () => say('nothing selected'),
    focus: jest.fn(),
    onNew: jest.fn(),
    onDrop,
    say,
  });
  return (
    <>
      <button
        onKeyDown={(event) => keys.onKeyDown(event, row, { stackId: 'a', index: 0 })}
        onBlur={keys.onBlur}
      >
        Card
      </button>
      <output aria-label="Lifted">{keys.lifted?.key ?? 'none'}</output>
      <output aria-label="Said">{said}</output>
    </>
  );
}

const textOf = (label: string) => screen.getByLabelText(label).textContent;

describe('a card that is moved by keys', () => {
  test.each([
    [1, 'The card was put in Open at place 2.'],
    [0, 'The card stays where it was.'],
  ])('is told of once the server answered, with %s of it', async (moved, told) => {
    let answer: (moved: number) => void = () => undefined;
    renderWithHost(<Board onDrop={() => new Promise((resolve) => (answer = resolve))} />);
    await userEvent.tab();
    await userEvent.keyboard(' {ArrowDown} ');
    expect(textOf('Lifted')).toBe('none');
    expect(textOf('Said')).toBe('Place 2 in Open.');
    act(() => answer(moved));
    await waitFor(() => expect(textOf('Said')).toBe(told));
  });

  test('is let go of where the focus leaves it', async () => {
    renderWithHost(<Board onDrop={() => Promise.resolve(1)} />);
    await userEvent.tab();
    await userEvent.keyboard(' ');
    expect(textOf('Lifted')).toBe('1');
    await userEvent.tab();
    expect(textOf('Lifted')).toBe('none');
  });
});

describe('several cards that are selected', () => {
  test('are lifted and put down together', async () => {
    const second: RowData = { key: '2', values: {} };
    renderWithHost(<Board onDrop={() => Promise.resolve(2)} meant={[row, second]} />);
    await userEvent.tab();
    await userEvent.keyboard(' ');
    expect(textOf('Said')).toMatch(/^2 cards lifted/);
    await userEvent.keyboard('{ArrowDown} ');
    await waitFor(() => expect(textOf('Said')).toBe('2 cards were put in Open from place 2 on.'));
  });

  test('are chosen by Space with Ctrl or Shift, and none is after Escape', async () => {
    renderWithHost(<Board onDrop={() => Promise.resolve(1)} />);
    await userEvent.tab();
    await userEvent.keyboard('{Control>} {/Control}');
    expect(textOf('Said')).toBe('selected');
    await userEvent.keyboard('{Shift>} {/Shift}');
    expect(textOf('Said')).toBe('selected up to it');
    expect(textOf('Lifted')).toBe('none');
    await userEvent.keyboard('{Escape}');
    expect(textOf('Said')).toBe('nothing selected');
  });
});

test('a name of a stack that was refused stays in its field', async () => {
  const option = { id: 'a', title: 'Open', color: '#fff' };
  const onEdit = jest.fn((_patch: object) => Promise.resolve(false));
  renderWithHost(
    <StackHead
      stack={{ id: 'a', value: 'a', option }}
      column={aColumn('cl_1', 'State', { uidt: 'SingleSelect' })}
      title="Open"
      count={1}
      figure={undefined}
      actions={[]}
      onEdit={onEdit}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Menu of the stack Open' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Name and colour' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Name of the stack');
  await userEvent.clear(field);
  await userEvent.type(field, 'Done{Enter}');
  expect(onEdit).toHaveBeenCalledWith({ title: 'Done' });
  expect(field.isConnected && field.value).toBe('Done');
});
