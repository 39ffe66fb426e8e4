const prefix = '/embed/';

/**
 * The address of the page in a frame of another site, `/embed/nc/view/<uuid>`: the server checks the site for this path, so the
 * part after a `#` cannot lead to another page. Undefined everywhere else.
 *
 * @public
 */
export function framedAddress(page: Pick<Location, 'pathname' | 'search'> = location): string | undefined {
  return page.pathname.startsWith(prefix) ? page.pathname.slice(prefix.length - 1) + page.search : undefined;
}

/** The address of the opened page: the part after the `#`, or the path in a frame of another site. @public */
export function pageAddress(): string {
  return framedAddress() ?? location.hash.slice(1);
}

/**
 * The HTML for other sites to show a page in a frame. The page needs a route that is `framed`, and the server must allow the sites
 * by `framedPages`.
 *
 * @param path the page's own address: `/nc/view/<uuid>`
 * @param title the frame's name for screen readers
 * @public
 */
export function embedCode(path: string, title: string): string {
  const address = `${location.origin}${prefix.slice(0, -1)}${path}`;
  const named = title.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${address}" title="${named}" width="100%" height="700" style="border:0"></iframe>`;
}
