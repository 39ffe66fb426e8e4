import { randomBytes } from 'node:crypto';

const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `au_` and 14 letters or digits. */
export function newId(prefix: 'au' | 'ar' | 'aw'): string {
  return `${prefix}_${Array.from(randomBytes(14), (byte) => digits[byte % digits.length]).join('')}`;
}
