import type { Predicate } from '@trellis/sdk/shared';
import { call, type Typed } from '../typed.ts';
import { asText, called, expressionsOf, type FormulaFunction, type Parameter } from './define.ts';

const text: Parameter = { name: 'text', takes: 'text' };

/** The longest text that fits in a web address; the databases have the same limit. */
const longestEncoded = 10_000;

/** Equal to the databases' pattern: each end can be reached in only one way, so the time grows linearly with the text. */
const email = /^[^ \t\n\r,;:<>()"@]{1,64}@[^ \t\n\r,;:<>()"@.|]+(?:\.[^ \t\n\r,;:<>()"@.|]+)+$/u;
const longestAddress = 254;

/** By RFC 3986: letters, digits and `-._~` stay, everything else becomes the bytes of its UTF-8. */
function encoded(value: string): string | null {
  if (Array.from(value).length > longestEncoded) return null;
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const isEmail = (items: readonly Typed[]): Predicate => ({
  kind: 'call',
  function: 'IS_EMAIL',
  arguments: expressionsOf(items),
});

/** Functions for addresses. */
export const addressFunctions: readonly FormulaFunction[] = [
  called(
    {
      name: 'ENCODE_URL',
      group: 'Texts',
      parameters: [text],
      result: 'text',
      summary: 'The text as a part of a link: what links use otherwise becomes %20 and the like.',
      run: ([value]) => encoded(asText(value)),
    },
    (values) => call('ENCODE_URL', ...values),
  ),
  {
    name: 'ISEMAIL',
    group: 'Texts',
    parameters: [text],
    result: 'boolean',
    summary: 'Whether the text looks like an e-mail address: a name, one @, a domain with a dot.',
    holds: isEmail,
    build: (items) => ({ kind: 'test', predicate: isEmail(items) }),
    run: ([value]) => email.test(asText(value)) && Array.from(asText(value)).length <= longestAddress,
  },
];
