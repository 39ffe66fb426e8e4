import { defineColumnType, parseText, type ParseResult } from '@trellis/sdk/shared';
import { addressesOf, addressOf, longestCell } from './addresses.ts';

export type PeopleOptions = {
  /** False for a column of one person. */
  readonly multiple: boolean;
};

/** The texts for one person each: of a list, or between commas, semicolons and line ends. */
function partsOf(input: unknown): readonly unknown[] | undefined {
  if (typeof input === 'string') return input.split(/[,;\n]/);
  if (input === null || input === undefined) return [];
  const list: readonly unknown[] = Array.isArray(input) ? input : [input];
  // Clients of other products send people as objects.
  return list.map((item) =>
    typeof item === 'object' && item !== null && 'email' in item ? item.email : item,
  );
}

/** Parses the addresses of people, in the formats of clients and mail programs. */
export function parsePeople(input: unknown, { multiple }: PeopleOptions): ParseResult<string> {
  const addresses = new Set<string>();
  for (const part of partsOf(input) ?? []) {
    const read = parseText(part);
    if (!read.ok) return read;
    if ((read.value ?? '').trim() === '') continue;
    const address = addressOf(read.value ?? '');
    if (address === undefined) return { ok: false, message: 'must hold e-mail addresses of members' };
    addresses.add(address);
  }
  if (addresses.size === 0) return { ok: true, value: null };
  if (addresses.size > 1 && !multiple) return { ok: false, message: 'holds one person' };
  const value = [...addresses].join(',');
  return value.length > longestCell
    ? { ok: false, message: 'has room for addresses of 255 characters together' }
    : { ok: true, value };
}

/** People of the project. */
export const collaborator = defineColumnType<string, PeopleOptions>({
  id: 'Collaborator',
  label: 'Collaborator',
  description: 'One or several people of the project.',
  icon: 'users',
  storage: 'string',
  accepts: ['string', 'text'],
  fallback: 'SingleLineText',
  storesParsed: true,
  namesPeople: true,
  operators: ['anyof', 'allof', 'noneof', 'like', 'nlike', 'null', 'notnull'],
  order: 56,
  stacks: 'values',
  separator: ',',
  takesDefault: false,
  options: {
    schema: {
      type: 'object',
      properties: { multiple: { type: 'boolean', title: 'Several people in a cell', default: true } },
    },
    defaults: { multiple: true },
  },
  convertOptions: (before, after) =>
    before.multiple === after.multiple || after.multiple
      ? undefined
      : {
          convert: (value) => {
            const [first = null, ...others] = addressesOf(value);
            return { value: first, lost: others.length > 0 };
          },
        },
  parse: (input, { options }) => parsePeople(input, options),
  format: (value) => (value === null ? '' : String(value)),
  // The first person of a test's server, since only members are accepted.
  examples: [
    { input: 'person1@example.com', value: 'person1@example.com' },
    { input: ' Person One <Person1@Example.com> ', value: 'person1@example.com' },
    { input: ['person1@example.com', 'PERSON1@example.com'], value: 'person1@example.com' },
    { input: [{ email: 'person1@example.com' }], value: 'person1@example.com' },
    { input: '', value: null },
    { input: null, value: null },
  ],
  invalid: ['Ada', '@', 'a@b@c', 'a b@example.com', { a: 1 }, [['a@example.com']], 7, 'a@b\u0000'],
  width: 200,
});
