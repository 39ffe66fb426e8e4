import { afterEach, expect, jest, test } from '@jest/globals';
import { aColumn, aProject, aTable, renderWithHost } from '../../testing/web.tsx';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ApiClient, ApiRequest } from '../api.ts';
import { RowsClient, type RowRule } from '../rows/index.ts';
import { UndoStack } from '../rows/undo-stack.ts';
import type { DatedColumn, DateRange } from './day-spans.ts';
import { nowIn } from './day-spans.ts';
import { NearestEntry } from './NearestEntry.tsx';

afterEach(cleanup);

const table = aTable([aColumn('cl_id', 'Id', { pk: true }), aColumn('cl_day', 'Day', { storage: 'date' })]);
const from: DatedColumn = {
  id: 'cl_day',
  unit: 'day',
  isWritten: true,
  show: (value) => (typeof value === 'string' ? value : undefined),
  read: (shown) => shown,
};
const range: DateRange = { from };
const search: RowRule = { fk_column_id: 'cl_id', comparison_op: 'eq', value: 7 };

function show(found: readonly object[]) {
  const requests: ApiRequest[] = [];
  const api = {
    request: (request: ApiRequest) => {
      requests.push(request);
      return Promise.resolve({ list: found });
    },
  } as Partial<ApiClient> as ApiClient;
  const place = { kind: 'view', project: aProject(), table, view: { id: 'vw_1' } as never } as const;
  const rows = new RowsClient(api, new UndoStack({ read: () => undefined, write: () => undefined }), place, {
    rules: [],
  });
  const onGo = jest.fn();
  const days = { start: '2026-03-01', end: '2026-04-01' };
  renderWithHost(<NearestEntry {...{ rows, range, days, onGo }} rules={[search]} />);
  return { requests, onGo, user: userEvent.setup() };
}

test.each([
  ['Previous entry', 'lt', '2026-03-01', 'desc'],
  ['Next entry', 'gte', '2026-04-01', 'asc'],
])('%s is found by one call for one row', async (name, comparison, day, direction) => {
  const { requests, onGo, user } = show([{ Id: 7, Day: '2024-12-24' }]);
  await user.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(onGo).toHaveBeenCalledWith('2024-12-24'));
  expect(requests).toHaveLength(1);
  const query = requests[0]?.query ?? {};
  expect(query.limit).toBe(1);
  expect(JSON.parse(String(query.sortArrJson))).toEqual([{ fk_column_id: 'cl_day', direction }]);
  expect(JSON.parse(String(query.filterArrJson))).toEqual([
    search,
    { fk_column_id: 'cl_day', comparison_op: comparison, value: day },
  ]);
});

test('where there is none, it says so and stays', async () => {
  const { onGo, user } = show([]);
  expect(screen.getByRole('status').textContent).toBe('No entries on these days');
  await user.click(screen.getByRole('button', { name: 'Next entry' }));
  expect(await screen.findByText('There is no later entry.')).toBeTruthy();
  expect(onGo).not.toHaveBeenCalled();
});

test('now is what the clocks of the column show, and those of the reader where it has days', () => {
  const now = new Date('2026-03-29T23:30:00Z');
  const inTokyo = { unit: 'time', show: () => '2026-03-30T08:30:00' } as const;
  expect(nowIn(inTokyo, now)).toBe('2026-03-30T08:30:00');
  const here = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  expect(nowIn(from, now)).toBe(here);
});
