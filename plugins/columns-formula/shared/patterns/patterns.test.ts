import { expect, test } from '@jest/globals';
import { parsePattern } from '@trellis/sdk/shared';
import { compileFormula, parseFormula } from '../index.ts';
import { FormulaError } from '../problems.ts';
import { printPattern } from './print-pattern.ts';

function problemOf(pattern: string): string {
  const quoted = `"${pattern.replaceAll('\\', '\\\\')}"`;
  try {
    compileFormula(parseFormula(`REGEX_MATCH("x", ${quoted})`), { columns: [], keyIds: [] });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    expect(error.problem).toMatchObject({ start: 17, end: 17 + quoted.length });
    return error.message;
  }
}

test.each([
  '[A-Z]{2,3}-[0-9]+',
  '^(?:Mr|Ms)[.]? [A-Z]',
  '(ab)+c',
  '[^@ ]+@[^@ ]+',
  '\\d{4}-\\d\\d$',
  '^(a|b)$',
  'a{2,4}b',
  '[\\]]',
  'a|ab',
  'Jan(uary)?|Jun|Jul',
])('The pattern %s is read alike everywhere and accepted', (pattern) => {
  expect(problemOf(pattern)).toBe('accepted');
});

test.each([
  ['a(?=b)', 'Not all databases understand "(?="'],
  ['(a)\\1', 'Not all databases understand "\\1"'],
  ['a+?', 'Not all databases understand "…?"'],
  ['\\bword', 'Not all databases understand "\\b"'],
  ['\\p{L}', 'Not all databases understand "\\p"'],
  ['[[:alpha:]]', 'Not all databases understand "[["'],
  ['a{x}', 'Not all databases understand "{x}"'],
  ['(a', 'Unclosed "("'],
  ['a)', 'Unclosed ")"'],
  ['[a', 'Unclosed "["'],
  ['a\\', 'Unclosed "\\"'],
  ['+a', 'Nothing stands before "+"'],
  ['[z-a]', '"-" in the pattern is out of order or too large'],
  ['a{3,2}', '"{3,2}" in the pattern is out of order or too large'],
  ['a{101}', '"{101}" in the pattern is out of order or too large'],
  ['a^b', '^ stands at its very beginning'],
  ['a$b', '$ at its very end'],
  ['^a|b', '^ stands at its very beginning'],
  ['(a$)', '$ at its very end'],
  ['a*', 'found where nothing stands'],
  ['(a|)', 'found where nothing stands'],
  ['', 'found where nothing stands'],
  ['a|[ab]c', 'could take the same character "a"'],
  ['[a-z]*ing', 'could take the same character "i"'],
  ['(a+)+b', 'could take the same character "a"'],
  ['.*x', 'could take the same character "x"'],
  [`(?:a{100}){6}`, 'The pattern is too long'],
  ['a'.repeat(501), 'The pattern is too long'],
])('The pattern %s is refused, and the message says what of it', (pattern, message) => {
  expect(problemOf(pattern)).toContain(message);
});

test('A pattern that could keep a database busy is refused however it is written', () => {
  for (const pattern of ['(a*)*b', '(a?){50}b', '(.+)+$', '(a|b|ab)*c', '([a-z]+)*[0-9]'])
    expect([pattern, problemOf(pattern)]).not.toEqual([pattern, 'accepted']);
});

test('A pattern is put into signs that mean the same everywhere', () => {
  expect(printPattern(parsePattern('\\d+/x.y$'))).toBe('[0-9]+\\/x[^\n]y(?!(?:[^a]|a))');
  expect(printPattern(parsePattern('[\\d\\D]'))).toBe('(?:[^a]|a)');
  expect(printPattern(parsePattern('[&&^-]'))).toBe('[&\\-\\^]');
  expect(printPattern(parsePattern('Mr|Ms|Mrs|a|a'))).toBe('M(?:r(?:s)?|s)|a');
});
