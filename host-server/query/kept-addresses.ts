import type { ColumnSchema } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { QueryScope } from './build-predicate.ts';
import { isMadeOf } from './computed-columns.ts';
import { queryErrors } from './query-errors.ts';

/**
 * Refuses a condition by which a visitor could find out the file addresses in a column letter by letter. Visitors get other
 * addresses of files, which end with the shared link. Everybody may ask whether there are files at all, and the filters of the
 * view itself are not checked.
 *
 * @throws TrellisError 400 `COLUMN_NOT_SEARCHED`
 */
export function assertKeepsAddresses(of: QueryScope, column: ColumnSchema, asked: Predicate): void {
  const { context, reader, visible } = of;
  if (reader.kind !== 'sharedView' || visible === 'all' || asksWhetherEmpty(asked)) return;
  const { columnTypes } = context.reach;
  if (isMadeOf(context.reach, column, ({ type }) => columnTypes.get(type)?.server?.files !== undefined))
    throw queryErrors.create('COLUMN_NOT_SEARCHED', { column: column.title });
}

/** Whether a condition only tells empty cells from filled ones. */
function asksWhetherEmpty(asked: Predicate): boolean {
  switch (asked.kind) {
    case 'always':
    case 'isNull':
      return true;
    case 'call':
      return asked.function === 'IS_EMPTY';
    case 'not':
      return asksWhetherEmpty(asked.item);
    case 'and':
    case 'or':
      return asked.items.every(asksWhetherEmpty);
    case 'compare':
      return asked.right.kind === 'literal' && asked.right.value === '';
    case 'like':
      return !/[^%]/.test(asked.pattern);
    default:
      return false;
  }
}
