import { expect, test } from '@jest/globals';
import { namedRange } from './named-range.ts';
import type { ColumnSchema } from './schema.ts';

const rangeOf = (...titles: readonly string[]) => {
  const range = namedRange(titles.map((title) => ({ title }) as ColumnSchema));
  return range && [range.from.title, range.to.title];
};

test.each([
  [['Start', 'End']],
  [['From', 'To']],
  [['Start date', 'Due date']],
  [['startDate', 'endDate']],
  [['date_from', 'date_to']],
  [['STARTDATE', 'ENDDATE']],
  [['Begins at', 'Ends at']],
  [['Project start', 'Deadline']],
  [['Beginn', 'Ende']],
  [['Von', 'Bis']],
  [['Startdatum', 'Enddatum']],
  [['Anfangsdatum', 'Enddatum']],
  [['Vertragsbeginn', 'Vertragsende']],
  [['Début', 'Fin']],
  [['Fecha inicio', 'Fecha fin']],
])('%p are the ends of a range, whichever stands first', (titles) => {
  expect(rangeOf(...titles)).toEqual(titles);
  expect(rangeOf(...titles.toReversed())).toEqual(titles);
});

test('of several ranges that is taken which is named alike, else the first', () => {
  expect(rangeOf('Trial start', 'Contract end', 'Contract start')).toEqual([
    'Contract start',
    'Contract end',
  ]);
  expect(rangeOf('Plan start', 'Plan end', 'Real start', 'Real end')).toEqual(['Plan start', 'Plan end']);
  expect(rangeOf('Born', 'Start', 'Sent', 'End')).toEqual(['Start', 'End']);
});

test.each([
  [['Born', 'Hired']],
  [['Order date', 'Invoice date']],
  [['Start', 'Sent']],
  [['Due date', 'Paid on']],
  [['Trial start', 'Contract end']],
  [['From start to end', 'End']],
  [['Updated', 'Weekend']],
  [['Start']],
])('%p are none', (titles) => {
  expect(rangeOf(...titles)).toBeUndefined();
});
