import type { OpenTab } from './extensions/index.ts';

/** A tab in addresses of the page. @public */
export interface TabInAddress extends Pick<OpenTab, 'type' | 'key'> {
  /** By default the tab is named by its key. */
  readonly name?: string | undefined;
  readonly view?: string | undefined;
}

/** The query parameters of an address for its tab. @public */
export function tabParams({ name, key, type, view }: TabInAddress): Readonly<Record<string, string>> {
  return {
    ...(name !== undefined && { name }),
    // The id of the object, since titles are not unique across the bases of a project.
    dbalias: key,
    type,
    ...(view !== undefined && { view }),
  };
}

/**
 * The address of a project with a tab of it, for `navigate`.
 *
 * @param more other parameters of the query
 * @public
 */
export function addressOfTab(
  projectId: string,
  tab: TabInAddress,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...tabParams(tab), ...more });
  return `/nc/${encodeURIComponent(projectId)}?${query.toString()}`;
}
