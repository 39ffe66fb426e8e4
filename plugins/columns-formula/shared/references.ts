import { columnText } from './print.ts';
import { FormulaError } from './problems.ts';
import { longestFormula, tokenize, type Token } from './tokens.ts';

/** A column that formulas can name. */
export interface NamedColumn {
  readonly id: string;
  readonly title: string;
}

/** The column of a title: an exact match, else a case-insensitive one, which is unique. */
export function columnByTitle<Column extends NamedColumn>(
  columns: readonly Column[],
  title: string,
): Column | undefined {
  const wanted = title.trim();
  return (
    columns.find((column) => column.title === wanted) ??
    columns.find((column) => column.title.toLowerCase() === wanted.toLowerCase())
  );
}

/** The formula with those parts replaced for which `replace` returns a text; everything else stays as typed. */
function rewritten(
  source: string,
  replace: (token: Token, next: Token | undefined) => string | undefined,
): string {
  const tokens = tokenize(source);
  let made = '';
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    const text = replace(token, tokens[index + 1]);
    if (text === undefined) continue;
    made += source.slice(from, token.start) + text;
    from = token.end;
  }
  return made + source.slice(from);
}

const constants = new Set(['TRUE', 'FALSE', 'NULL']);

function isBareColumn(token: Token, next: Token | undefined): boolean {
  const isCall = next?.kind === 'sign' && next.value === '(';
  return token.kind === 'word' && !isCall && !constants.has(token.value.toUpperCase());
}

/** The stored form of a formula: `{{cl_a}}` in place of `{Title}`, so that renaming changes nothing. */
export function withIds(source: string, columns: readonly NamedColumn[]): string {
  return rewritten(source, (token, next) => {
    const isNamed = token.kind === 'column' || isBareColumn(token, next);
    const column = isNamed ? columnByTitle(columns, token.value) : undefined;
    return column && `{{${column.id}}}`;
  });
}

/** @throws FormulaError for a formula that becomes too long with ids in place of titles: it could not be parsed again. */
export function assertStorable(source: string, stored: string): void {
  if (stored.length > longestFormula)
    throw new FormulaError(
      'tooLongWithIds',
      { start: 0, end: source.length },
      { given: stored.length, limit: longestFormula },
    );
}

/** The displayed form of a formula. `titleOf` returns the title of a column; undefined if unknown. */
export function withTitles(source: string, titleOf: (id: string) => string | undefined): string {
  return rewritten(source, (token) =>
    token.kind === 'columnId' ? columnText(titleOf(token.value) ?? token.value) : undefined,
  );
}

/** The ids of the columns that a stored formula names. */
export function columnIdsOf(source: string): readonly string[] {
  return tokenize(source).flatMap((token) => (token.kind === 'columnId' ? [token.value] : []));
}
