import type { FramedPage, Logger } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/sdk/shared';

/** Where pages stand that other sites may show inside theirs; behind it comes the address of the page. */
const prefix = '/embed/';
/** A site as the policy of a page names it: any, an origin, or the origins of all hosts below a domain. */
const site = /^(?:\*|https?:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?)$/;

export const isFramedPath = (path: string): boolean => path.startsWith(prefix);

/** Says which sites may show a page inside theirs: none, unless a plugin says so of this very address. */
export class FramedPages {
  readonly #pages: RegistryView<FramedPage>;
  readonly #logger: Pick<Logger, 'error'>;

  constructor(pages: RegistryView<FramedPage>, logger: Pick<Logger, 'error'>) {
    this.#pages = pages;
    this.#logger = logger;
  }

  async sitesOf(path: string): Promise<readonly string[]> {
    if (!isFramedPath(path)) return [];
    const address = path.slice(prefix.length - 1);
    for (const page of this.#pages.list()) {
      const sites = await page.sites(address).catch((error: unknown) => {
        this.#logger.error('It could not be found out who may frame a page', { page: page.id, error });
        return [];
      });
      // A text that is no site could add a directive to the policy.
      if (sites !== undefined) return sites.filter((each) => site.test(each));
    }
    return [];
  }
}
