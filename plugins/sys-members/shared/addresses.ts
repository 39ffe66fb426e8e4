/** The addresses of a list with commas between them, each once. */
export function addressesOf(text: string): readonly string[] {
  const addresses = text
    .split(/[,;\n]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return [...new Set(addresses)];
}

/** Whether a text may be an address; what the server says of it counts. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

/** Addresses that are invited in one call. */
export const mostAddresses = 100;
