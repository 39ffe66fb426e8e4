/** The longest address, and the longest list of a cell: the column is a `varchar(255)`. */
const longestAddress = 254;
export const longestCell = 255;

/** The reader, in filters. */
export const me = '@me';

/** An address that no account can have: the value of `@me` for a reader without one. */
export const nobody = 'nobody@invalid';

/** `Ada Lovelace <ada@example.com>`, as mail programs copy it. */
const named = /<([^<>]*)>$/;

/**
 * The stored and compared form of an address, equal to that of accounts (NFKC, lower case, trimmed). Undefined for anything else.
 */
export function addressOf(text: string): string | undefined {
  const trimmed = text.trim();
  const address = (named.exec(trimmed)?.[1] ?? trimmed).normalize('NFKC').trim().toLowerCase();
  const at = address.indexOf('@');
  const isOne = at > 0 && at === address.lastIndexOf('@') && at < address.length - 1;
  return isOne && address.length <= longestAddress && !/[\s,;<>\p{C}]/u.test(address) ? address : undefined;
}

/** The addresses of a cell. */
export function addressesOf(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : String(value).split(',');
}
