import { isComparison } from './compare.ts';
import { parseFormula, type FormulaNode } from './parse.ts';
import { quotedText } from './print.ts';
import { longestFormula } from './tokens.ts';

/** The change of a text that names a value of a column: its new text, undefined if the value was deleted. */
export interface RenamedText {
  readonly to: string | undefined;
  /** Whether it equals the value exactly. */
  readonly isExact: boolean;
}

/** Renamed values, and the columns that hold them. */
export interface RenamedValues {
  readonly columnIds: ReadonlySet<string>;
  /** Undefined for a text that is none of the values. */
  fateOf(this: void, text: string): RenamedText | undefined;
}

/** A formula after values that it names were renamed. */
export interface RenamedFormula {
  /** The formula that compares with the new values; undefined if it compares with no renamed one. */
  readonly formula: string | undefined;
  /** Whether it still contains a former value: a deleted one, or one that is not compared with a column. */
  readonly remains: boolean;
}

type TextNode = Extract<FormulaNode, { kind: 'text' }>;

/**
 * Updates renamed values in a stored formula. Only a text that is compared with a column is certainly a value; any other one may be
 * what its author wants to display. Everything else stays as typed.
 *
 * @throws FormulaError if the formula cannot be parsed
 */
export function renamedFormula(source: string, { columnIds, fateOf }: RenamedValues): RenamedFormula {
  const tree = parseFormula(source);
  const asked = new Set(comparedTexts(tree, columnIds));
  const edits: { readonly at: TextNode; readonly text: string }[] = [];
  let remains = false;
  for (const at of textsOf(tree)) {
    const fate = fateOf(at.value);
    if (fate === undefined) continue;
    const follows = asked.has(at) && fate.isExact && fate.to !== undefined;
    if (follows) edits.push({ at, text: quotedText(fate.to, quoteOf(source, at)) });
    else remains = true;
  }
  const formula = edited(source, edits);
  if (edits.length === 0) return { formula: undefined, remains };
  return formula.length > longestFormula ? { formula: undefined, remains: true } : { formula, remains };
}

function quoteOf(source: string, { start }: TextNode): '"' | "'" {
  return source[start] === "'" ? "'" : '"';
}

function edited(source: string, edits: readonly { readonly at: TextNode; readonly text: string }[]): string {
  let made = '';
  let from = 0;
  for (const { at, text } of edits.toSorted((a, b) => a.at.start - b.at.start)) {
    made += source.slice(from, at.start) + text;
    from = at.end;
  }
  return made + source.slice(from);
}

function partsOf(node: FormulaNode): readonly FormulaNode[] {
  switch (node.kind) {
    case 'negative':
      return [node.item];
    case 'binary':
      return [node.left, node.right];
    case 'call':
      return node.items;
    default:
      return [];
  }
}

function textsOf(node: FormulaNode): readonly TextNode[] {
  return node.kind === 'text' ? [node] : partsOf(node).flatMap(textsOf);
}

/** The texts that one of the columns is compared with, by an operator or as a case of `SWITCH`. */
function comparedTexts(node: FormulaNode, columnIds: ReadonlySet<string>): readonly TextNode[] {
  const isColumn = (of: FormulaNode | undefined) =>
    of?.kind === 'column' && of.by === 'id' && columnIds.has(of.name);
  const found = partsOf(node).flatMap((part) => comparedTexts(part, columnIds));
  const sides = comparedIn(node);
  if (!sides.some(isColumn)) return found;
  return [...found, ...sides.filter((side) => side.kind === 'text')];
}

/** The compared parts of a node: two sides, or the value and the cases of a `SWITCH`. */
function comparedIn(node: FormulaNode): readonly FormulaNode[] {
  if (node.kind === 'binary' && isComparison(node.operator)) return [node.left, node.right];
  if (node.kind !== 'call' || node.name !== 'SWITCH') return [];
  const isCase = (index: number) => index % 2 === 1 && index + 1 < node.items.length;
  return node.items.filter((_, index) => index === 0 || isCase(index));
}
