/**
 * What the page, including the web half of every plugin, may load: the directives of its content-security policy.
 *
 * @param hashes of the inline scripts of the page
 * @param sites that may show the page in a frame
 */
export function pagePolicy(hashes: readonly string[], sites: readonly string[] = []) {
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...hashes.map((hash) => `'${hash}'`)],
    // PrimeReact places overlays with style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: sites.length > 0 ? [...sites] : ["'none'"],
  };
}
