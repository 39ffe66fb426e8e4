import {
  filterList,
  type FilterOperator,
  type FilterOperatorInput,
  type Predicate,
} from '@trellis/sdk/shared';

/** Also written in the refusal below, which is a translated text. */
const mostTitles = 500;

/** The options in a filter: a list, or titles in a text, quoted if they contain a comma. */
function titlesIn({ value }: Pick<FilterOperatorInput, 'value'>): readonly string[] {
  const titles = filterList(value)
    .map((part) => String(part).trim())
    .filter((title) => title !== '');
  if (titles.length > mostTitles) throw new RangeError('has more than 500 options');
  return titles;
}

/** Whether a cell holds an option: it equals a single cell, and is delimited by separators in a multiple one. */
function holds(input: FilterOperatorInput, title: string): Predicate {
  const { separator } = input;
  const literal = input.literal(title);
  if (separator === undefined)
    return { kind: 'compare', comparison: 'eq', left: input.column, right: literal };
  const mark = { kind: 'literal', value: separator, storage: 'text' } as const;
  const text = literal.kind === 'literal' ? String(literal.value) : title;
  return {
    kind: 'contains',
    item: { kind: 'concat', items: [mark, input.column, mark] },
    text: `${separator}${text}${separator}`,
  };
}

const any = (input: FilterOperatorInput): Predicate => ({
  kind: 'or',
  items: titlesIn(input).map((title) => holds(input, title)),
});

/** Comparisons for options. An empty cell matches none of them. */
export const selectOperators: readonly FilterOperator[] = [
  { id: 'anyof', label: 'has any of', arity: 'list', build: any },
  {
    id: 'allof',
    label: 'has all of',
    arity: 'list',
    build: (input) => ({ kind: 'and', items: titlesIn(input).map((title) => holds(input, title)) }),
    // Each of them may be in another row.
    buildLinked: (linked) => ({
      kind: 'and',
      items: titlesIn(linked).map((title) => linked.some((input) => holds(input, title))),
    }),
  },
  {
    id: 'noneof',
    aliases: ['nanyof'],
    label: 'has none of',
    arity: 'list',
    build: (input) => ({
      kind: 'or',
      items: [
        { kind: 'isNull', item: input.column },
        { kind: 'not', item: any(input) },
      ],
    }),
    buildLinked: (linked) => ({ kind: 'not', item: linked.some(any) }),
  },
];
