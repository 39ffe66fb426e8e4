const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Formats JSON with one line per item and an indentation of two spaces. Its texts and numbers are not changed. */
export function indentJson(text: string): string {
  const tokens = text.match(token) ?? [];
  let depth = 0;
  let indented = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [index, part] of tokens.entries()) {
    const next = tokens[index + 1];
    if (part === '{' || part === '[') {
      depth += 1;
      indented += part;
      if (next !== '}' && next !== ']') indented += line();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      const before = tokens[index - 1];
      indented += before === '{' || before === '[' ? part : line() + part;
    } else if (part === ',') indented += part + line();
    else indented += part === ':' ? ': ' : part;
  }
  return indented;
}

/** The place where a text stops being valid JSON; undefined for JSON and for an empty text. */
export function jsonProblem(text: string): { readonly line: number; readonly column: number } | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // Chromium and Node report the position, Firefox the line, others nothing: then the end of the text is used.
    const line = /line (\d+) column (\d+)/.exec(message);
    if (line) return { line: Number(line[1]), column: Number(line[2]) };
    const at = /position (\d+)/.exec(message);
    return placeOf(text, at ? Number(at[1]) : firstWrong(text));
  }
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A message that quotes the wrong word has no position, so the first word that is not JSON is searched. */
function firstWrong(text: string): number {
  const plain = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;
  for (const { 0: part, index } of text.matchAll(token))
    if (!/^["{}[\],:]/.test(part) && !plain.test(part)) return index;
  return text.length;
}
