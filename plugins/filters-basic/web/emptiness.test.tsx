import { expect, test } from '@jest/globals';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { aColumn } from '@trellis/sdk/testing/web';
import { filterOperators } from '../shared/index.ts';
import { emptiness } from './emptiness.ts';

const link = (type: string) =>
  aColumn('cl_1', 'Link', { uidt: 'LinkToAnotherRecord', virtual: true, colOptions: { type } });
const list = aColumn('cl_2', 'List', {
  uidt: 'Lookup',
  virtual: true,
  asked: { uidt: 'SingleLineText', storage: 'string', meta: {}, several: true },
});

// How saved conditions by empty, notempty, null and notnull are called.
test.each([
  [
    'a number',
    aColumn('cl_3', 'Number', { storage: 'integer' }),
    ['is empty', 'is not empty', 'is empty', 'is not empty'],
  ],
  [
    'a text',
    aColumn('cl_4', 'Text', { storage: 'string' }),
    ['is an empty text', 'is not empty', 'is null', 'is not null'],
  ],
  [
    'JSON',
    aColumn('cl_5', 'JSON', { storage: 'json' }),
    ['is null', 'is not null', 'is null', 'is not null'],
  ],
  ['a link to many rows', link('hm'), ['is empty', 'is not empty', 'is empty', 'is not empty']],
  ['a link to one row', link('bt'), ['is an empty text', 'is not an empty text', 'is empty', 'is not empty']],
  ['a list', list, ['has no values', 'has values', 'has no values', 'has values']],
] as readonly (readonly [string, ColumnEntity, readonly string[]])[])(
  'what is kept of %s is called as what it finds',
  (_what, column, labels) => {
    const called = ['empty', 'notempty', 'null', 'notnull'].map((kept) => {
      const id = emptiness[kept]?.shownAs?.(column) ?? kept;
      return (
        emptiness[id]?.labelOf?.(column) ?? filterOperators.find((operator) => operator.id === id)?.label
      );
    });
    expect(called).toEqual(labels);
  },
);
