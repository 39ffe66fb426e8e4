import { complement, type CharacterSet, type Pattern, type PatternNode } from '@trellis/sdk/shared';

const letter = (code: number): string => {
  const text = String.fromCodePoint(code);
  return '\\^$.*+?()[]{}|/'.includes(text) ? `\\${text}` : text;
};
const member = (code: number): string => {
  const text = String.fromCodePoint(code);
  return '\\^[]-'.includes(text) ? `\\${text}` : text;
};

/** Code points below it do not occur in texts of databases. */
const firstCode = 1;

/** Any character. */
const any = '(?:[^a]|a)';

function printSet(set: CharacterSet): string {
  const [[from, to] = [0, 0]] = set;
  if (set.length === 1 && from === to) return letter(from);
  // The shorter of the set and its complement; it contains neither the first nor the last code point.
  const isOther = from === 0;
  if (isOther && complement(set).length === 0) return any;
  const ranges = (isOther ? complement(set) : set).map(
    ([low, high]) => [Math.max(low, firstCode), high] as const,
  );
  const members = ranges.map(([low, high]) => {
    if (low === high) return member(low);
    return `${member(low)}${high > low + 1 ? '-' : ''}${member(high)}`;
  });
  return `[${isOther ? '^' : ''}${members.join('')}]`;
}

function printCounts(least: number, most: number | undefined): string {
  if (most === undefined) return ['*', '+'][least] ?? `{${least},}`;
  if (least === 0 && most === 1) return '?';
  return least === most ? `{${least}}` : `{${least},${most}}`;
}

function printNode(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      return printSet(node.set);
    case 'sequence':
      return node.items.map((item) => (item.kind === 'choice' ? grouped(item) : printNode(item))).join('');
    case 'choice':
      return node.items.map(printNode).join('|');
    case 'repeat': {
      const item = node.item.kind === 'set' ? printNode(node.item) : grouped(node.item);
      return item + printCounts(node.least, node.most);
    }
  }
}

const grouped = (node: PatternNode): string => `(?:${printNode(node)})`;

/** The end of the text. In some languages `$` also matches before a final line break. */
const end = `(?!${any})`;

/** The pattern in syntax with the same meaning for every database, and for JavaScript with the flag `u`. */
export function printPattern({ root, isAtStart, isAtEnd }: Pattern): string {
  return `${isAtStart ? '^' : ''}${printNode(root)}${isAtEnd ? end : ''}`;
}
