import { createHash } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';

const shape = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,189}\.[^\s@"(),:;<>[\]\\.]{1,63}$/u;

/**
 * The one form in which an address is stored and compared: NFKC, trimmed, lower case, and a domain in letters where programs write it in
 * ASCII (`xn--bcher-kva.example`). Undefined when it is not an address.
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
  return digest(folded(text));
}

/** The keys under which an account may be stored: accounts that are older than the normal form may have a domain in ASCII. */
export function emailKeys(text: string): readonly string[] {
  const email = folded(text);
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  const ascii = letters.test(domain) ? domainToASCII(domain) : '';
  return [email, ...(ascii === '' || ascii === domain ? [] : [email.slice(0, at) + ascii])].map(digest);
}

const digest = (email: string): string => createHash('sha256').update(email).digest('hex');

/** A name of letters, digits and dots; a domain has no other characters. */
const letters = /^[\p{L}\p{M}\p{N}.-]+$/u;

function folded(text: string): string {
  const email = plain(text.trim());
  const at = email.lastIndexOf('@') + 1;
  // Keyboards of some languages write another dot, which every mail program takes for this one.
  const domain = email.slice(at).replaceAll('\u3002', '.');
  const isCoded = domain.split('.').some((label) => label.startsWith('xn--'));
  const decoded = isCoded && letters.test(domain) ? plain(domainToUnicode(domain)) : '';
  return (email.slice(0, at) + (decoded === '' ? domain : decoded)).trim();
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC');
