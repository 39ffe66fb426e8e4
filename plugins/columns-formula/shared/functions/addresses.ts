import type { Predicate } from '@trellis/sdk/shared';
import { call, type Typed } from '../typed.ts';
import { asText, called, expressionsOf, type FormulaFunction, type Parameter } from './define.ts';

const text: Parameter = { name: 'text', takes: 'text' };

/** Longer texts have no place in an address of the web; the database refuses them alike. */
const longestEncoded = 10_000;

/** As the databases' pattern has it: no end of it can be reached in two ways, so that long texts cost their length. */
const email = /^[^ \t\n\r,;:<>()"@]{1,64}@[^ \t\n\r,;:<>()"@.|]+(?:\.[^ \t\n\r,;:<>()"@.|]+)+$/u;
const longestAddress = 254;

/** As RFC 3986 has it: letters, digits and `-._~` stay, all else becomes the bytes of its UTF-8. */
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

/** Functions of texts that lead somewhere. */
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
