import { columnByTitle, FormulaError, tokenize, type FormulaProblem, type Token } from '../shared/index.ts';

/** A part of a formula with one style. */
export interface Piece {
  readonly text: string;
  readonly kind: 'plain' | 'function' | 'column' | 'text' | 'number' | 'constant';
  /** Whether it is part of the problem. */
  readonly isWrong: boolean;
}

const constants = new Set(['TRUE', 'FALSE', 'NULL']);

/** The tokens of a possibly incomplete text, up to the first one that cannot be parsed. */
function tokensOf(text: string): readonly Token[] {
  try {
    return tokenize(text);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const { start } = error.problem;
    return start > 0 && start < text.length ? tokensOf(text.slice(0, start)) : [];
  }
}

function kindOf(token: Token, next: Token | undefined): Piece['kind'] {
  switch (token.kind) {
    case 'column':
    case 'columnId':
      return 'column';
    case 'text':
    case 'number':
      return token.kind;
    case 'word':
      if (next?.value === '(') return 'function';
      return constants.has(token.value.toUpperCase()) ? 'constant' : 'column';
    default:
      return 'plain';
  }
}

/** A formula in pieces, with its problem marked. */
export function piecesOf(text: string, problem: FormulaProblem | undefined): readonly Piece[] {
  const tokens = tokensOf(text);
  const pieces: Piece[] = [];
  let from = 0;
  const push = (to: number, kind: Piece['kind']) => {
    for (const [start, end] of split(from, to, problem))
      pieces.push({ text: text.slice(start, end), kind, isWrong: isInside(start, end, problem) });
    from = to;
  };
  for (const [index, token] of tokens.entries()) {
    push(token.start, 'plain');
    push(token.end, kindOf(token, tokens[index + 1]));
  }
  push(text.length, 'plain');
  return pieces;
}

/** The parts of a range before, within and after the problem. */
function split(
  from: number,
  to: number,
  problem: FormulaProblem | undefined,
): readonly (readonly [number, number])[] {
  const inner =
    problem === undefined ? [] : [problem.start, problem.end].filter((at) => at > from && at < to);
  const bounds = [from, ...inner, to];
  return bounds.slice(1).flatMap((end, index) => {
    const start = bounds[index] ?? from;
    return end > start ? [[start, end] as const] : [];
  });
}

function isInside(start: number, end: number, problem: FormulaProblem | undefined): boolean {
  return problem !== undefined && start >= problem.start && end <= problem.end;
}

/** The titles that a formula uses, each once. */
export function columnsIn(text: string, titles: readonly string[]): readonly string[] {
  const columns = titles.map((title) => ({ id: title, title }));
  const named = tokensOf(text)
    .filter((token, at, all) => kindOf(token, all[at + 1]) === 'column')
    .flatMap(({ value }) => columnByTitle(columns, value)?.title ?? []);
  return [...new Set(named)];
}
