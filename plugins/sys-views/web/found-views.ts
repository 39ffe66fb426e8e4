import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { matchesSearch } from '@trellis/sdk/web/ui';

/** From this number of views on, a search field is shown. */
export const searchedFrom = 7;

/** The views whose name, description, creator or group matches the search. */
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
