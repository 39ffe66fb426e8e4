import { mayRead, type AccessScope, type LinkSchema } from '@trellis/sdk/server';
import { endsOf } from '../query/compile-related.ts';

/** Whether the caller may know all columns that a link goes by and may read the table that it leads to. */
export function mayFollow(scope: AccessScope, link: LinkSchema): boolean {
  return scope.can(undefined, 'read') && endsOf(link).every((end) => mayRead(scope, end));
}
