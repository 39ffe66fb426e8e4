import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aColumn, renderWithHost, textType } from '../../testing/web.tsx';
import { MemoryRows, type RowData } from '../rows/index.ts';
import type { DatedColumn } from './day-spans.ts';
import { UndatedRows } from './UndatedRows.tsx';
import type { CardRows } from './use-card-rows.ts';

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const from: DatedColumn = {
  id: 'cl_day',
  unit: 'day',
  isWritten: true,
  show: (value) => (typeof value === 'string' ? value : undefined),
  read: (shown) => shown,
};
const row = (key: string, name: string): RowData => ({ key, values: { cl_name: name, cl_day: null } });

test('the keys stay in the list when a row is put on its day, and with it when there is none left', async () => {
  const source = new MemoryRows([row('1', 'Paint'), row('2', 'Sweep')]);
  const of = { rows: { source }, columns: [aColumn('cl_name', 'Name', { pv: true })] } as unknown as CardRows;
  const onPut = ({ key }: RowData) => {
    source.rows = source.rows.filter((each) => each.key !== key);
  };
  renderWithHost(
    <UndatedRows of={of} range={{ from }} put={{ day: '2026-03-29', onPut }} onClose={() => undefined}>
      {(_row, name) => <span className="tr-undated-row">{name}</span>}
    </UndatedRows>,
    { registries: { columnTypes: [textType] } },
  );
  act(() => screen.getByRole('button', { name: /^Put Paint on/ }).focus());
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByText('Paint')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Put Sweep on/ }));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Every row has its day.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('list'));
});
