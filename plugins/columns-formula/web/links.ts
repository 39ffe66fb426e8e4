const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The address if it may be opened; undefined for scripts, other schemes and invalid addresses. */
export function linkOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return schemes.has(new URL(address).protocol) ? address : undefined;
}
