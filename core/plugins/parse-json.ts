/** A place in a text; both numbers count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads JSON, with or without a byte order mark.
 *
 * @param name of the file, for the message.
 * @throws Error that names the place of the mistake: `acme/1.0.0/plugin.json:3:5 is no JSON: Unexpected token`.
 */
export function parseJson(marked: string, name: string): unknown {
  const text = withoutByteOrderMark(marked);
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [where = '', offset] = / in JSON at position (\d+).*$/.exec(message) ?? [];
    // Without a position or an excerpt, the text ended too early.
    const { line, column } = placeAt(
      text,
      offset === undefined ? (inExcerpt(message, text) ?? text.length) : Number(offset),
    );
    throw new Error(`${name}:${line}:${column} is no JSON: ${message.replace(where, '')}.`, { cause: error });
  }
}

/** A file's text without the mark that some editors write at its start, which is no JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line and the column of an offset in UTF-16 units. */
export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * The offset of the token that an error names with an excerpt around it, as V8 does: `Unexpected token 'T', ..."system": True }"
 * is not valid JSON`. An excerpt that is cut off at its start begins ten characters before the token.
 */
function inExcerpt(message: string, text: string): number | undefined {
  const [, token, cut, excerpt] =
    /^Unexpected token '([^]+?)', (\.\.\.)?"([^]*)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  if (token === undefined || excerpt === undefined) return undefined;
  return cut === undefined ? text.indexOf(token) : text.indexOf(excerpt) + 10;
}
