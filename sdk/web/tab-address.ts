import type { OpenTab } from './extensions/index.ts';

/** A tab as addresses of the page name it. @public */
export interface TabInAddress extends Pick<OpenTab, 'type' | 'key'> {
  /** Where left out, the tab is called by its key. */
  readonly name?: string | undefined;
  readonly view?: string | undefined;
}

/** What the query of an address says of the tab that it opens. @public */
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
 * The page of a project with a tab of it, for `navigate`.
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
