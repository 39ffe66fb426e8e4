/** A part of a Markdown line. Whatever no rule matches is text, including HTML. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike'; readonly items: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly items: readonly Inline[] };

const marks = [
  ['**', 'bold'],
  ['__', 'bold'],
  ['~~', 'strike'],
  ['*', 'italic'],
  ['_', 'italic'],
] as const;

/** Maximum nesting of marks; deeper ones are shown as typed. */
const deepest = 6;

const link = /\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)\)/y;
const address = /https?:\/\/[^\s<>"']{1,2000}/y;
const escaped = /\\[\\`*_~[\](){}#+\-.!|>]/y;

/** A permitted link target: web pages and mail. Undefined for scripts, files and invalid addresses. */
function safeHref(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Parses one line or paragraph in linear time. */
export function readInline(source: string, depth = 0): readonly Inline[] {
  const items: Inline[] = [];
  // If a mark has no end from one place on, it has none from later places either: searching again would take quadratic time.
  const endless = new Set<string>();
  let text = '';
  let at = 0;

  const push = (item: Inline, end: number) => {
    if (text !== '') items.push({ kind: 'text', text });
    text = '';
    items.push(item);
    at = end;
  };
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  const endOf = (mark: string, from: number): number => {
    const end = endless.has(mark) ? -1 : source.indexOf(mark, from);
    if (end < 0) endless.add(mark);
    return end;
  };

  while (at < source.length) {
    const character = source[at] ?? '';
    if (character === '\\') {
      const found = matched(escaped);
      text += found === null ? character : found[0].slice(1);
      at += found === null ? 1 : 2;
      continue;
    }
    if (character === '`') {
      const end = endOf('`', at + 1);
      if (end > at + 1) {
        push({ kind: 'code', text: source.slice(at + 1, end) }, end + 1);
        continue;
      }
    }
    if (character === '[') {
      const [whole, words = '', target = ''] = matched(link) ?? [];
      const href = whole === undefined ? undefined : safeHref(target);
      if (whole !== undefined && href !== undefined) {
        push({ kind: 'link', href, items: readInline(words, depth + 1) }, at + whole.length);
        continue;
      }
    }
    if (character === 'h') {
      const whole = matched(address)?.[0];
      const found = whole && withoutEndOfSentence(whole);
      const href = found === undefined ? undefined : safeHref(found);
      if (found !== undefined && href !== undefined) {
        push({ kind: 'link', href, items: [{ kind: 'text', text: found }] }, at + found.length);
        continue;
      }
      if (found !== undefined) {
        // An invalid address is skipped as a whole: searching for one at each of its characters would take quadratic time.
        text += found;
        at += found.length;
        continue;
      }
    }
    const opened = depth < deepest ? marks.find(([mark]) => source.startsWith(mark, at)) : undefined;
    if (opened !== undefined && opens(source, at, opened[0])) {
      const [mark, kind] = opened;
      const end = endOf(mark, at + mark.length + 1);
      if (end > 0 && !/\s/.test(source[end - 1] ?? ' ')) {
        push({ kind, items: readInline(source.slice(at + mark.length, end), depth + 1) }, end + mark.length);
        continue;
      }
    }
    text += character;
    at += 1;
  }
  if (text !== '') items.push({ kind: 'text', text });
  return items;
}

/** An address without the sentence's punctuation at its end. */
function withoutEndOfSentence(found: string): string {
  let end = found.length;
  while ('.,;:!?)'.includes(found[end - 1] ?? ' ')) end -= 1;
  return found.slice(0, end);
}

/** A mark opens before a character that is not a space; `_` only at the start of a word, because names contain it. */
function opens(source: string, at: number, mark: string): boolean {
  const before = source[at - 1] ?? ' ';
  const after = source[at + mark.length] ?? ' ';
  return !/\s/.test(after) && (!mark.startsWith('_') || !/[\p{L}\p{N}_]/u.test(before));
}

/** Only the words. */
export function textOfInline(items: readonly Inline[]): string {
  return items.map((item) => ('text' in item ? item.text : textOfInline(item.items))).join('');
}
