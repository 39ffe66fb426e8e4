import { FormulaError, type Span } from './problems.ts';
import { tokenize, type Token } from './tokens.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '&' | '=' | '!=' | '<' | '<=' | '>' | '>=';

/** The syntax tree of a formula, with the position of each part. */
export type FormulaNode =
  | (Span & { readonly kind: 'number'; readonly value: string })
  | (Span & { readonly kind: 'text'; readonly value: string })
  | (Span & { readonly kind: 'constant'; readonly value: boolean | null })
  | (Span & { readonly kind: 'column'; readonly by: 'title' | 'id'; readonly name: string })
  | (Span & { readonly kind: 'negative'; readonly item: FormulaNode })
  | (Span & {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
    })
  | (Span & {
      readonly kind: 'call';
      /** In upper case. */
      readonly name: string;
      /** The position of the name alone. */
      readonly at: Span;
      readonly items: readonly FormulaNode[];
    });

const deepest = 100;
const mostNodes = 2000;

const constants: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['TRUE', true],
  ['FALSE', false],
  ['NULL', null],
]);

/** Operators by precedence, the lowest first. */
const levels: readonly ReadonlyMap<string, BinaryOperator>[] = [
  new Map<string, BinaryOperator>([
    ['=', '='],
    ['==', '='],
    ['!=', '!='],
    ['<>', '!='],
    ['<', '<'],
    ['<=', '<='],
    ['>', '>'],
    ['>=', '>='],
  ]),
  new Map<string, BinaryOperator>([['&', '&']]),
  new Map<string, BinaryOperator>([
    ['+', '+'],
    ['-', '-'],
  ]),
  new Map<string, BinaryOperator>([
    ['*', '*'],
    ['/', '/'],
    ['%', '%'],
  ]),
];

/**
 * Parses a formula in linear time.
 *
 * @throws FormulaError only, with what was expected and where.
 */
export function parseFormula(source: string): FormulaNode {
  return new Parser(tokenize(source)).formula();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;
  /** The depths of the trees so far. */
  readonly #depths = new WeakMap<FormulaNode, number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  formula(): FormulaNode {
    const node = this.#binary(0, 0);
    if (this.#token.kind !== 'end') throw this.#unexpected('End');
    return node;
  }

  get #token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error('Every formula has a token for its end.');
    return token;
  }

  #take(): Token {
    const token = this.#token;
    this.#at += 1;
    return token;
  }

  #isSign(...values: readonly string[]): boolean {
    return this.#token.kind === 'sign' && values.includes(this.#token.value);
  }

  #binary(level: number, depth: number): FormulaNode {
    const operators = levels[level];
    if (operators === undefined) return this.#unary(depth);
    let left = this.#binary(level + 1, depth);
    for (;;) {
      const operator = this.#token.kind === 'sign' ? operators.get(this.#token.value) : undefined;
      if (operator === undefined) return left;
      this.#take();
      const right = this.#binary(level + 1, depth);
      left = this.#made({ kind: 'binary', operator, left, right, start: left.start, end: right.end }, [
        left,
        right,
      ]);
    }
  }

  #unary(depth: number): FormulaNode {
    // Consecutive signs are read in a loop, and each counts as one level.
    const signs: Token[] = [];
    while (this.#isSign('-', '+')) signs.push(this.#take());
    this.#assertDepth(depth + signs.length);
    let node = this.#primary(depth + signs.length);
    for (const sign of signs.toReversed())
      if (sign.value === '-')
        node = this.#made({ kind: 'negative', item: node, start: sign.start, end: node.end }, [node]);
    return node;
  }

  #primary(depth: number): FormulaNode {
    this.#assertDepth(depth);
    if (this.#isSign('(')) {
      const open = this.#take();
      const inner = this.#binary(0, depth + 1);
      const close = this.#expect(')', open);
      return this.#placed(inner, { start: open.start, end: close.end });
    }
    const token = this.#token;
    const { kind, value, start, end } = token;
    switch (kind) {
      case 'number':
      case 'text':
        this.#take();
        return this.#made({ kind, value, start, end });
      case 'column':
      case 'columnId':
        this.#take();
        return this.#made({
          kind: 'column',
          by: kind === 'column' ? 'title' : 'id',
          name: value,
          start,
          end,
        });
      case 'word':
        this.#take();
        return this.#word(token, depth);
      default:
        throw this.#unexpected('Value');
    }
  }

  /** A function, a constant, or a column that is named without braces. */
  #word(token: Token, depth: number): FormulaNode {
    const { value, start, end } = token;
    const name = value.toUpperCase();
    if (this.#isSign('(')) return this.#call(token, name, depth);
    const constant = constants.get(name);
    if (constant !== undefined) return this.#made({ kind: 'constant', value: constant, start, end });
    return this.#made({ kind: 'column', by: 'title', name: value, start, end });
  }

  #call(token: Token, name: string, depth: number): FormulaNode {
    const open = this.#take();
    const items: FormulaNode[] = [];
    if (!this.#isSign(')')) {
      do {
        if (items.length > 0) this.#take();
        items.push(this.#binary(0, depth + 1));
      } while (this.#isSign(',', ';'));
    }
    const close = this.#expect(')', open);
    const at = { start: token.start, end: token.end };
    return this.#made({ kind: 'call', name, at, items, start: token.start, end: close.end }, items);
  }

  #expect(sign: string, open: Token): Token {
    if (this.#isSign(sign)) return this.#take();
    if (this.#token.kind !== 'end') throw this.#unexpected('Comma');
    throw new FormulaError('unclosedBracket', open, { position: open.start });
  }

  #unexpected(expected: 'Value' | 'End' | 'Comma'): FormulaError {
    const token = this.#token;
    if (token.kind === 'end') return new FormulaError(`endsAt${expected}`, token);
    const found = shortened(this.#found(token));
    return new FormulaError(`unexpected${expected}`, token, { found, position: token.start });
  }

  #found({ kind, value }: Token): string {
    if (kind === 'column') return `{${value}}`;
    if (kind === 'columnId') return `{{${value}}}`;
    return value;
  }

  #made(node: FormulaNode, parts: readonly FormulaNode[] = []): FormulaNode {
    this.#nodes += 1;
    if (this.#nodes > mostNodes) throw new FormulaError('tooManyParts', node, { limit: mostNodes });
    const depth = 1 + Math.max(0, ...parts.map((part) => this.#depths.get(part) ?? 0));
    this.#assertDepth(depth);
    this.#depths.set(node, depth);
    return node;
  }

  /** The same tree with the position of the brackets around it. */
  #placed(node: FormulaNode, place: Span): FormulaNode {
    const placed = { ...node, ...place };
    this.#depths.set(placed, this.#depths.get(node) ?? 1);
    return placed;
  }

  #assertDepth(depth: number): void {
    if (depth > deepest)
      throw new FormulaError('tooDeep', this.#token, {
        limit: deepest,
      });
  }
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
