import { createHash } from 'node:crypto';

const shape = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,189}\.[^\s@"(),:;<>[\]\\.]{1,63}$/u;

/**
 * The one form in which an address is stored and compared: NFKC, trimmed, lower case. Undefined when it is not an address.
 *
 * Two addresses that differ only by accents are two addresses: the column's collation is binary.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > 320) return undefined;
  const email = folded(text);
  // Control characters would let a header be smuggled into a mail.
  return shape.test(email) && !/\p{C}/u.test(email) && email.length <= 254 ? email : undefined;
}

/**
 * What addresses are looked up and limited by: 64 hex digits, the same for all spellings of one address. A text that is no
 * address has a key too, so that tries with it are counted.
 *
 * A digest and not the text, because a database's collation may take two addresses for one.
 */
export function emailKey(text: string): string {
  return createHash('sha256').update(folded(text)).digest('hex');
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
