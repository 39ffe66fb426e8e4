import { defineErrors } from '../shared/index.ts';

const errors = defineErrors({
  FRAMING_SITE: {
    status: 400,
    message: "'{site}' names no site. Write one as https://example.com, or https://*.example.com.",
  },
  FRAMING_SITES: {
    status: 400,
    message: 'The sites that may show a page inside theirs are a list of at most {limit}.',
  },
});

/** The most sites of one page. */
const mostSites = 20;
const host = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/**
 * Parses the sites that may show a page in a frame, in the form of `FramedPage.sites`: their origins, or `*` for any.
 *
 * @throws TrellisError 400 `FRAMING_SITE` for anything but a site, `FRAMING_SITES` for anything but a list, or one that is too
 *   long
 * @public
 */
export function readFramingSites(asked: unknown): readonly string[] {
  if (!Array.isArray(asked) || asked.length > mostSites)
    throw errors.create('FRAMING_SITES', { limit: mostSites });
  return [...new Set(asked.map(readSite))];
}

function readSite(asked: unknown): string {
  const text = typeof asked === 'string' ? asked.trim().toLowerCase() : '';
  if (text === '*') return text;
  const [, scheme = 'https:', rest = ''] = /^(https?:)?(?:\/\/)?([^/?#]*)\/?$/.exec(text) ?? [];
  const [, name = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(rest) ?? [];
  if (!host.test(name) || Number(port ?? 1) > 65_535)
    throw errors.create('FRAMING_SITE', { site: String(asked).slice(0, 100) });
  return `${scheme}//${rest}`;
}
