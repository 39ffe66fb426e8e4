import { defineColumnType, type Aggregate, type CellValue, type SettingsSchema } from '@trellis/sdk/shared';
import { asItComes } from './link.ts';
import { textOf } from './values.ts';

const numberOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'null', 'notnull'];

/** The aggregations of a rollup; the names are those of the v1 API. */
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

/** Whether the result is a number of cells, whatever the cells hold. */
export function isCount(fn: RollupFunction | undefined): boolean {
  return fn === 'count' || fn === 'countDistinct';
}

/** Those that need numbers. */
export const numberFunctions: readonly RollupFunction[] = ['sum', 'sumDistinct', 'avg', 'avgDistinct'];

/** The link, the column and the aggregation, as stored in a column's `meta`. */
export type WayOptions = {
  /** A link column of the same table. */
  readonly relationColumnId?: string;
  /** A column of the linked table. */
  readonly columnId?: string;
  readonly function?: RollupFunction;
  /** Why the column no longer has values. */
  readonly error?: string;
};

const options = {
  schema: {
    type: 'object',
    properties: {
      relationColumnId: { type: 'string' },
      columnId: { type: 'string' },
      function: { enum: rollupFunctions },
      error: { type: 'string' },
    },
  },
  defaults: {},
} as const satisfies { schema: SettingsSchema; defaults: WayOptions };

/** The values of a column of the linked rows: one if the row links to one, else a list. */
export const lookup = defineColumnType<CellValue, WayOptions>({
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
  options,
  parse: asItComes,
  format: textOf,
  examples: [],
});

/** One aggregate of the values of a column of the linked rows. */
export const rollup = defineColumnType<CellValue, WayOptions>({
  id: 'Rollup',
  label: 'Rollup',
  description: 'A sum, an average or another summary of the linked rows.',
  icon: 'chart-bar',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'Number',
  operators: numberOperators,
  order: 220,
  editable: false,
  options,
  parse: asItComes,
  format: textOf,
  examples: [],
});

/** The number of linked rows. */
export const count = defineColumnType<CellValue, WayOptions>({
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
  options,
  parse: asItComes,
  format: textOf,
  examples: [],
  width: 110,
});
