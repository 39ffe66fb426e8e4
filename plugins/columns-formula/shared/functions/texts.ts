import { lowerCase, upperCase, type Expression } from '@trellis/sdk/shared';
import { arithmetic, call, isNull, not, toText, when, whole, words, type Typed } from '../typed.ts';
import { concatenated, longestText } from '../values.ts';
import {
  asNumber,
  asText,
  called,
  itemAt,
  madeOfList,
  type FormulaFunction,
  type Parameter,
} from './define.ts';

const text: Parameter = { name: 'text', takes: 'text' };
const count: Parameter = { name: 'count', takes: 'whole' };

/** The most characters that repeating and padding functions return, so that no row takes too much memory. */
const longest = 10_000;

const charactersOf = (value: string): readonly string[] => Array.from(value);

/** Like the databases: they limit the greatest possible number of replacements, without counting them. */
function replaced(value: string, search: string, replacement: string): string | null {
  const most = charactersOf(value).length * (charactersOf(replacement).length + 1);
  if (most > longestText) return null;
  return search === '' ? value : value.replaceAll(search, () => replacement);
}

/** Words are separated by spaces. */
function proper(value: string): string | null {
  if (charactersOf(value).length > longest) return null;
  const words = value.split(' ').map((word) => {
    const [first = '', ...rest] = charactersOf(word);
    return upperCase(first) + lowerCase(rest.join(''));
  });
  return words.join(' ');
}

function part(value: string, start: number, length = Infinity): string {
  const from = Math.max(start, 1) - 1;
  return charactersOf(value)
    .slice(from, from + Math.max(length, 0))
    .join('');
}

/** A function from text to text that databases have under the same name. */
function ofText(name: string, summary: string, run: (value: string) => string | null): FormulaFunction {
  return called(
    {
      name,
      group: 'Texts',
      parameters: [text],
      result: 'text',
      summary,
      run: ([value]) => run(asText(value)),
    },
    (values) => call(name, ...values),
  );
}

function substring(name: string, isLengthOptional: boolean): FormulaFunction {
  return called(
    {
      name,
      group: 'Texts',
      parameters: [text, { name: 'start', takes: 'whole' }, { ...count, optional: isLengthOptional }],
      result: 'text',
      summary: 'A part of the text; its first character is number 1.',
      run: ([value, start, length]) =>
        part(asText(value), asNumber(start), length === undefined ? undefined : asNumber(length)),
    },
    (values) => call('SUBSTRING', ...values),
  );
}

function padding(name: 'PADLEFT' | 'PADRIGHT', to: string, summary: string): FormulaFunction {
  return called(
    {
      name,
      group: 'Texts',
      parameters: [text, { name: 'length', takes: 'whole' }, { name: 'with', takes: 'text', optional: true }],
      result: 'text',
      summary,
      run([value, length, fill = ' ']) {
        const [own, wanted, by] = [charactersOf(asText(value)), asNumber(length), charactersOf(asText(fill))];
        if (own.length >= wanted || by.length === 0) return own.join('');
        if (wanted > longest) return null;
        const added = Array.from({ length: wanted - own.length }, (_, index) => by[index % by.length]).join(
          '',
        );
        return name === 'PADLEFT' ? added + own.join('') : own.join('') + added;
      },
    },
    ([value = words(''), length = words(''), fill = words(' ')]) => call(to, value, length, fill),
  );
}

const present = ({ expression }: Typed) => not(isNull(expression));

