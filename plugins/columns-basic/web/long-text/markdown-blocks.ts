import { readInline, textOfInline, type Inline } from './markdown-inline.ts';

/** A list item; `done` is set if it is a task. */
export interface ListItem {
  readonly done?: boolean;
  readonly items: readonly Inline[];
}

/** A block of a Markdown text. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly items: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly ListItem[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

const heading = /^(#{1,3})\s+(.*)$/;
const bullet = /^\s{0,8}[-*+]\s+(?:\[([ xX])\]\s+)?(.*)$/;
const numbered = /^\s{0,8}\d{1,9}[.)]\s+(.*)$/;
const quote = /^>\s?(.*)$/;
const rule = /^(?:-{3,}|\*{3,}|_{3,})\s*$/;
const fence = /^```/;

/** All characters at which a pattern's dot stops: within a line it then matches to the end, so no pattern backtracks. */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/;

type Kind = 'heading' | 'bullet' | 'numbered' | 'quote' | 'rule' | 'fence' | 'blank' | 'text';

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank';
  if (fence.test(line)) return 'fence';
  if (rule.test(line)) return 'rule';
  if (heading.test(line)) return 'heading';
  if (quote.test(line)) return 'quote';
  if (bullet.test(line)) return 'bullet';
  return numbered.test(line) ? 'numbered' : 'text';
}

/** Parses a Markdown text: headings, lists, tasks, quotes, code, rules and paragraphs. */
export function readBlocks(source: string): readonly Block[] {
  const lines = source.split(lineEnd);
  const blocks: Block[] = [];
  let at = 0;
  /** The consecutive lines of one kind from here on. */
  const run = (kind: Kind): readonly string[] => {
    const from = at;
    while (at < lines.length && kindOf(lines[at] ?? '') === kind) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const kind = kindOf(line);
    switch (kind) {
      case 'blank':
        at += 1;
        break;
      case 'rule':
        blocks.push({ kind: 'rule' });
        at += 1;
        break;
      case 'heading': {
        const [, signs = '#', words = ''] = heading.exec(line) ?? [];
        blocks.push({ kind: 'heading', level: signs.length as 1 | 2 | 3, items: readInline(words) });
        at += 1;
        break;
      }
      case 'fence': {
        let last = at + 1;
        while (last < lines.length && !fence.test(lines[last] ?? '')) last += 1;
        blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n') });
        at = last + 1;
        break;
      }
      case 'bullet':
      case 'numbered':
        blocks.push({ kind: 'list', isNumbered: kind === 'numbered', items: run(kind).map(listItem) });
        break;
      case 'quote':
        blocks.push({ kind, lines: run(kind).map((of) => readInline(quote.exec(of)?.[1] ?? '')) });
        break;
      case 'text':
        blocks.push({ kind: 'paragraph', lines: run(kind).map((of) => readInline(of)) });
        break;
    }
  }
  return blocks;
}

function listItem(line: string): ListItem {
  const [, box, words] = bullet.exec(line) ?? [];
  const items = readInline(words ?? numbered.exec(line)?.[1] ?? line);
  return box === undefined ? { items } : { done: box !== ' ', items };
}

/** The number of characters that a cell reads for its line. */
const lineLength = 500;

/** A Markdown text on one line without its marks, for a cell. */
export function lineOf(source: string): string {
  const words = readBlocks(source.slice(0, lineLength)).map((block) => {
    switch (block.kind) {
      case 'heading':
        return textOfInline(block.items);
      case 'code':
        return block.text;
      case 'list':
        return block.items.map((item) => `• ${textOfInline(item.items)}`).join(' ');
      case 'rule':
        return '—';
      default:
        return block.lines.map(textOfInline).join(' ');
    }
  });
  return words.join(' ');
}
