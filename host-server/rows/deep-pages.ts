import type { PageRequest, TableHandle } from '@trellis/sdk/server';
import { isVisitor } from '../access/rights/view-rights.ts';
import { rowErrors } from './row-errors.ts';

/** Members may page anywhere; strangers must not make the server pass over whole tables again and again. */
const deepestOfVisitors = 100_000;

/** @throws TrellisError `PAGE_TOO_DEEP` for a page that is read by members alone. */
export function assertInReach({ scope }: TableHandle, { limit, offset }: PageRequest): void {
  if (isVisitor(scope.principal) && offset + limit > deepestOfVisitors)
    throw rowErrors.create('PAGE_TOO_DEEP', { limit: deepestOfVisitors });
}
