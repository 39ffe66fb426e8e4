import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { useSidewaysWheel } from './use-sideways-wheel.ts';

afterEach(() => {
  cleanup();
  document.documentElement.dir = '';
});

function Chart({ onTurn }: { readonly onTurn: (ticks: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useSidewaysWheel(box, { tickWidth: () => 100, onTurn });
  return <div ref={box} role="figure" />;
}

function show() {
  const onTurn = jest.fn<(ticks: number) => void>();
  render(<Chart onTurn={onTurn} />);
  const turn = (by: object) => fireEvent.wheel(screen.getByRole('figure'), by);
  return { turn, turned: () => onTurn.mock.calls.map(([ticks]) => ticks) };
}

test('small turns add up to parts of the scale, and a turn the other way begins anew', () => {
  const { turn, turned } = show();
  for (const deltaX of [60, 60, 230, -90, -10, -200]) turn({ deltaX });
  expect(turned()).toEqual([1, 2, -1, -2]);
});

test('Shift turns a wheel sideways, lines count as well, and the browser stays on its page', () => {
  const { turn, turned } = show();
  expect(turn({ deltaY: 100, shiftKey: true })).toBe(false);
  turn({ deltaX: 7, deltaMode: 1 });
  expect(turned()).toEqual([1, 1]);
});

test('turns up and down and those that zoom are left to the browser', () => {
  const { turn, turned } = show();
  expect([turn({ deltaX: 90, deltaY: 300 }), turn({ deltaX: 300, ctrlKey: true })]).toEqual([true, true]);
  expect(turned()).toEqual([]);
});

test('days that run from right to left are turned to the left', () => {
  document.documentElement.dir = 'rtl';
  const { turn, turned } = show();
  turn({ deltaX: -200 });
  expect(turned()).toEqual([2]);
});
