import { expect, test } from '@jest/globals';
import { aColumn } from '../../testing/web.tsx';
import type { Aggregation, ColumnEntity } from '../../shared/index.ts';
import { suitsFigure } from './figure-text.ts';

const figure = (id: string, more: Partial<Aggregation>): Aggregation => ({
  id,
  label: id,
  accepts: 'any',
  format: 'number',
  build: () => ({ kind: 'count' }),
  ...more,
});
const figures = [
  figure('filled', { ofLists: true }),
  figure('unique', {}),
  figure('sum', { accepts: ['integer'] }),
];
const link = (type: string) =>
  aColumn('cl_1', 'Link', { uidt: 'LinkToAnotherRecord', virtual: true, colOptions: { type } });
const lookup = (several: boolean) =>
  aColumn('cl_2', 'Lookup', {
    uidt: 'Lookup',
    virtual: true,
    asked: { uidt: 'Number', storage: 'integer', meta: {}, several },
  });

test.each([
  ['a link to many rows', link('hm'), ['filled']],
  ['a link over a junction table', link('mm'), ['filled']],
  ['a link to one row', link('bt'), ['filled', 'unique']],
  ['a list of numbers', lookup(true), ['filled']],
  ['a number of one linked row', lookup(false), ['filled', 'unique', 'sum']],
] as readonly (readonly [string, ColumnEntity, readonly string[]])[])(
  'under %s the figures are offered that it can give',
  (_what, entity, offered) => {
    expect(figures.filter((each) => suitsFigure(each, { entity })).map(({ id }) => id)).toEqual(offered);
  },
);
