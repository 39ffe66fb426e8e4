export { email } from './email.ts';
export { password } from './password.ts';
export { phoneNumber } from './phone-number.ts';
export { linkOf, url } from './url.ts';
