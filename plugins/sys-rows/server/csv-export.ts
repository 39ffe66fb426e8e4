import { stringify } from 'csv-stringify';
import type { RowStream, ServerColumnType, TableHandle } from '@trellis/sdk/server';
import type { CellValue, ColumnContext, RegistryView } from '@trellis/sdk/shared';

const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** The titles of what an export holds, in order: those asked for, else the view's visible columns, else all that are not system. */
export function exportFields(
  { scope, table, view }: TableHandle,
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked !== undefined) return asked;
  const readable = scope.readableColumns(table.id);
  const columns =
    view === undefined
      ? table.columns.filter((column) => !column.system || column.primaryKey)
      : view.columns
          .filter((of) => of.show)
          .toSorted((a, b) => a.order - b.order)
          .flatMap((of) => table.columnById.get(of.columnId) ?? []);
  return columns
    .filter((column) => readable === 'all' || readable.has(column.id))
    .map((column) => column.title);
}

/** One cell as text: by its type, else as it is stored. */
function cellText(value: CellValue, type: ServerColumnType | undefined, context: ColumnContext): string {
  if (value === null || value === undefined) return '';
  if (type) return type.format(value, context);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function guarded(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** A real number may begin with a sign. */
function isNumber(value: CellValue, text: string, type: ServerColumnType | undefined): boolean {
  return typeof value === 'number' || (type !== undefined && isNumeric(type) && /^[+-]?[\d.]+$/.test(text));
}

function isNumeric(type: ServerColumnType): boolean {
  return ['integer', 'bigint', 'decimal', 'float'].includes(type.storage);
}

/** `raw` writes what looks like a formula as it is, for machines that read the file. */
export type Formulas = 'guarded' | 'raw';

/** The CSV of rows, batch by batch, so that memory does not grow with the table. */
export async function* csvLines(
  { columns, batches }: RowStream,
  types: RegistryView<ServerColumnType>,
  formulas: Formulas,
): AsyncIterable<string> {
  const cells = columns.map((column) => {
    const type = types.get(column.type);
    const context: ColumnContext = {
      id: column.id,
      title: column.title,
      required: column.required,
      storage: column.storage,
      options: { ...type?.options?.defaults, ...column.meta },
    };
    return {
      title: column.title,
      text: (value: CellValue) => {
        const text = cellText(value, type, context);
        return formulas === 'raw' || isNumber(value, text, type) ? text : guarded(text);
      },
    };
  });
  const titles = columns.map((column) => column.title);
  // A byte-order mark is what makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${await lines([formulas === 'raw' ? titles : titles.map(guarded)])}`;
  for await (const rows of batches) {
    yield await lines(rows.map((row) => cells.map((cell) => cell.text(row[cell.title] ?? null))));
  }
}

function lines(rows: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // With a delimiter of two characters the library quotes neither of them alone, and readers take each for the end of a row.
    const options = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ };
    stringify(rows as string[][], options, (error, output) => {
      if (error) reject(error);
      else resolve(output);
    });
  });
}
