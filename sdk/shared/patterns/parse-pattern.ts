import { character, complement, united, type CharacterSet } from './character-set.ts';

/** A part of a pattern. `most` is undefined for any number. @public */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly least: number;
      readonly most: number | undefined;
    };

/** A parsed pattern. @public */
export interface Pattern {
  readonly root: PatternNode;
  /** Whether it begins with `^`. */
  readonly isAtStart: boolean;
  /** Whether it ends with `$`. */
  readonly isAtEnd: boolean;
}

/** The problem of a pattern; the error's `part` is the part that causes it. @public */
export type PatternProblem =
  'unknown' | 'unclosed' | 'nothingToRepeat' | 'range' | 'anchor' | 'tooLong' | 'empty' | 'ambiguous';

/** Why a pattern cannot be read or used. @public */
export class PatternError extends Error {
  readonly problem: PatternProblem;
  readonly part: string;

  constructor(problem: PatternProblem, part: string) {
    super(`${problem}: ${part}`);
    this.problem = problem;
    this.part = part;
  }
}

const longest = 500;
/** The largest counted repetition. */
const mostCounted = 100;

const range = (from: string, to: string): CharacterSet => [[from.charCodeAt(0), to.charCodeAt(0)]];
const digit = range('0', '9');
const word = united([digit, range('A', 'Z'), range('a', 'z'), range('_', '_')]);
const blank = united([range('\t', '\r'), range(' ', ' ')]);
const lineEnd = range('\n', '\n');
/** The meaning of a backslash with a letter. Letters and digits are those of ASCII, on which all databases agree. */
const escapes: Readonly<Record<string, CharacterSet>> = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: blank,
  S: complement(blank),
  t: range('\t', '\t'),
  n: lineEnd,
  r: range('\r', '\r'),
};

/**
 * Reads a pattern in the subset of regular expressions that all databases understand alike.
 *
 * @throws PatternError
 * @public
 */
export function parsePattern(text: string): Pattern {
  if (text.length > longest) throw new PatternError('tooLong', String(longest));
  const isAtStart = text.startsWith('^');
  const reader = new PatternReader(Array.from(text).slice(isAtStart ? 1 : 0));
  const { root, isAtEnd } = reader.readAll();
  if (isAtStart && root.kind === 'choice') throw new PatternError('anchor', '^');
  return { root, isAtStart, isAtEnd };
}

/** An alternative of sequences. Their common beginning is written once; if one is the beginning of another, the longer one is matched. */
function oneOf(sequences: readonly (readonly PatternNode[])[]): PatternNode {
  const byFirst = new Map<string, (readonly PatternNode[])[]>();
  for (const items of sequences) {
    const key = JSON.stringify(items[0]);
    byFirst.set(key, [...(byFirst.get(key) ?? []), items]);
  }
  const choices = [...byFirst.values()].map((alike): PatternNode => {
    const [items = []] = alike;
    if (alike.length === 1) return { kind: 'sequence', items };
    const rests = alike.map((one) => one.slice(1)).filter((rest) => rest.length > 0);
    const rest = oneOf(rests);
    const isOptional = rests.length > 0 && rests.length < alike.length;
    const behind: PatternNode = isOptional ? { kind: 'repeat', item: rest, least: 0, most: 1 } : rest;
    return { kind: 'sequence', items: [...items.slice(0, 1), ...(rests.length > 0 ? [behind] : [])] };
  });
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? only : { kind: 'choice', items: choices };
}

class PatternReader {
  readonly #letters: readonly string[];
  #at = 0;

  constructor(letters: readonly string[]) {
    this.#letters = letters;
  }

  readAll(): { readonly root: PatternNode; readonly isAtEnd: boolean } {
    const root = this.#choice();
    const isAtEnd = this.#takes('$');
    const rest = this.#peek();
    if (rest === ')') throw new PatternError('unclosed', ')');
    if (rest !== undefined) throw new PatternError('anchor', '$');
    if (isAtEnd && root.kind === 'choice') throw new PatternError('anchor', '$');
    return { root, isAtEnd };
  }

