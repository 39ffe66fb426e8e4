/** Reads a cell in PostgreSQL's text form; absent where the text itself is the value. */
export type CellParser = ((text: string) => unknown) | undefined;

const boolean = 16;
const bytes = 17;
/** int2, int4, oid, float4, float8. */
const numbers: ReadonlySet<number> = new Set([21, 23, 26, 700, 701]);

/**
 * Booleans, small numbers and bytes are parsed; everything else stays the text that PostgreSQL sent: large numbers, since a double
 * loses digits, and dates, since a `Date` shifts them by this machine's time zone.
 *
 * @param type PostgreSQL's number (OID) of the type
 */
export function parserOf(type: number): CellParser {
  if (type === boolean) return (text) => text === 't';
  if (numbers.has(type)) return (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
  if (type === bytes) return (text) => Buffer.from(text.slice(2), 'hex');
  return undefined;
}
