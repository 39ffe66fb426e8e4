/** The addresses of a comma-separated list, each once. */
export function addressesOf(text: string): readonly string[] {
  const addresses = text
    .split(/[,;\n]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return [...new Set(addresses)];
}

/** Whether a text may be an address; the server's check decides. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

/** The most addresses of one call. */
export const mostAddresses = 100;
