// Each is a function and holds itself as `default`: its types know the second way alone.
import email from 'validator/lib/isEmail.js';
import mobilePhone from 'validator/lib/isMobilePhone.js';
import url from 'validator/lib/isURL.js';

/** Addresses of one's own network, which mean another place for each reader. */
const privateHost =
  /^(?:[a-z]+:\/\/)?(?:localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)/i;

export const isEmail = (text: string): boolean => email.default(text);

/** A public address of the web, with or without its scheme. */
export function isURL(text: string): boolean {
  const isPublic = !privateHost.test(text);
  return isPublic && url.default(text, { protocols: ['http', 'https', 'ftp'], require_valid_protocol: true });
}

/** Eleven digits with a leading 1, or the number of a mobile phone of any country; blanks and brackets do not count. */
export function isPhone(text: string): boolean {
  const digits = text.replace(/[\s().-]/g, '');
  return /^1\d{10}$/.test(digits) || mobilePhone.default(digits, 'any');
}
