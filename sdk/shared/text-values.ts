import type { ParseResult } from './column-type.ts';
import type { Refusal } from './refusal.ts';

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** A method of ES2024: Node 20 and browsers have it, the compiler's ES2023 library lacks it. */
interface CheckedText {
  isWellFormed?(): boolean;
}

/** The pattern is for browsers from before 2024; it takes many times as long, which shows in a bulk write. */
function hasLoneSurrogate(text: string): boolean {
  const isWellFormed = (text as CheckedText).isWellFormed?.();
  return isWellFormed === undefined ? loneSurrogate.test(text) : !isWellFormed;
}

/** Control characters and lone surrogates, which no database stores. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** Whether a text fits in one line, as names must: it contains no control characters such as NUL, and no halves of characters. @public */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** The beginning of a text: at most `most` characters, none of them cut in half. @public */
export function beginOf(text: string, most: number): string {
  const begin = text.slice(0, most);
  return begin.length < text.length ? begin.replace(/[\uD800-\uDBFF]$/, '') : begin;
}

/** Why this text cannot be stored unchanged on every database, or undefined. @public */
export function textProblem(text: string): Refusal | undefined {
  if (text.includes('\u0000')) return { message: 'must not hold the NUL character' };
  return hasLoneSurrogate(text) ? { message: 'holds half of a character' } : undefined;
}

/**
 * Reads a text, for a column type's `parse`: numbers and booleans become their text; numbers that JSON has rounded, lists and
 * objects are refused.
 * @public
 */
export function parseText(input: unknown): ParseResult<string> {
  if (input === null || input === undefined) return { ok: true, value: null };
  if (typeof input === 'number' && Number.isInteger(input) && !Number.isSafeInteger(input))
    return {
      ok: false,
      message: 'is a number of more digits than a number of JSON keeps; send it as a text',
    };
  if (typeof input === 'number' || typeof input === 'boolean') return { ok: true, value: String(input) };
  if (typeof input !== 'string') return { ok: false, message: 'must be a text' };
  const problem = textProblem(input);
  return problem === undefined ? { ok: true, value: input } : { ok: false, ...problem };
}
