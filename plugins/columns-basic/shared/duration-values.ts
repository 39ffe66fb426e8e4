/** The formats of durations; the index is what the v1 API stores as `duration`. */
export const durationFormats = ['h:mm', 'h:mm:ss', 'h:mm:ss.s', 'h:mm:ss.ss', 'h:mm:ss.sss'] as const;

/** Seconds as a clock. Parts of a value that the format would hide are shown anyway. */
export function writeDuration(value: number | string, format: number): string {
  const [whole = '0', fraction = ''] = plain(value).replace('-', '').split('.');
  const total = BigInt(whole);
  const [h, m, s] = [total / 3600n, (total / 60n) % 60n, total % 60n];
  const digits = fraction.padEnd(Math.max(0, format - 1), '0');
  const showsSeconds = format > 0 || s > 0n || digits !== '';
  const two = (part: bigint) => String(part).padStart(2, '0');
  const clockText = `${h}:${two(m)}${showsSeconds ? `:${two(s)}` : ''}${digits === '' ? '' : `.${digits}`}`;
  return `${plain(value).startsWith('-') ? '-' : ''}${clockText}`;
}

/** Splits a clock into the column's form and the parts that this form has no place for. */
export function splitDuration(text: string, format: number): readonly [clock: string, rest: string] {
  const minutes = text.indexOf(':') + 3;
  // `:30`, and with a fraction the point and the format's digits.
  const end = minutes + (format > 0 ? 3 : 0) + (format > 1 ? format : 0);
  return [text.slice(0, end), text.slice(end)];
}

/** The fewest digits that identify the double: `toFixed` writes 1.2345 as 1.23449999999999993072. */
const digits = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });

/** Digits without an exponent and trailing zeros; a text that is no number counts as nothing. */
function plain(value: number | string): string {
  const text = typeof value === 'number' ? digits.format(value) : value;
  if (text.length > 100 || !/^-?\d+(?:\.\d+)?$/.test(text)) return '0';
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}
