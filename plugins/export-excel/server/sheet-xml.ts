import { styles, type Cell } from './cell.ts';

/** The most rows of a sheet, including the titles. */
export const mostRows = 1_048_576;
/** The most characters of a cell; programs refuse the whole file otherwise. */
const mostCharacters = 32_767;

const widest = 60;
const narrowest = 9;

const head =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">';
const firstRowStays =
  '<sheetViews><sheetView workbookViewId="0">' +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '</sheetView></sheetViews>';

/** A sheet, chunk by chunk: its titles, then its rows. */
export async function* sheetXml(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly (Cell | undefined)[])[]>,
): AsyncGenerator<string> {
  const letters = titles.map((_, at) => lettersOf(at));
  const header = titles.map((text): Cell => ({ kind: 'text', text, style: styles.header }));
  let line = 1;
  const rowXml = (cells: readonly (Cell | undefined)[]): string => {
    const at = line++;
    return `<row r="${at}">${cells.map((cell, column) => (cell ? cellXml(cell, `${letters[column]}${at}`) : '')).join('')}</row>`;
  };
  let isBegun = false;
  for await (const rows of batches) {
    if (!isBegun) yield begun(titles, rows) + rowXml(header);
    isBegun = true;
    yield rows.map(rowXml).join('');
  }
  if (!isBegun) yield begun(titles, []) + rowXml(header);
  yield '</sheetData></worksheet>';
}

/** Columns are as wide as the content of their first cells. */
function begun(titles: readonly string[], rows: readonly (readonly (Cell | undefined)[])[]): string {
  const columns = titles.map((title, at) => {
    const lengths = rows.slice(0, 100).map((row) => lengthOf(row[at]));
    const width = Math.min(
      widest,
      Math.max(narrowest, title.length + 2, ...lengths.map((length) => length + 1)),
    );
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const widths = columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
  return `${head}${firstRowStays}${widths}<sheetData>`;
}

function lengthOf(cell: Cell | undefined): number {
  if (cell?.kind === 'text') return cell.text.length;
  if (cell?.kind !== 'number') return 0;
  return cell.style === styles.datetime ? 19 : Math.min(cell.number.length, 11);
}

function cellXml(cell: Cell, place: string): string {
  if (cell.kind === 'boolean') return `<c r="${place}" t="b"><v>${cell.isTrue ? 1 : 0}</v></c>`;
  const style = cell.style === styles.plain ? '' : ` s="${cell.style}"`;
  if (cell.kind === 'number') return `<c r="${place}"${style}><v>${cell.number}</v></c>`;
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeText(shortened(cell.text))}</t></is></c>`;
}

/** Truncates with an ellipsis, never within a surrogate pair. */
function shortened(text: string): string {
  if (text.length <= mostCharacters) return text;
  const end = mostCharacters - 1;
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}…`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML cannot hold are written as `_x0007_`, so a text that looks like that is escaped as well. */
export function escapeText(text: string): string {
  return text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (sign) => named[sign] ?? sign)
    .replace(
      /[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}

/** `A` to `Z`, then `AA`. */
export function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : lettersOf(Math.floor(column / 26) - 1) + letter;
}
