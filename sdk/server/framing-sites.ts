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

/** Sites that one page names at the most. */
const mostSites = 20;
const host = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/**
 * Sites as somebody names them who lets them show a page inside theirs, as `FramedPage.sites` answers them: their origins, or `*` for any.
 *
 * @throws TrellisError 400 `FRAMING_SITE` for what is no site, `FRAMING_SITES` for what is no list or too long a one
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
