import {
  checkMomentOptions,
  momentOptions,
  momentsOnCalendar,
  orderOperators,
  parseMoment,
  writeMoment,
  type MomentOptions,
} from '#plugins/columns-basic/shared';
import { defineColumnType, type ColumnTypeDefinition, type ParseResult } from '@trellis/sdk/shared';

/** Whole seconds: databases would store different fractions of the time of a write. */
function parse(input: unknown): ParseResult<string> {
  const read = parseMoment(input, {});
  return read.ok && read.value !== null ? { ok: true, value: read.value.slice(0, 19) } : read;
}

type Part = 'id' | 'label' | 'description' | 'icon' | 'stamp' | 'order';

function stampColumn(type: Pick<ColumnTypeDefinition<string, MomentOptions>, Part>) {
  return defineColumnType<string, MomentOptions>({
    ...type,
    storage: 'datetime',
    accepts: ['datetime'],
    fallback: 'DateTime',
    holds: 'time',
    editable: false,
    operators: orderOperators,
    options: momentOptions,
    checkOptions: checkMomentOptions,
    calendar: momentsOnCalendar,
    parse,
    format: (value, column) => (value === null ? '' : writeMoment(String(value), column.options)),
    examples: [
      { input: '2026-03-29 02:30:05', value: '2026-03-29 02:30:05' },
      { input: '2026-03-29T02:30:05.678Z', value: '2026-03-29 02:30:05' },
      { input: null, value: null },
    ],
    invalid: ['noon', { a: 1 }],
    width: 170,
  });
}

/** When the row was created. */
export const createTime = stampColumn({
  id: 'CreateTime',
  label: 'Created',
  description: 'When the row was made.',
  icon: 'history',
  stamp: 'created',
  order: 72,
});

/** When the row was last changed, in any way. */
export const lastModifiedTime = stampColumn({
  id: 'LastModifiedTime',
  label: 'Last modified',
  description: 'When the row was last changed.',
  icon: 'sync',
  stamp: 'changed',
  order: 74,
});
