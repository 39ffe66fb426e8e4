import type { FramedPage } from '@trellis/sdk/server';
import { isShareId } from '../shared/index.ts';
import type { Shares } from './shares.ts';

/** The pages of shared projects, which other sites may show in a frame if the project's owner allows it. */
export function framedShares(shares: Shares): FramedPage {
  return {
    id: 'shared-base',
    async sites(address) {
      const [, uuid = ''] = /^\/nc\/base\/([^/]+)$/.exec(address) ?? [];
      return isShareId(uuid) ? (await shares.byUuid(uuid))?.embedSites : undefined;
    },
  };
}
