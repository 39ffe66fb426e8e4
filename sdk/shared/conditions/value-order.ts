/** The order of values in the databases. Each function returns a number below, at or above zero. */

/** By code points, which is the order of UTF-8 bytes. */
export function textOrder(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return placeOf(a) - placeOf(b);
  }
  return left.length - right.length;
}

/** Surrogates, the halves of characters beyond 16 bits, come after all others. */
function placeOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares texts of decimal digits without loss. */
export function numberOrder(left: string, right: string): number {
  const [a, b] = [readDecimal(left), readDecimal(right)];
  if (a === undefined || b === undefined) return Math.sign(Number(left) - Number(right));
  const scale = Math.max(a.scale, b.scale);
  return bigOrder(a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale));
}

function bigOrder(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function readDecimal(text: string): { readonly digits: bigint; readonly scale: number } | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [, sign, whole = '', part = ''] = found;
  const digits = BigInt(`${whole}${part}` || '0');
  return { digits: sign === '-' ? -digits : digits, scale: part.length };
}

/** Compares moments to the microsecond; a text without a zone is in UTC. NaN when one is no moment. */
export function momentOrder(left: string, right: string): number {
  const [a, b] = [momentOf(left), momentOf(right)];
  return a === undefined || b === undefined ? Number.NaN : bigOrder(a, b);
}

const moment = /^(\d{4,}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

function momentOf(text: string): bigint | undefined {
  const [, day, time = '00:00', parts = '', zone = 'Z'] = moment.exec(text.trim()) ?? [];
  const at = Date.parse(`${day}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
  if (Number.isNaN(at)) return undefined;
  return BigInt(at) * 1000n + BigInt(parts.padEnd(6, '0').slice(0, 6));
}
