import { defineColumnType, type ColumnTypeDefinition } from '@trellis/sdk/shared';
import { parsePeople, type PeopleOptions } from './collaborator.ts';

type Part = 'id' | 'label' | 'description' | 'icon' | 'author' | 'order';

const onePerson: PeopleOptions = { multiple: false };

function authorColumn(type: Pick<ColumnTypeDefinition<string, PeopleOptions>, Part>) {
  return defineColumnType<string, PeopleOptions>({
    ...type,
    storage: 'string',
    accepts: ['string', 'text'],
    fallback: 'SingleLineText',
    storesParsed: true,
    namesPeople: true,
    editable: false,
    takesDefault: false,
    operators: ['anyof', 'noneof', 'like', 'nlike', 'null', 'notnull'],
    separator: ',',
    parse: (input) => parsePeople(input, onePerson),
    format: (value) => (value === null ? '' : String(value)),
    examples: [
      { input: 'ada@example.com', value: 'ada@example.com' },
      { input: ' Ada <Ada@Example.com> ', value: 'ada@example.com' },
      { input: null, value: null },
    ],
    invalid: ['Ada', { a: 1 }, 7],
    width: 180,
  });
}

/** The person who created the row. */
export const createdBy = authorColumn({
  id: 'CreatedBy',
  label: 'Created by',
  description: 'Who made the row.',
  icon: 'user-plus',
  author: 'created',
  order: 76,
});

/** The person who last changed the row, in any way. */
export const lastModifiedBy = authorColumn({
  id: 'LastModifiedBy',
  label: 'Last modified by',
  description: 'Who changed the row last.',
  icon: 'user-edit',
  author: 'changed',
  order: 78,
});
