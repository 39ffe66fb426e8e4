import { expect, test } from '@jest/globals';
import type { TriggerKindEntity } from '../shared/index.ts';
import { firstTime, newTrigger } from './draft.ts';

const kind = (id: string, inputs: TriggerKindEntity['inputs']) => ({ id, inputs }) as TriggerKindEntity;
const byRow = kind('row.changed', [{ id: 'table', label: 'Table', kind: 'table' }]);
const byTime = kind('time.comes', [
  { id: 'time', label: 'When it starts', kind: 'time' },
  { id: 'unit', label: 'Unit', kind: 'choice', initial: 'hours' },
  { id: 'why', label: 'Why', kind: 'text' },
]);

test('another trigger begins with what its fields hold at first, and keeps the table where it has one', () => {
  const before = { type: 'row.added', settings: { table: 'md_r', columns: ['cl_1'] } };
  expect(newTrigger(byRow, before)).toEqual({ type: 'row.changed', settings: { table: 'md_r' } });
  expect(newTrigger(byTime, before)).toEqual({
    type: 'time.comes',
    settings: { time: firstTime(), unit: 'hours' },
  });
  expect(newTrigger(byRow, newTrigger(byTime, before))).toEqual({ type: 'row.changed', settings: {} });
});
