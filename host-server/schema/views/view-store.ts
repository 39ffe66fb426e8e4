import type { ViewStore } from '@trellis/sdk/server';
import { filterMethods } from './filter-methods.ts';
import { groupMethods } from './group-methods.ts';
import { sortMethods } from './sort-methods.ts';
import { createViewAccess, type ViewStoreDependencies } from './view-access.ts';
import { viewMethods } from './view-methods.ts';

/** Views with their columns, sorts and filters, in the metadata. */
export function createViewStore(deps: ViewStoreDependencies): ViewStore {
  const access = createViewAccess(deps);
  return {
    ...viewMethods(access),
    ...groupMethods(access),
    ...sortMethods(access),
    ...filterMethods(access),
  };
}
