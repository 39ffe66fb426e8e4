import { parsePattern, PatternError, type PatternProblem, type Predicate } from '@trellis/sdk/shared';
import { argumentOf, quotedText } from '../fit.ts';
import { checkPattern } from '../patterns/check-pattern.ts';
import { printPattern } from '../patterns/print-pattern.ts';
import { FormulaError, type ProblemCode } from '../problems.ts';
import { call, words, type Typed } from '../typed.ts';
import { longestText, type Value } from '../values.ts';
import { asText, called, expressionsOf, itemAt, type FormulaFunction, type Parameter } from './define.ts';

const text: Parameter = { name: 'text', takes: 'text' };
const pattern: Parameter = { name: 'pattern', takes: 'text' };

/** The most characters of a text in which patterns are searched; the databases have the same limit. */
const longestSearched = 2000;

const problems: Readonly<Record<PatternProblem, ProblemCode>> = {
  unknown: 'patternUnknown',
  unclosed: 'patternUnclosed',
  nothingToRepeat: 'patternNothingToRepeat',
  range: 'patternRange',
  anchor: 'patternAnchor',
  tooLong: 'patternTooLong',
  empty: 'patternEmpty',
  ambiguous: 'patternAmbiguous',
};

/** Converts the pattern to syntax that all databases understand in the same way, or throws why that is impossible. */
const prepared = (name: string) => (items: readonly Typed[]) => {
  const given = itemAt(items, 1);
  const text = quotedText(given, argumentOf(name, 'pattern', 1));
  try {
    const read = parsePattern(text);
    checkPattern(read.root);
    const literal = printPattern(read);
    const made: Typed = { ...given, literal, expression: words(literal), run: () => literal };
    return items.map((item, index) => (index === 1 ? made : item));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new FormulaError(problems[error.problem], given, { part: error.part });
  }
};

/** Processes the matches of a pattern; empty for texts that are too long to be searched. */
const searching =
  (work: (value: string, found: RegExp, values: readonly Value[]) => string | boolean | null) =>
  (values: readonly Value[]): Value => {
    const [value, source] = values.map((one) => asText(one));
    if (value === undefined || source === undefined || Array.from(value).length > longestSearched)
      return null;
    return work(value, new RegExp(source, 'gu'), values);
  };

const matches = (items: readonly Typed[]): Predicate => ({
  kind: 'call',
  function: 'MATCHES',
  arguments: expressionsOf(items),
});

/** Functions of patterns that every database interprets in the same way: see `patterns/`. */
export const patternFunctions: readonly FormulaFunction[] = [
  {
    name: 'REGEX_MATCH',
    group: 'Texts',
    parameters: [text, pattern],
    result: 'boolean',
    summary: 'Whether the pattern is found in the text; between ^ and $ it stands for all of the text.',
    prepare: prepared('REGEX_MATCH'),
    holds: matches,
    build: (items) => ({ kind: 'test', predicate: matches(items) }),
    run: searching((value, found) => found.test(value)),
  },
  called(
    {
      name: 'REGEX_EXTRACT',
      group: 'Texts',
      parameters: [text, pattern],
      result: 'text',
      summary: 'The first part of the text that the pattern finds; empty where it finds none.',
      prepare: prepared('REGEX_EXTRACT'),
      run: searching((value, found) => found.exec(value)?.[0] ?? null),
    },
    (values) => call('MATCHED_PART', ...values),
  ),
  called(
    {
      name: 'REGEX_REPLACE',
      group: 'Texts',
      parameters: [text, pattern, { name: 'replacement', takes: 'text' }],
      result: 'text',
      summary: 'The text with the replacement for each part that the pattern finds.',
      prepare: prepared('REGEX_REPLACE'),
      run: searching((value, found, [, , replacement]) => {
        const by = asText(replacement);
        const most = Array.from(value).length * (Array.from(by).length + 1);
        return most > longestText ? null : value.replace(found, () => by);
      }),
    },
    (values) => call('REPLACE_MATCHES', ...values),
  ),
];
