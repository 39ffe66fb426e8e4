import { isShareId } from '../shared/index.ts';

export const visitPath = '/nc/base/:uuid';

/** The id of the shared base that an address visits. */
export function shareIdIn(hash: string): string | undefined {
  const [, uuid = ''] = /^#\/nc\/base\/([^/?]+)/.exec(hash) ?? [];
  return isShareId(uuid) ? uuid : undefined;
}

/** The address by which a project is visited. */
export function visitAddress(uuid: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/nc/base/${uuid}`;
}

/** What another site shows the project by: a frame as wide as its place and 700 pixels high. */
export function embedSnippet(uuid: string): string {
  return `<iframe src="${visitAddress(uuid)}?embed" frameborder="0" width="100%" height="700" style="background: transparent; border: 1px solid #ddd"></iframe>`;
}