export const textFunctions: readonly FormulaFunction[] = [
  {
    name: 'CONCAT',
    group: 'Texts',
    parameters: [text],
    repeats: 1,
    result: 'text',
    summary: 'Joins texts; what is empty adds nothing. The sign & does the same.',
    takesEmpty: true,
    build: (items) => ({ kind: 'concat', items: items.map(({ expression }) => expression) }),
    run: (values) => concatenated(values.map((value) => asText(value ?? ''))),
  },
  {
    name: 'JOIN',
    group: 'Texts',
    parameters: [{ name: 'separator', takes: 'text' }, text],
    repeats: 1,
    result: 'text',
    summary: 'Joins the texts that are not empty, with the separator between them.',
    takesEmpty: true,
    takesLists: true,
    build(items) {
      const [separator, ...texts] = items;
      if (separator === undefined) throw new Error('The number of arguments was not checked.');
      const isFilled = (item: Typed) =>
        not({ kind: 'call', function: 'IS_EMPTY', arguments: [item.expression] });
      const joint: Expression = { kind: 'concat', items: [separator.expression] };
      const parts = texts.map((item) =>
        item.list === undefined
          ? when(isFilled(item), { kind: 'concat', items: [joint, item.expression] }, words(''))
          : madeOfList(item, 'join', { where: isFilled(item), separator: joint }),
      );
      // The separator before the first text is removed.
      const start = arithmetic('add', call('LENGTH', joint), whole(1));
      return call('SUBSTRING', { kind: 'concat', items: parts }, start);
    },
    run([given, ...texts]) {
      const separator = asText(given ?? '');
      const filled = texts.filter((value) => value !== null && value !== '');
      return concatenated(filled.map((value) => separator + asText(value))).slice(separator.length);
    },
  },
  ofText('TRIM', 'The text without blanks at its ends.', (value) => value.replace(/^ +| +$/g, '')),
  ofText('UPPER', 'The text in capitals.', upperCase),
  ofText('PROPER', 'The text with a capital at the beginning of each word.', proper),
  ofText('LOWER', 'The text in small letters.', lowerCase),
  called(
    {
      name: 'LEN',
      group: 'Texts',
      parameters: [text],
      result: 'number',
      summary: 'How many characters the text has.',
      run: ([value]) => charactersOf(asText(value)).length,
    },
    (values) => call('LENGTH', ...values),
  ),
  called(
    {
      name: 'LEFT',
      group: 'Texts',
      parameters: [text, count],
      result: 'text',
      summary: 'The first characters of the text.',
      run: ([value, length]) => part(asText(value), 1, asNumber(length)),
    },
    (values) => call('LEFT', ...values),
  ),
  called(
    {
      name: 'RIGHT',
      group: 'Texts',
      parameters: [text, count],
      result: 'text',
      summary: 'The last characters of the text.',
      run: ([value, length]) => {
        const all = charactersOf(asText(value));
        return all.slice(all.length - Math.min(Math.max(asNumber(length), 0), all.length)).join('');
      },
    },
    (values) => call('RIGHT', ...values),
  ),
  substring('SUBSTR', true),
  substring('MID', false),
  called(
    {
      name: 'REPLACE',
      group: 'Texts',
      parameters: [text, { name: 'search', takes: 'text' }, { name: 'replacement', takes: 'text' }],
      result: 'text',
      summary: 'The text with another one in every place of what is searched.',
      run: ([value, search, replacement]) => replaced(asText(value), asText(search), asText(replacement)),
    },
    (values) => call('REPLACE', ...values),
  ),
  called(
    {
      name: 'SEARCH',
      group: 'Texts',
      parameters: [text, { name: 'search', takes: 'text' }],
      result: 'number',
      summary: 'Where a text begins in another one, from 1; 0 where it is not in it.',
      run: ([value, search]) => {
        const at = asText(value).indexOf(asText(search));
        return at < 0 ? 0 : charactersOf(asText(value).slice(0, at)).length + 1;
      },
    },
    (values) => call('POSITION', ...values),
  ),
  called(
    {
      name: 'REPEAT',
      group: 'Texts',
      parameters: [text, count],
      result: 'text',
      summary: 'The text so many times in a row.',
      run: ([value, times]) => {
        const all = asText(value);
        if (asNumber(times) <= 0) return '';
        return charactersOf(all).length * asNumber(times) > longest ? null : all.repeat(asNumber(times));
      },
    },
    (values) => call('REPEAT', ...values),
  ),
  padding('PADLEFT', 'PAD_LEFT', 'The text filled up on its left to a length.'),
  padding('PADRIGHT', 'PAD_RIGHT', 'The text filled up on its right to a length.'),
  called(
    {
      name: 'SPLIT',
      group: 'Texts',
      parameters: [text, { name: 'separator', takes: 'text' }, { name: 'number', takes: 'whole' }],
      result: 'text',
      summary: 'One of the parts between separators, the first is number 1.',
      run: ([value, separator, index]) =>
        asText(separator) === '' ? null : (asText(value).split(asText(separator))[asNumber(index) - 1] ?? ''),
    },
    (values) => call('SPLIT_PART', ...values),
  ),
  {
    name: 'TEXT',
    group: 'Texts',
    parameters: [{ name: 'value', takes: 'any' }],
    result: 'text',
    summary: 'The value as a text.',
    prepare: (items) => items.map(toText),
    build: (items) => itemAt(items, 0).expression,
    run: ([value]) => value ?? null,
  },
  {
    name: 'URL',
    group: 'Texts',
    parameters: [{ name: 'address', takes: 'text' }],
    result: 'text',
    summary: 'A link that can be opened.',
    build(items) {
      const item = itemAt(items, 0);
      return when(present(item), { kind: 'concat', items: [words('URI::('), item.expression, words(')')] });
    },
    run: ([value]) => concatenated(['URI::(', asText(value), ')']),
  },
];
