import { queryErrors } from './query-errors.ts';

/** How a term is joined to the terms before it. `not` is AND NOT. */
export type WhereJoiner = 'and' | 'or' | 'not' | 'ornot';

export type WhereNode =
  | { readonly kind: 'group'; readonly terms: readonly WhereTerm[] }
  | {
      readonly kind: 'condition';
      readonly column: string;
      readonly operator: string;
      readonly value: string | undefined;
    };

export interface WhereTerm {
  readonly joiner: WhereJoiner;
  readonly node: WhereNode;
}

const longest = 50_000;
const mostConditions = 500;
const deepest = 12;

const joiners: ReadonlyMap<string, WhereJoiner> = new Map([
  ['~and', 'and'],
  ['~or', 'or'],
  ['~not', 'not'],
  ['~andnot', 'not'],
  ['~ornot', 'ornot'],
]);

/**
 * Reads the text grammar of `where` in the v1 API: `(Title,eq,x)~or((Pop,gt,5)~and~not(Title,like,a))`.
 *
 * A value ends at the closing bracket of its term and may contain commas. A quoted part of a list of values may also contain
 * brackets, as in `(Kind,anyof,"A (b)",c)`. A text that is not understood is a 400, and is never taken to mean "all rows".
 *
 * @param isList whether a comparison's values are read by `readTextList`
 */
export function parseWhere(text: string, isList: IsList): WhereNode {
  return new WhereParser(text, isList).parse();
}

/** Whether a comparison takes a list of values. */
type IsList = (operator: string) => boolean;

/** A quoted part of a list, up to the comma or bracket that ends it. */
const quotedPart = /\s*"(?:[^"]|"")*"\s*(?=[,)])/y;
const endOfPart = /[,)]/g;

class WhereParser {
  readonly #text: string;
  #at = 0;
  #conditions = 0;

  readonly #isList: IsList;

  constructor(text: string, isList: IsList) {
    this.#text = text;
    this.#isList = isList;
  }

  parse(): WhereNode {
    if (this.#text.length > longest) throw queryErrors.create('WHERE_TOO_LARGE', { limit: mostConditions });
    const node = this.#expression(1);
    if (this.#at < this.#text.length) throw this.#problem('something follows the last bracket');
    return node;
  }

  #problem(problem: string): Error {
    return queryErrors.create('WHERE_SYNTAX', { position: this.#at + 1, problem });
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  /** One or two joiners: `~and~not` is AND NOT, `~or~not` OR NOT. */
  #joiner(): WhereJoiner | undefined {
    let joiner: WhereJoiner | undefined;
    for (;;) {
      this.#skipBlanks();
      const word = /^~[a-zA-Z]+/.exec(this.#text.slice(this.#at, this.#at + 12))?.[0];
      if (word === undefined) return joiner;
      const next = joiners.get(word.toLowerCase());
      if (next === undefined) throw this.#problem(`'${word}' joins nothing; use ~and, ~or or ~not`);
      if (joiner !== undefined && next !== 'not') throw this.#problem('two joiners follow each other');
      joiner = joiner === 'or' ? 'ornot' : joiner === undefined ? next : 'not';
      this.#at += word.length;
    }
  }

  #expression(depth: number): WhereNode {
    if (depth > deepest) throw queryErrors.create('WHERE_TOO_LARGE', { limit: mostConditions });
    const terms: WhereTerm[] = [];
    for (;;) {
      const joiner = this.#joiner();
      if (terms.length === 0 && (joiner === 'or' || joiner === 'ornot'))
        throw this.#problem('nothing stands before ~or');
      if (terms.length > 0 && joiner === undefined) break;
      terms.push({ joiner: joiner ?? 'and', node: this.#term(depth) });
      this.#skipBlanks();
      if (this.#text[this.#at] !== '~') break;
    }
    return { kind: 'group', terms };
  }

  #term(depth: number): WhereNode {
    this.#skipBlanks();
    if (this.#text[this.#at] !== '(') throw this.#problem("a '(' is expected");
    const inner = /^\(\s*[(~]/.test(this.#text.slice(this.#at, this.#at + 20));
    this.#at += 1;
    const node = inner ? this.#expression(depth + 1) : this.#condition();
    this.#skipBlanks();
    if (this.#text[this.#at] !== ')') throw this.#problem("a ')' is missing");
    this.#at += 1;
    return node;
  }

  #condition(): WhereNode {
    this.#conditions += 1;
    if (this.#conditions > mostConditions)
      throw queryErrors.create('WHERE_TOO_LARGE', { limit: mostConditions });
    const end = this.#text.indexOf(')', this.#at);
    if (end === -1) throw this.#problem("a ')' is missing");
    const inside = this.#text.slice(this.#at, end);
    const first = inside.indexOf(',');
    if (first === -1) throw this.#problem('a condition is (column,comparison,value)');
    const second = inside.indexOf(',', first + 1);
    const operator = inside.slice(first + 1, second === -1 ? undefined : second).trim();
    const column = inside.slice(0, first);
    if (column.trim() === '' || operator === '')
      throw this.#problem('a condition is (column,comparison,value)');
    const from = this.#at + second + 1;
    this.#at = second !== -1 && this.#isList(operator) ? this.#endOfList(from) : end;
    return {
      kind: 'condition',
      column,
      operator,
      value: second === -1 ? undefined : this.#text.slice(from, this.#at),
    };
  }

  #endOfList(from: number): number {
    for (let at = from; ; at += 1) {
      quotedPart.lastIndex = at;
      if (quotedPart.test(this.#text)) at = quotedPart.lastIndex;
      endOfPart.lastIndex = at;
      const end = endOfPart.exec(this.#text);
      if (end === null) throw this.#problem("a ')' is missing");
      at = end.index;
      if (end[0] === ')') return at;
    }
  }
}
