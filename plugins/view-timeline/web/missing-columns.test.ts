import { expect, test } from '@jest/globals';
import { aColumn, aTable, textType } from '@trellis/sdk/testing/web';
import type { WebColumnType } from '@trellis/sdk/web';
import { missingColumns } from './missing-columns.ts';

const calendar = { unit: 'day' } as WebColumnType['calendar'];
const types = ['Date', 'DateTime'].map((id): WebColumnType => ({ ...textType, id, calendar }));
const t = (text: string) => text;
const stamp = aColumn('cl_1', 'CreatedAt', { uidt: 'DateTime', system: true });

test('a table without dates but its stamps is offered the first and the last day', () => {
  expect(missingColumns(aTable([stamp]), { t, types })?.columns).toEqual(
    ['Start', 'End'].map((title) => ({ title, uidt: 'Date' })),
  );
});

test('a table with a moment is offered nothing, nor is any while the plugin of dates is off', () => {
  const due = aColumn('cl_2', 'Due', { uidt: 'DateTime' });
  expect(missingColumns(aTable([stamp, due]), { t, types })).toBeUndefined();
  expect(missingColumns(aTable([stamp]), { t, types: [textType] })).toBeUndefined();
});
