import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { LiveSaid, LiveSaying } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, createMemoryHost } from '@trellis/sdk/testing/web';
import { CellsInSight, CellsInSightContext } from '@trellis/sdk/web/grid';
import { act, cleanup, render, screen } from '@testing-library/react';
import { PresentPeople } from './PresentPeople.tsx';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const table = aTable([aColumn('cl_1', 'Title')]);
const at = (row: string): LiveSaid => ({ row, column: 'cl_1' });

/** The marks of a table, with what the page says, and a way to hear another page. */
function show() {
  const memory = createMemoryHost();
  const said: LiveSaid[] = [];
  let hear: ((saying: LiveSaying | undefined) => void) | undefined;
  jest.spyOn(memory.host.live, 'talk').mockImplementation((_table, _topic, listener) => {
    hear = listener;
    return { say: (one) => void said.push(one), dispose: () => undefined };
  });
  const cells = new CellsInSight();
  render(
    <memory.Frame>
      <CellsInSightContext value={cells}>
        <PresentPeople project={aProject()} table={table} view={{} as never} readOnly />
      </CellsInSightContext>
    </memory.Frame>,
  );
  const from = { id: 'page_2', userId: 'us_2', email: 'bob@example.com' };
  const about = { projectId: 'p_1', tableId: table.id, topic: 'presence', from };
  return {
    cells,
    said,
    hear: (one: LiveSaid | null, page = from.id, who: Partial<LiveSaying['from']> = {}) =>
      act(() => hear?.({ ...about, from: { ...from, id: page, ...who }, said: one })),
    wait: () => act(() => jest.advanceTimersByTime(1000)),
  };
}

test('who moves is said once, and hearing others says nothing again', () => {
  const { cells, said, hear, wait } = show();
  act(() => cells.enter({ rowKey: '7', columnId: 'cl_1' }));
  wait();
  expect(said).toEqual([{}, at('7')]);
  hear(at('8'));
  wait();
  expect(cells.marks.get('8')).toMatchObject([{ columnId: 'cl_1', label: 'bob@example.com' }]);
  expect(screen.getByRole('img', { name: 'bob@example.com' })).toBeTruthy();
  hear(null);
  wait();
  expect([cells.marks.size, screen.queryByRole('list')]).toEqual([0, null]);
  expect(said).toHaveLength(2);
});

test('a person with two pages in one cell is one mark there, until both are gone', () => {
  const { cells, hear } = show();
  hear(at('8'));
  hear(at('8'), 'page_3');
  expect(cells.marks.get('8')).toHaveLength(1);
  hear(null);
  expect(cells.marks.get('8')).toHaveLength(1);
  hear(null, 'page_3');
  expect(cells.marks.size).toBe(0);
});

test('people without a name are visitors, or members where a visitor hears of them, each of them one', () => {
  const { cells, hear } = show();
  const nameless = { userId: '', email: '' };
  hear(at('8'), 'page_a', { ...nameless, isVisitor: true });
  hear(at('8'), 'page_b', { ...nameless, isVisitor: true });
  hear({}, 'page_c', { ...nameless, isVisitor: false });
  expect(cells.marks.get('8')?.map(({ label }) => label)).toEqual(['Visitor', 'Visitor']);
  expect(screen.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'))).toEqual([
    'Visitor',
    'Visitor',
    'Member',
  ]);
});
