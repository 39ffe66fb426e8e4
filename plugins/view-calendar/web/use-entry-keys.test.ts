import { expect, test } from '@jest/globals';
import type { DatedColumn } from '@trellis/sdk/web/cards';
import { movedByKey } from './use-entry-keys.ts';

const column = (id: string, unit: DatedColumn['unit']): DatedColumn => ({
  id,
  unit,
  isWritten: true,
  show: (value) => (typeof value === 'string' ? value : undefined),
  read: (shown) => shown,
});
const days = { from: column('from', 'day'), to: column('to', 'day') };
const times = { from: column('from', 'time'), to: column('to', 'time') };
const press = (key: string, shiftKey = false) => ({ key, shiftKey });

test('arrows take an entry to the next day or week, and Shift to another last day', () => {
  const row = { values: { from: '2026-03-30', to: '2026-03-31' } };
  const month = { kind: 'dayGridMonth', range: days };
  expect(movedByKey(press('ArrowRight'), row, month)).toEqual({ from: '2026-03-31', to: '2026-04-01' });
  expect(movedByKey(press('ArrowRight'), row, { ...month, isMirrored: true })).toEqual({
    from: '2026-03-29',
    to: '2026-03-30',
  });
  expect(movedByKey(press('ArrowUp'), row, month)).toEqual({ from: '2026-03-23', to: '2026-03-24' });
  expect(movedByKey(press('ArrowRight', true), row, month)).toEqual({ from: '2026-03-30', to: '2026-04-01' });
  expect(movedByKey(press('ArrowDown', true), row, month)).toBeUndefined();
  expect(movedByKey(press('Enter'), row, month)).toBeUndefined();
});

test('an entry lasts a day at least, and one of a single column cannot be made longer', () => {
  const row = { values: { from: '2026-03-30', to: '2026-03-30' } };
  const month = { kind: 'dayGridMonth', range: days };
  expect(movedByKey(press('ArrowLeft', true), row, month)).toBeUndefined();
  const single = { kind: 'dayGridMonth', range: { from: days.from } };
  expect(movedByKey(press('ArrowRight', true), row, single)).toBeUndefined();
});

test('among hours an entry goes half an hour up or down, and keeps its time from day to day', () => {
  const row = { values: { from: '2026-03-30T23:45:00', to: '2026-03-31T00:30:00' } };
  const week = { kind: 'timeGridWeek', range: times };
  expect(movedByKey(press('ArrowDown'), row, week)).toEqual({
    from: '2026-03-31T00:15:00',
    to: '2026-03-31T01:00:00',
  });
  expect(movedByKey(press('ArrowRight'), row, week)).toEqual({
    from: '2026-03-31T23:45:00',
    to: '2026-04-01T00:30:00',
  });
  expect(movedByKey(press('ArrowDown'), row, { ...week, kind: 'listMonth' })).toBeUndefined();
});
