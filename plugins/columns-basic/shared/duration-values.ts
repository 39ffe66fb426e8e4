/** How durations are written, by the number that the v1 API keeps under `duration`. */
export const durationFormats = ['h:mm', 'h:mm:ss', 'h:mm:ss.s', 'h:mm:ss.ss', 'h:mm:ss.sss'] as const;

/** Seconds as a clock. What the format would hide, of a value that has it, is shown all the same. */
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

/** A clock in the form of the column, and apart from it what this form has no place for. */
export function splitDuration(text: string, format: number): readonly [clock: string, rest: string] {
  const minutes = text.indexOf(':') + 3;
  // `:30`, and with a fraction the point and as many digits as the format has.
  const end = minutes + (format > 0 ? 3 : 0) + (format > 1 ? format : 0);
  return [text.slice(0, end), text.slice(end)];
}

/** As few digits as name the double: `toFixed` writes 1.2345 as 1.23449999999999993072. */
const digits = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });

/** Digits without an exponent and without zeros at the end of the fraction; text that is no number counts as nothing. */
function plain(value: number | string): string {
  const text = typeof value === 'number' ? digits.format(value) : value;
  if (text.length > 100 || !/^-?\d+(?:\.\d+)?$/.test(text)) return '0';
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}
