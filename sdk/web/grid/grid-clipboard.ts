import type { CellValue } from '../../shared/index.ts';
import type { CellSource } from '../rows/index.ts';

/** A block of cell texts, row by row. */
export type TextBlock = readonly (readonly string[])[];

/** The value of a copied cell, for cells with values of the same meaning. */
export interface CopiedValue {
  readonly meaning: string;
  readonly value: CellValue;
  readonly from: CellSource;
}

/** A copied block: the text of each cell, and the value if the text is incomplete. */
export interface CopiedBlock {
  readonly texts: TextBlock;
  /** In the shape of `texts`; null if the text is sufficient. */
  readonly values?: readonly (readonly (CopiedValue | null)[])[] | undefined;
}

/** Browsers pass it only to pages of the same origin. */
const valuesFormat = 'application/x-trellis-cells';

/**
 * Writes a block like spreadsheets: tabs between cells, a line per row, quotes around a cell that contains either. With more than
 * one row, each ends with a line break, so that a last empty row is not lost.
 */
export function toTabbedText(block: TextBlock): string {
  const lines = block.map((cells) => cells.map(quoteCell).join('\t'));
  return lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => `${line}\n`).join('');
}

function quoteCell(text: string): string {
  return /[\t\n\r]/.test(text) || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Parses the output of `toTabbedText`, Excel, Google Sheets or LibreOffice. Text without tabs or lines is one cell. */
export function fromTabbedText(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (;;) {
    const cell = readCell(text, at);
    row.push(cell.text);
    at = cell.end;
    if (text[at] === '\t') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    if (at >= text.length) return rows;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    // The line break after the last row starts no other.
    if (at >= text.length) return rows;
  }
}

function readCell(text: string, start: number): { text: string; end: number } {
  if (text[start] === '"') {
    const quoted = readQuoted(text, start);
    if (quoted !== undefined) return quoted;
  }
  let end = start;
  while (end < text.length && text[end] !== '\t' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(start, end), end };
}

/** A cell in quotes; undefined if the closing quote does not end the cell, so that the quotes are plain text. */
function readQuoted(text: string, start: number): { text: string; end: number } | undefined {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    const next = text[quote + 1];
    if (next === '"') {
      at = quote + 2;
      continue;
    }
    if (next !== undefined && next !== '\t' && next !== '\n' && next !== '\r') return undefined;
    return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
}

/** Writes a block as an HTML table, which spreadsheets and mail prefer over text. */
export function toHtmlTable(block: TextBlock): string {
  const rows = block.map(
    (cells) => `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<meta charset="utf-8"><table>${rows.join('')}</table>`;
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
};

function escapeHtml(text: string): string {
  // A leading, trailing or repeated space would be dropped by readers of the HTML.
  return text
    .replace(/[&<>"\n]/g, (character) => htmlEscapes[character] ?? character)
    .replace(/^ | $| (?= )/g, '&nbsp;');
}

/** Parses the only table in a piece of HTML; undefined if there is none, or more than one. */
export function fromHtmlTable(html: string): string[][] | undefined {
  if (!/<table/i.test(html)) return undefined;
  // A parsed document is inert: no script runs and nothing is loaded.
  const tables = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('table');
  const table = tables[0];
  if (table === undefined || tables.length !== 1) return undefined;
  const rows = [...table.rows].map((row) => [...row.cells].flatMap(spreadCell));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return undefined;
  return rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
}

function spreadCell(cell: HTMLTableCellElement): string[] {
  const text = textOfNode(cell)
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/ ?\uE000 ?/g, '\n')
    .replaceAll('\u00A0', ' ');
  const kept = text.replace(/^ | $/g, (space) => (/^\s*$/.test(cell.textContent ?? '') ? '' : space));
  return [kept, ...Array<string>(Math.max(0, Math.min(cell.colSpan, 100) - 1)).fill('')];
}

/** The text of a node, with a private-use character for each line break. */
function textOfNode(node: Node): string {
  if (node.nodeName === 'BR') return '\uE000';
  if (node.childNodes.length === 0) return node.textContent ?? '';
  return [...node.childNodes].map(textOfNode).join('');
}

/**
 * The pasted block. The tabbed text is used, since HTML changes spaces, unless its shape differs from the HTML table: then the text
 * was written without quotes.
 */
export function readClipboard(data: Pick<DataTransfer, 'getData'>): CopiedBlock {
  const plain = data.getData('text/plain');
  const block = fromTabbedText(plain);
  const html = data.getData('text/html');
  // Not even an empty cell was copied.
  if (plain === '' && html === '') return { texts: [] };
  const table = fromHtmlTable(html);
  if (table === undefined) return { texts: block };
  const width = Math.max(...block.map((row) => row.length));
  const sameShape = table.length === block.length && table[0]?.length === width;
  const texts = sameShape && plain !== '' ? block : table;
  return { texts, values: readValues(data.getData(valuesFormat), texts) };
}

/** The values that `writeClipboard` wrote with these texts. */
function readValues(json: string, texts: TextBlock): CopiedBlock['values'] {
  if (json === '') return undefined;
  try {
    const read = JSON.parse(json) as { readonly texts?: unknown; readonly values?: CopiedBlock['values'] };
    return JSON.stringify(read.texts) === JSON.stringify(texts) ? read.values : undefined;
  } catch {
    // Another program wrote it, so there are only the texts.
    return undefined;
  }
}

export function writeClipboard(
  data: Pick<DataTransfer, 'setData'>,
  { texts, values = [] }: CopiedBlock,
): void {
  data.setData('text/plain', toTabbedText(texts));
  data.setData('text/html', toHtmlTable(texts));
  if (values.some((row) => row.some((value) => value !== null)))
    data.setData(valuesFormat, JSON.stringify({ texts, values }));
}
