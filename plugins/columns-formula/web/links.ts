const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The address where it may be followed; undefined for scripts, other schemes and what is no address. */
export function linkOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return schemes.has(new URL(address).protocol) ? address : undefined;
}
