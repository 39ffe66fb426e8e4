const prefix = '/embed/';

/**
 * The address of the one page that is shown where other sites may frame it, `/embed/nc/view/<uuid>`: the server lets them by its path, so
 * nothing that comes behind a `#` leads to another page. Undefined everywhere else.
 *
 * @public
 */
export function framedAddress(page: Pick<Location, 'pathname' | 'search'> = location): string | undefined {
  return page.pathname.startsWith(prefix) ? page.pathname.slice(prefix.length - 1) + page.search : undefined;
}

/** The address of the page that was opened: what stands behind the `#`, or in the path where other sites may frame it. @public */
export function pageAddress(): string {
  return framedAddress() ?? location.hash.slice(1);
}

/**
 * What other sites write to show a page inside theirs. The page needs a route that is `framed`, and the server lets the sites by `framedPages`.
 *
 * @param path the page's own address: `/nc/view/<uuid>`
 * @param title what the frame is called for whoever hears the site
 * @public
 */
export function embedCode(path: string, title: string): string {
  const address = `${location.origin}${prefix.slice(0, -1)}${path}`;
  const named = title.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${address}" title="${named}" width="100%" height="700" style="border:0"></iframe>`;
}