  #peek(ahead = 0): string | undefined {
    return this.#letters[this.#at + ahead];
  }

  #takes(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at += 1;
    return true;
  }

  #choice(): PatternNode {
    const items = [this.#sequence()];
    while (this.#takes('|')) items.push(this.#sequence());
    return oneOf(items);
  }

  #sequence(): readonly PatternNode[] {
    const items: PatternNode[] = [];
    for (;;) {
      const letter = this.#peek();
      if (letter === undefined || letter === '|' || letter === ')' || letter === '$') break;
      items.push(this.#repeated());
    }
    if (items.length === 0) throw new PatternError('empty', this.#peek() ?? '');
    return items;
  }

  #repeated(): PatternNode {
    const item = this.#item();
    const counts = this.#counts();
    if (counts === undefined) return item;
    const next = this.#peek();
    if (next !== undefined && '*+?{'.includes(next)) throw new PatternError('unknown', `…${next}`);
    return { kind: 'repeat', item, ...counts };
  }

  #counts(): { readonly least: number; readonly most: number | undefined } | undefined {
    if (this.#takes('*')) return { least: 0, most: undefined };
    if (this.#takes('+')) return { least: 1, most: undefined };
    if (this.#takes('?')) return { least: 0, most: 1 };
    if (this.#peek() !== '{') return undefined;
    const end = this.#letters.indexOf('}', this.#at);
    if (end < 0) throw new PatternError('unclosed', '{');
    const written = this.#letters.slice(this.#at, end + 1).join('');
    const [, from, comma, to] = /^\{(\d{1,3})(?:(,)(\d{1,3})?)?\}$/.exec(written) ?? [];
    if (from === undefined) throw new PatternError('unknown', written);
    const least = Number(from);
    const most = comma === undefined ? least : to === undefined ? undefined : Number(to);
    if (Math.max(least, most ?? 0) > mostCounted || (most !== undefined && most < Math.max(least, 1)))
      throw new PatternError('range', written);
    this.#at = end + 1;
    return { least, most };
  }

  #item(): PatternNode {
    const letter = this.#letters[this.#at] ?? '';
    if ('*+?{'.includes(letter)) throw new PatternError('nothingToRepeat', letter);
    this.#at += 1;
    switch (letter) {
      case '^':
        throw new PatternError('anchor', '^');
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#set() };
      case '.':
        return { kind: 'set', set: complement(lineEnd) };
      case '\\':
        return { kind: 'set', set: this.#escaped() };
      default:
        return { kind: 'set', set: character(letter.codePointAt(0) ?? 0) };
    }
  }

  #group(): PatternNode {
    if (this.#takes('?') && !this.#takes(':')) throw new PatternError('unknown', `(?${this.#peek() ?? ''}`);
    const inside = this.#choice();
    if (this.#peek() === '$') throw new PatternError('anchor', '$');
    if (!this.#takes(')')) throw new PatternError('unclosed', '(');
    return inside;
  }

  #escaped(): CharacterSet {
    const letter = this.#peek();
    if (letter === undefined) throw new PatternError('unclosed', '\\');
    this.#at += 1;
    const known = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (known !== undefined) return known;
    if (/[\p{L}\p{N}]/u.test(letter)) throw new PatternError('unknown', `\\${letter}`);
    return character(letter.codePointAt(0) ?? 0);
  }

  #set(): CharacterSet {
    const isOther = this.#takes('^');
    const sets: CharacterSet[] = [];
    while (this.#peek() !== ']') {
      if (this.#peek() === undefined) throw new PatternError('unclosed', '[');
      if (this.#peek() === '[') throw new PatternError('unknown', '[[');
      const from = this.#member();
      const isRange = this.#peek() === '-' && this.#peek(1) !== ']' && this.#peek(1) !== undefined;
      if (!isRange) {
        sets.push(from);
        continue;
      }
      this.#at += 1;
      const to = this.#member();
      const [[low, lowEnd] = [0, 1]] = from;
      const [[high, highEnd] = [0, 1]] = to;
      if (from.length > 1 || to.length > 1 || low !== lowEnd || high !== highEnd || low > high)
        throw new PatternError('range', '-');
      sets.push([[low, high]]);
    }
    this.#at += 1;
    if (sets.length === 0) throw new PatternError('empty', '[]');
    return isOther ? complement(united(sets)) : united(sets);
  }

  #member(): CharacterSet {
    const letter = this.#letters[this.#at] ?? '';
    this.#at += 1;
    return letter === '\\' ? this.#escaped() : character(letter.codePointAt(0) ?? 0);
  }
}
