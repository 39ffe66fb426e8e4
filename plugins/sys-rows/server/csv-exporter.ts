import { stringify } from 'csv-stringify';
import {
  exportedColumn,
  type Exporter,
  type ExportOptions,
  type RowStream,
  type ServerColumnType,
} from '@trellis/sdk/server';
import { guardFormula, type CellValue } from '@trellis/sdk/shared';

/** Computed decimals are texts, of types without a storage kind. A minus before digits alone cannot run a formula. */
const computedNumber = /^-\d+(?:\.\d+)?$/;

/** A real number may begin with a sign. */
function isNumber(value: CellValue, text: string, type: ServerColumnType | undefined): boolean {
  if (typeof value === 'number') return true;
  if (type === undefined) return false;
  return type.storage === 'virtual'
    ? computedNumber.test(text)
    : isNumeric(type) && /^[+-]?[\d.]+$/.test(text);
}

function isNumeric(type: ServerColumnType): boolean {
  return ['integer', 'bigint', 'decimal', 'float'].includes(type.storage);
}

/** Writes rows as CSV, the one format that is always available. */
export const csvExporter: Exporter = {
  id: 'csv',
  label: 'CSV',
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  write: csvLines,
};

/** The CSV of rows, batch by batch, so that memory does not grow with the table. */
async function* csvLines(
  { columns, batches }: RowStream,
  { types, raw }: ExportOptions,
): AsyncIterable<string> {
  const cells = columns.map((column) => {
    const { title, type, text: textOf } = exportedColumn(column, types);
    return {
      title,
      text: (value: CellValue) => {
        const text = textOf(value);
        return raw || isNumber(value, text, type) ? text : guardFormula(text);
      },
    };
  });
  const titles = columns.map((column) => column.title);
  // With a byte-order mark, spreadsheets read the file as UTF-8.
  yield `\uFEFF${await lines([raw ? titles : titles.map(guardFormula)])}`;
  for await (const rows of batches) {
    yield await lines(rows.map((row) => cells.map((cell) => cell.text(row[cell.title] ?? null))));
  }
}

function lines(rows: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // With a delimiter of two characters the library quotes neither of them alone, and readers treat each as the end of a row.
    const options = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ };
    stringify(rows as string[][], options, (error, output) => {
      if (error) reject(error);
      else resolve(output);
    });
  });
}
