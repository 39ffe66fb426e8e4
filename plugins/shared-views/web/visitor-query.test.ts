import { expect, test } from '@jest/globals';
import { aColumn, numberType, textType } from '@trellis/sdk/testing/web';
import { visitorQuery } from './visitor-query.ts';

const types = [
  { ...textType, operators: ['like', 'eq'] },
  { ...numberType, operators: ['eq'] },
  { ...textType, id: 'Files', operators: ['like'], takesFiles: true },
];
const columns = [
  aColumn('cl_name', 'Name'),
  aColumn('cl_size', 'Size', { uidt: numberType.id }),
  aColumn('cl_sum', 'Sum', { virtual: true }),
  aColumn('cl_files', 'Pictures', { uidt: 'Files' }),
];
const ask = (words: string) => visitorQuery({ words, rules: [], sorts: [] }, columns, types).filterArrJson;

test('words of a visitor are looked for in the columns that can contain some, as those of members are', () => {
  const rule = { fk_column_id: 'cl_name', comparison_op: 'like', logical_op: 'or' };
  const found = (value: string) => [{ is_group: true, children: [{ ...rule, value }] }];
  expect(JSON.parse(ask('shoe') ?? '')).toEqual(found('shoe'));
  // Otherwise it would be a pattern for whole values.
  expect(JSON.parse(ask('50%') ?? '')).toEqual(found('%50%%'));
  expect(ask('')).toBeUndefined();
});
