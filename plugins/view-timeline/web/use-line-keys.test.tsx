import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import type { Line, Lines } from './lines.ts';
import { useLineKeys } from './use-line-keys.ts';

afterEach(cleanup);

const kinds = ['group', 'row', 'row', 'group', 'row', 'new'];
const lines: Lines = { count: kinds.length, at: (index) => ({ kind: kinds[index] }) as Line };

interface ChartProps {
  /** How many of the lines have their rows. */
  readonly read: number;
  onReveal(line: number): void;
}

function Chart({ read, onReveal }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = useLineKeys({ lines, list: { box, reveal: onReveal } });
  return (
    <div ref={box} role="presentation" onKeyDown={onKeyDown}>
      {kinds.slice(0, read).map((kind, at) => (
        <div key={at} data-line={at}>
          {kind === 'row' && <button className="timeline-name">{`name ${at}`}</button>}
          {kind !== 'group' && <button className="timeline-bar-body">{`bar ${at}`}</button>}
        </div>
      ))}
    </div>
  );
}

test('the arrow keys go from bar to bar, over headings, and from name to name', async () => {
  const user = userEvent.setup();
  const onReveal = jest.fn();
  render(<Chart read={6} onReveal={onReveal} />);
  const focused = () => document.activeElement?.textContent;
  screen.getByText('bar 1').focus();
  await user.keyboard('{ArrowUp}');
  expect(focused()).toBe('bar 1');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('bar 4');
  expect(onReveal).toHaveBeenLastCalledWith(4);
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}{ArrowUp}{/Shift}');
  expect(focused()).toBe('bar 5');
  screen.getByText('name 4').focus();
  await user.keyboard('{ArrowUp}');
  expect(focused()).toBe('name 2');
});

test('a line whose row is on its way gets the focus when it is there', async () => {
  const onReveal = jest.fn();
  const { rerender } = render(<Chart read={4} onReveal={onReveal} />);
  screen.getByText('bar 2').focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('bar 2');
  rerender(<Chart read={5} onReveal={onReveal} />);
  expect(document.activeElement?.textContent).toBe('bar 4');
});
