import type { ViewEntity } from '@trellis/sdk/shared';
import { matchesSearch } from '@trellis/sdk/web/ui';

/** Views from which on they are searched. */
export const searchedFrom = 7;

/** The views that are called, described or made by somebody like what is searched for. */
export function foundViews(views: readonly ViewEntity[], search: string): readonly ViewEntity[] {
  return views.filter(({ title, description, made_by: maker }) =>
    matchesSearch([title, description ?? '', maker ?? ''].join(' '), search.trim()),
  );
}
