/**
 * What a spreadsheet would run when it opens a CSV file: a text that begins with a sign of formulas, also behind characters that
 * nobody sees (blanks, tabs, line ends, zero-width ones, byte-order marks) and behind apostrophes of our own.
 */
const runs = /^'*(?:[\t\r\n]|[\s\p{Z}\p{C}]*[=+\-@＝＋－＠])/u;

/** A cell of a CSV file: text that a spreadsheet would take for a formula gets a leading apostrophe. @public */
export function guardFormula(text: string): string {
  return runs.test(text) ? `'${text}` : text;
}

/** The text that `guardFormula` made a cell of: `unguardFormula(guardFormula(text))` is `text`, for every text. @public */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && runs.test(cell) ? cell.slice(1) : cell;
}
