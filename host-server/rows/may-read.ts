import {
  mayCompute,
  mayRead,
  type AccessScope,
  type LinkSchema,
  type TableHandle,
} from '@trellis/sdk/server';
import { endsOf } from '../query/compile-related.ts';

/** Whether a link may lead the caller on by all columns that it goes by, and whether the caller may read the table that it leads to. */
export function mayFollow(scope: AccessScope, link: LinkSchema): boolean {
  return scope.can(undefined, 'read') && endsOf(link).every((end) => mayCompute(scope, end));
}

/**
 * Whether the caller sees every row of the linked table, and by which row of this one it is linked: whoever does not learns of no
 * refusal that such a row is there.
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
