import type { FormulaNode } from './parse.ts';

/** The text of a tree: `parseFormula` creates the same tree from it. */
export function printFormula(node: FormulaNode): string {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'text':
      return quotedText(node.value);
    case 'constant':
      return String(node.value).toUpperCase();
    case 'column':
      return node.by === 'id' ? `{{${node.name}}}` : columnText(node.name);
    case 'negative':
      return `-${bracketed(node.item)}`;
    case 'binary':
      return `${bracketed(node.left)} ${node.operator} ${bracketed(node.right)}`;
    case 'call':
      return `${node.name}(${node.items.map(printFormula).join(', ')})`;
  }
}

function bracketed(node: FormulaNode): string {
  return node.kind === 'binary' ? `(${printFormula(node)})` : printFormula(node);
}

/** A text as a quoted literal. */
export function quotedText(text: string, quote: '"' | "'" = '"'): string {
  const signs = quote === '"' ? /[\\"]/g : /[\\']/g;
  const escaped = text.replace(signs, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${quote}${escaped}${quote}`;
}

/** A column of this title as formulas write it. */
export function columnText(title: string): string {
  return `{${title.replace(/[{}\\]/g, '\\$&')}}`;
}
