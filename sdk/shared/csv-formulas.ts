/**
 * Texts that a spreadsheet would run as a formula when it opens a CSV file: those that begin with a formula sign, also after
 * invisible characters (blanks, tabs, line ends, zero-width characters, byte-order marks) and after apostrophes added by this
 * product.
 */
const runs = /^'*(?:[\t\r\n]|[\s\p{Z}\p{C}]*[=+\-@＝＋－＠])/u;

/** A cell of a CSV file: a text that a spreadsheet would take for a formula gets a leading apostrophe. @public */
export function guardFormula(text: string): string {
  return runs.test(text) ? `'${text}` : text;
}

/** Restores the text of a cell written by `guardFormula`: `unguardFormula(guardFormula(text))` is `text`, for every text. @public */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && runs.test(cell) ? cell.slice(1) : cell;
}
