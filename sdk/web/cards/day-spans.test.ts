import { expect, test } from '@jest/globals';
import { aColumn, numberType, textType } from '../../testing/table-fixtures.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { datedColumn, valuesOfDays, valuesOfTimes, type DatedColumn } from './day-spans.ts';

const calendar: WebColumnType['calendar'] = {
  unit: 'day',
  show: (value) => (typeof value === 'string' ? value : undefined),
  read: (shown) => shown,
};
const date: WebColumnType = { ...textType, id: 'Date', storage: 'date', calendar };
const sum: WebColumnType = { ...numberType, id: 'Sum', storage: 'virtual' };
const types = [date, sum, numberType];
const computed = { uidt: 'Sum', virtual: true, storage: 'virtual' } as const;
const days = { uidt: 'Date', storage: 'date', meta: {} } as const;

const dated = (id: string, more: object) => datedColumn(aColumn(id, id, more), types);
const start = dated('start', { uidt: 'Date', storage: 'date' }) as DatedColumn;
const due = dated('due', { ...computed, asked: days }) as DatedColumn;

test('a column that computes days says when rows are, and nobody writes it', () => {
  expect(start).toMatchObject({ unit: 'day', isWritten: true });
  expect(due).toMatchObject({ id: 'due', unit: 'day', isWritten: false });
  expect(due.show('2026-03-29')).toBe('2026-03-29');
});

test('a list of days, another kind of value, and one that nobody knows say nothing of it', () => {
  expect(dated('list', { ...computed, asked: { ...days, several: true } })).toBeUndefined();
  expect(
    dated('count', { ...computed, asked: { uidt: 'Number', storage: 'integer', meta: {} } }),
  ).toBeUndefined();
  expect(dated('some', computed)).toBeUndefined();
});

test('a new row gets no value of a column that is computed', () => {
  const span = { start: '2026-03-01', end: '2026-03-04' };
  expect(valuesOfDays({ from: start, to: due }, span)).toEqual({ start: '2026-03-01' });
  expect(valuesOfDays({ from: due }, span)).toEqual({});
  expect(valuesOfTimes({ from: due, to: start }, span)).toEqual({ start: '2026-03-04' });
});
