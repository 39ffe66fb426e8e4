import { textProblem } from '@trellis/sdk/shared';
import { FormulaError, type Span } from './problems.ts';

/** One word or operator of a formula. `value` is its meaning: a text without its quotes and escapes. */
export interface Token extends Span {
  readonly kind: 'number' | 'text' | 'column' | 'columnId' | 'word' | 'sign' | 'end';
  readonly value: string;
}

/** Longer formulas are refused before they are parsed. */
export const longestFormula = 10_000;

const signs = ['<>', '!=', '<=', '>=', '==', '+', '-', '*', '/', '%', '&', '=', '<', '>', '(', ')', ',', ';'];
const space = /[\s\u00A0]/;
const wordStart = /[\p{L}_]/u;
const wordPart = /[\p{L}\p{N}_]/u;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/**
 * Splits a formula, reading each character once.
 *
 * @throws FormulaError for an unclosed text or name, an invalid character, and a formula that is too long.
 */
export function tokenize(source: string): readonly Token[] {
  if (source.length > longestFormula)
    throw new FormulaError(
      'tooLong',
      { start: 0, end: source.length },
      {
        limit: longestFormula,
      },
    );
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const first = source[at] ?? '';
    if (space.test(first)) {
      at += 1;
      continue;
    }
    const token = tokenAt(source, at);
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: 'end', value: '', start: source.length, end: source.length }];
}

function tokenAt(source: string, start: number): Token {
  const first = String.fromCodePoint(source.codePointAt(start) ?? 0);
  if (first === '{') return source[start + 1] === '{' ? columnIdAt(source, start) : columnAt(source, start);
  if (first === '"' || first === "'") return textAt(source, start, first);
  if (/\d/.test(first) || (first === '.' && /\d/.test(source[start + 1] ?? '')))
    return numberAt(source, start);
  if (wordStart.test(first)) {
    const end = runEnd(source, start, wordPart);
    return { kind: 'word', value: source.slice(start, end), start, end };
  }
  const sign = signs.find((candidate) => source.startsWith(candidate, start));
  if (sign !== undefined) return { kind: 'sign', value: sign, start, end: start + sign.length };
  throw new FormulaError(
    'unexpected',
    { start, end: start + first.length },
    {
      found: first,
      position: start,
    },
  );
}

/** The index after the characters from `start` on that match. */
function runEnd(source: string, start: number, like: RegExp): number {
  let end = start;
  while (end < source.length) {
    const character = String.fromCodePoint(source.codePointAt(end) ?? 0);
    if (!like.test(character)) break;
    end += character.length;
  }
  return end;
}

const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const mostDigits = 30;

function numberAt(source: string, start: number): Token {
  number.lastIndex = start;
  const value = number.exec(source)?.[0] ?? '';
  const end = start + value.length;
  if (
    value.length > mostDigits ||
    !Number.isFinite(Number(value)) ||
    Math.abs(exponentOf(value)) > mostDigits
  )
    throw new FormulaError(
      'tooManyDigits',
      { start, end },
      {
        position: start,
        limit: mostDigits,
      },
    );
  return { kind: 'number', value, start, end };
}

function exponentOf(value: string): number {
  return Number(/[eE](.*)$/.exec(value)?.[1] ?? 0);
}

/** `"it\"s"`, or with the quote doubled. */
function textAt(source: string, start: number, quote: string): Token {
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = source[at];
    if (character === undefined)
      throw new FormulaError(
        'unclosedText',
        { start, end: source.length },
        {
          quote,
          position: source.length,
        },
      );
    if (character === '\\' && at + 1 < source.length) {
      const next = source[at + 1] ?? '';
      value += escapes[next] ?? next;
      at += 2;
    } else if (character === quote && source[at + 1] === quote) {
      value += quote;
      at += 2;
    } else if (character === quote) {
      const end = at + 1;
      const problem = textProblem(value);
      if (problem !== undefined)
        throw new FormulaError(
          'unstorable',
          { start, end },
          {
            position: start,
          },
        );
      return { kind: 'text', value, start, end };
    } else {
      value += character;
      at += 1;
    }
  }
}

/** `{Title}`; a brace or backslash of the title is escaped by a backslash. */
function columnAt(source: string, start: number): Token {
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = source[at];
    if (character === undefined)
      throw new FormulaError(
        'unclosedColumn',
        { start, end: source.length },
        {
          position: source.length,
        },
      );
    if (character === '}') return { kind: 'column', value: value.trim(), start, end: at + 1 };
    if (character === '\\' && at + 1 < source.length) at += 1;
    value += source[at] ?? '';
    at += 1;
  }
}

/** `{{id}}`, the stored form. */
function columnIdAt(source: string, start: number): Token {
  const close = source.indexOf('}}', start);
  if (close < 0)
    throw new FormulaError(
      'unclosedColumn',
      { start, end: source.length },
      {
        position: source.length,
      },
    );
  return { kind: 'columnId', value: source.slice(start + 2, close).trim(), start, end: close + 2 };
}
