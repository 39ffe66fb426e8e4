import {
  mayCompute,
  mayRead,
  type AccessScope,
  type LinkSchema,
  type TableHandle,
} from '@trellis/sdk/server';
import { endsOf } from '../query/compile-related.ts';

/** Whether the caller may read all columns of a link and the table that it leads to. */
export function mayFollow(scope: AccessScope, link: LinkSchema): boolean {
  return scope.can(undefined, 'read') && endsOf(link).every((end) => mayCompute(scope, end));
}

/**
 * Whether the caller sees every row of the linked table, and the columns that link them. Otherwise an error must not reveal that
 * such a row exists.
 */
export function maySeeAllLinked({ scope, table }: Pick<TableHandle, 'scope' | 'table'>, link: LinkSchema) {
  const columns = table.columns.filter(({ linkId }) => linkId === link.id);
  return (
    scope.reaches(link.toTableId) &&
    scope.rowPredicate(link.toTableId) === undefined &&
    mayFollow(scope, link) &&
    [...endsOf(link), ...columns].every((column) => mayRead(scope, column))
  );
}
