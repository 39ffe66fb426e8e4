/** A text and its selection. */
export interface MarkedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A button above the text that changes it. */
export interface TextMark {
  readonly id: string;
  readonly label: string;
  /** The button's face: a sign, or the name of an icon. */
  readonly sign?: string;
  readonly icon?: string;
  /** With Ctrl, or Cmd on a Mac. */
  readonly key?: string;
  apply(this: void, of: MarkedText): MarkedText;
}

/** Adds a mark around the selection, or removes it. */
function around(mark: string) {
  return ({ text, start, end }: MarkedText): MarkedText => {
    const [before, inside, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
    if (before.endsWith(mark) && after.startsWith(mark)) {
      const size = mark.length;
      return {
        text: before.slice(0, -size) + inside + after.slice(size),
        start: start - size,
        end: end - size,
      };
    }
    return {
      text: before + mark + inside + mark + after,
      start: start + mark.length,
      end: end + mark.length,
    };
  };
}

/** Adds a sign before each selected line, or removes it if all lines have it. */
function before(sign: (index: number) => string, pattern: RegExp) {
  return ({ text, start, end }: MarkedText): MarkedText => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const next = text.indexOf('\n', end);
    const to = next < 0 ? text.length : next;
    const lines = text.slice(from, to).split('\n');
    const isMarked = lines.every((line) => pattern.test(line));
    const changed = lines
      .map((line, index) => (isMarked ? line.replace(pattern, '') : sign(index) + line))
      .join('\n');
    return { text: text.slice(0, from) + changed + text.slice(to), start: from, end: from + changed.length };
  };
}

function linked({ text, start, end }: MarkedText): MarkedText {
  const words = text.slice(start, end) || 'link';
  const made = `[${words}](https://)`;
  const at = start + made.length - 1;
  return { text: text.slice(0, start) + made + text.slice(end), start: at, end: at };
}

export const textMarks: readonly TextMark[] = [
  { id: 'bold', label: 'Bold', sign: 'B', key: 'b', apply: around('**') },
  { id: 'italic', label: 'Italic', sign: 'I', key: 'i', apply: around('*') },
  { id: 'strike', label: 'Crossed out', sign: 'S', apply: around('~~') },
  { id: 'code', label: 'Code', sign: '‹›', apply: around('`') },
  { id: 'link', label: 'Link', icon: 'link', key: 'k', apply: linked },
  { id: 'heading', label: 'Heading', sign: 'H', apply: before(() => '## ', /^#{1,3} /) },
  { id: 'list', label: 'List', sign: '•', apply: before(() => '- ', /^- (?!\[)/) },
  {
    id: 'numbers',
    label: 'Numbered list',
    sign: '1.',
    apply: before((index) => `${index + 1}. `, /^\d+\. /),
  },
  { id: 'task', label: 'Task', sign: '☑', apply: before(() => '- [ ] ', /^- \[[ xX]\] /) },
  { id: 'quote', label: 'Quote', sign: '❝', apply: before(() => '> ', /^> /) },
];
