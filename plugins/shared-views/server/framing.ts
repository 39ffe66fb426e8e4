import type { FramedPage } from '@trellis/sdk/server';
import type { ViewLink, ViewLinks } from './links.ts';

/** The sites that may show the view of a link in a frame; none by default. */
export function sitesOf({ meta }: ViewLink): readonly string[] {
  const sites: unknown = meta.embedSites;
  return Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : [];
}

/** The pages of links, which other sites may show in a frame if the link's owner allows it. */
export function framedLinks(links: ViewLinks): FramedPage {
  return {
    id: 'shared-views',
    async sites(address) {
      const [, uuid] = /^\/nc\/[a-z]+\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(address) ?? [];
      const link = uuid === undefined ? undefined : await links.byUuid(uuid);
      if (link === undefined) return undefined;
      return (link.expiresAt ?? Infinity) <= Date.now() ? [] : sitesOf(link);
    },
  };
}
