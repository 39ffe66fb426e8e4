import { defineColumnType, type Aggregate, type CellValue } from '@trellis/sdk/shared';
import { asItComes } from './link.ts';
import { textOf } from './values.ts';

const numberOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'null', 'notnull'];

/** What a rollup makes of the values of linked rows; the names are those of the v1 API. */
export const rollupFunctions = [
  'count',
  'countDistinct',
  'sum',
  'sumDistinct',
  'avg',
  'avgDistinct',
  'min',
  'max',
] as const satisfies readonly Aggregate[];

export type RollupFunction = (typeof rollupFunctions)[number];

export function isRollupFunction(value: unknown): value is RollupFunction {
  return (rollupFunctions as readonly unknown[]).includes(value);
}

/** Those that need numbers. */
export const numberFunctions: readonly RollupFunction[] = ['sum', 'sumDistinct', 'avg', 'avgDistinct'];

/** The values of a column of the linked rows: one where the row links to one, else a list. */
export const lookup = defineColumnType<CellValue>({
  id: 'Lookup',
  label: 'Lookup',
  description: 'The values of a column of the linked rows.',
  icon: 'search-plus',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  operators: ['eq', 'neq', 'like', 'nlike', 'gt', 'gte', 'lt', 'lte', 'empty', 'notempty', 'null', 'notnull'],
  order: 210,
  editable: false,
  parse: asItComes,
  format: textOf,
  examples: [],
});

/** One figure over the values of a column of the linked rows. */
export const rollup = defineColumnType<CellValue>({
  id: 'Rollup',
  label: 'Rollup',
  description: 'A sum, an average or another figure over the linked rows.',
  icon: 'chart-bar',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'Number',
  operators: numberOperators,
  order: 220,
  editable: false,
  parse: asItComes,
  format: textOf,
  examples: [],
});

/** How many linked rows there are. */
export const count = defineColumnType<CellValue>({
  id: 'Count',
  label: 'Count',
  description: 'The number of linked rows.',
  icon: 'hashtag',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'Number',
  operators: numberOperators,
  order: 230,
  editable: false,
  parse: asItComes,
  format: textOf,
  examples: [],
  width: 110,
});
