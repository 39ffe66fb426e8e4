import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { matchesSearch } from '@trellis/sdk/web/ui';

/** Views from which on they are searched. */
export const searchedFrom = 7;

/** The views that are called, described or made by somebody like what is searched for, or stand in a group that is called so. */
export function foundViews(
  views: readonly ViewEntity[],
  groups: readonly ViewGroup[],
  search: string,
): readonly ViewEntity[] {
  return views.filter(({ title, description, made_by: maker, group_id: groupId }) => {
    const group = groups.find(({ id }) => id === groupId)?.title;
    return matchesSearch([title, description ?? '', maker ?? '', group ?? ''].join(' '), search.trim());
  });
}
