/** The most bytes that the rows of one answer may take in memory. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** The approximate bytes of a row's cells in memory. */
export function rowBytes(row: readonly unknown[]): number {
  let bytes = 16;
  for (const cell of row) {
    if (typeof cell === 'string') bytes += 8 + cell.length * 2;
    else if (cell instanceof Uint8Array) bytes += 64 + cell.byteLength;
    else bytes += 8;
  }
  return bytes;
}
