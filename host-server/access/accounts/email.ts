const shape = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,189}\.[^\s@"(),:;<>[\]\\.]{1,63}$/u;

/**
 * The one form in which an address is stored and compared: NFKC, trimmed, lower case. Undefined when it is not an address.
 *
 * Two addresses that differ only by accents are two addresses: the column's collation is binary.
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > 320) return undefined;
  const email = text.normalize('NFKC').trim().toLowerCase();
  // Control characters would let a header be smuggled into a mail.
  return shape.test(email) && !/\p{C}/u.test(email) && email.length <= 254 ? email : undefined;
}
