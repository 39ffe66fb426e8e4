import { expect, test } from '@jest/globals';
import { aColumn, aTable, textType } from '@trellis/sdk/testing/web';
import { missingColumns } from './missing-columns.ts';

const types = [
  { ...textType, id: 'SingleSelect', stacks: 'options' as const },
  { ...textType, id: 'Collaborator', stacks: 'values' as const },
  textType,
];
const t = (text: string) => text;
const name = aColumn('cl_1', 'Name');

test('a table that nothing stacks is offered a status', () => {
  expect(missingColumns(aTable([name]), { t, types })?.columns).toEqual([
    {
      title: 'Status',
      uidt: 'SingleSelect',
      colOptions: { options: [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done' }] },
    },
  ]);
});

test.each(['SingleSelect', 'Collaborator'])('a table with a %s is offered nothing', (uidt) => {
  expect(missingColumns(aTable([name, aColumn('cl_2', 'Who', { uidt })]), { t, types })).toBeUndefined();
});

test('nothing is offered while the plugin of selects is off', () => {
  expect(missingColumns(aTable([name]), { t, types: [textType] })).toBeUndefined();
});
