/**
 * Reads QR codes of versions 1 to 10 with error correction M and byte text (ISO/IEC 18004), from a picture with known dark squares.
 * Nothing is corrected, because a code on a screen has no damage.
 */

/** The number of data bytes of each block, by version. */
const blocksOf: readonly (readonly number[])[] = [
  [],
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
];
/** The centres of alignment patterns, by version. */
const centresOf: readonly (readonly number[])[] = [
  [],
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
type Mask = (row: number, column: number) => number;
const masks: readonly Mask[] = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (_row, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
];
/** The mask of the format bits; the first two mean M if they are 00. */
const formatMask = 0b10101;

/** Whether a square belongs to the patterns rather than to the text. */
function isPattern(row: number, column: number, size: number): boolean {
  const version = (size - 17) / 4;
  const isCorner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
  const centres = centresOf[version] ?? [];
  const last = centres.at(-1) ?? 0;
  const isAligned = centres.some((y) =>
    centres.some((x) => {
      const isTaken = (y === 6 && x === 6) || (y === 6 && x === last) || (y === last && x === 6);
      return !isTaken && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
    }),
  );
  return isCorner || isVersion || isAligned || row === 6 || column === 6;
}

/** The text of a code. */
export function readQrCode(size: number, isDark: (row: number, column: number) => boolean): string {
  const format = [0, 1, 2, 3, 4].reduce((bits, at) => bits * 2 + Number(isDark(8, at)), 0) ^ formatMask;
  const mask = masks[format & 7];
  const blocks = blocksOf[(size - 17) / 4];
  if (format >> 3 !== 0 || mask === undefined || blocks === undefined)
    throw new Error(`A code of ${size} squares with the format ${format} is not known here.`);
  const bytes = bytesOf(bitsIn(size, isDark, mask));
  const text = unwoven(bytes, blocks).flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (byte >> at) & 1),
  );
  const take = (from: number, count: number) =>
    text.slice(from, from + count).reduce((number, bit) => number * 2 + bit, 0);
  if (take(0, 4) !== 0b0100) throw new Error('The code holds no bytes.');
  const lengthBits = size < 57 ? 8 : 16;
  const read = Array.from({ length: take(4, lengthBits) }, (_, at) => take(4 + lengthBits + at * 8, 8));
  return Buffer.from(read).toString('utf8');
}

/** The bits in their order: in pairs of columns from the right, alternately up and down. */
function bitsIn(
  size: number,
  isDark: (row: number, column: number) => boolean,
  mask: Mask,
): readonly number[] {
  const bits: number[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const rows = Array.from({ length: size }, (_, at) => (isUp ? size - 1 - at : at));
    for (const row of rows)
      for (const column of [right, right - 1])
        if (!isPattern(row, column, size))
          bits.push(Number(isDark(row, column)) ^ Number(mask(row, column) === 0));
    isUp = !isUp;
  }
  return bits;
}

function bytesOf(bits: readonly number[]): readonly number[] {
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** The data bytes of interleaved blocks. */
function unwoven(bytes: readonly number[], blocks: readonly number[]): readonly number[] {
  const read: number[][] = blocks.map(() => []);
  let next = 0;
  for (let at = 0; at < Math.max(...blocks); at += 1)
    for (const [block, length] of blocks.entries())
      if (at < length) read[block]?.push(bytes[(next += 1) - 1] ?? 0);
  return read.flat();
}
