import type { FramedPage } from '@trellis/sdk/server';
import { linkErrors } from './link-errors.ts';
import type { ViewLink, ViewLinks } from './links.ts';

/** Sites that a link names at the most. */
const mostSites = 20;
const host = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** The sites that may show the view of a link inside theirs; none unless its owner named some. */
function sitesOf({ meta }: ViewLink): readonly string[] {
  const sites: unknown = meta.embedSites;
  return Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : [];
}

/**
 * Sites as an owner names them, as the page's policy takes them: their origins, or `*` for any.
 *
 * @throws TrellisError 400 for what is no site.
 */
export function readSites(asked: unknown): readonly string[] {
  if (!Array.isArray(asked) || asked.length > mostSites)
    throw linkErrors.create('SHARED_VIEW_SITES', { limit: mostSites });
  return [...new Set(asked.map(readSite))];
}

function readSite(asked: unknown): string {
  const text = typeof asked === 'string' ? asked.trim().toLowerCase() : '';
  if (text === '*') return text;
  const [, scheme = 'https:', rest = ''] = /^(https?:)?(?:\/\/)?([^/?#]*)\/?$/.exec(text) ?? [];
  const [, name = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(rest) ?? [];
  if (!host.test(name) || Number(port ?? 1) > 65_535)
    throw linkErrors.create('SHARED_VIEW_SITE', { site: String(asked).slice(0, 100) });
  return `${scheme}//${rest}`;
}

/** The pages of links, which other sites may frame as far as the owner of each says. */
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
