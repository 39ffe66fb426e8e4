import {
  filterList,
  type FilterOperator,
  type FilterOperatorInput,
  type LinkedFilterInput,
  type Predicate,
  type RowKey,
} from '@trellis/sdk/shared';

/** The most rows of a filter. Also written in the refusal below, which is a translated text. */
export const mostRows = 500;

/** The keys of the rows in a filter: a list, or keys in a text, quoted if they contain a comma. */
export function keysIn(value: FilterOperatorInput['value']): readonly RowKey[] {
  return filterList(value)
    .map((part) => String(part).trim())
    .filter((key) => key !== '');
}

type Links = Pick<FilterOperatorInput | LinkedFilterInput, 'value' | 'linkedTo'>;

function isLinkedToAny({ value, linkedTo }: Links): Predicate {
  if (linkedTo === undefined) throw new RangeError('is no link');
  const keys = keysIn(value);
  if (keys.length > mostRows) throw new RangeError('has more than 500 rows');
  return linkedTo(keys);
}

const isLinkedToNone = (links: Links): Predicate => ({ kind: 'not', item: isLinkedToAny(links) });

/** Comparisons of links with picked rows. A row without a link matches none of them. */
export const linkOperators: readonly FilterOperator[] = [
  {
    id: 'linkedto',
    label: 'has any of',
    arity: 'list',
    membersOnly: true,
    build: isLinkedToAny,
    buildLinked: isLinkedToAny,
  },
  {
    id: 'notlinkedto',
    label: 'has none of',
    arity: 'list',
    membersOnly: true,
    build: isLinkedToNone,
    buildLinked: isLinkedToNone,
  },
];
