import { pageAddress } from '@trellis/sdk/web';
import { isShareId } from '../shared/index.ts';

export const visitPath = '/nc/base/:uuid';

/** The page's route for a visited project. */
export const pathOf = (uuid: string): string => visitPath.replace(':uuid', uuid);

/** The id of the shared base that the page visits. */
export function visitedShare(): string | undefined {
  const [, uuid = ''] = /^\/nc\/base\/([^/?]+)/.exec(pageAddress()) ?? [];
  return isShareId(uuid) ? uuid : undefined;
}

/** The full address of a visited project. */
export function visitAddress(uuid: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#${pathOf(uuid)}`;
}
