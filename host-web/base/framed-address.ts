const prefix = '/embed/';

/**
 * The address of the one page that is shown where other sites may frame it, `/embed/nc/view/<uuid>`: the server lets them by its path, so
 * nothing that comes behind a `#` leads to another page. Undefined everywhere else.
 */
export function framedAddress(page: Pick<Location, 'pathname' | 'search'> = location): string | undefined {
  return page.pathname.startsWith(prefix) ? page.pathname.slice(prefix.length - 1) + page.search : undefined;
}
