// Each is a function that also holds itself as `default`: its types only declare the latter.
import email from 'validator/lib/isEmail.js';
import mobilePhone from 'validator/lib/isMobilePhone.js';
import url from 'validator/lib/isURL.js';

/** Addresses of private networks, which mean another place for each reader. */
const privateHost =
  /^(?:[a-z]+:\/\/)?(?:localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)/i;

export const isEmail = (text: string): boolean => email.default(text);

/** A public web address, with or without its scheme. */
export function isURL(text: string): boolean {
  const isPublic = !privateHost.test(text);
  return isPublic && url.default(text, { protocols: ['http', 'https', 'ftp'], require_valid_protocol: true });
}

/** Eleven digits with a leading 1, or a mobile phone number of any country; spaces and brackets are ignored. */
export function isPhone(text: string): boolean {
  const digits = text.replace(/[\s().-]/g, '');
  return /^1\d{10}$/.test(digits) || mobilePhone.default(digits, 'any');
}
