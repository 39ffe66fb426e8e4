import { stringify } from 'csv-stringify';
import type {
  RowQuery,
  RowStore,
  ServerColumnType,
  TableHandle,
  TableSchema,
  ViewSchema,
  ColumnSchema,
} from '@trellis/sdk/server';
import type { CellValue, ColumnContext, RegistryView } from '@trellis/sdk/shared';

const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** The columns that an export holds, in order: the view's visible ones, else all that are not system, else the ones named. */
export function exportColumns(
  table: TableSchema,
  view: ViewSchema | undefined,
  fields: readonly string[] | undefined,
): readonly ColumnSchema[] {
  if (fields !== undefined) return fields.flatMap((title) => table.columnByTitle.get(title.trim()) ?? []);
  if (view === undefined) return table.columns.filter((column) => !column.system || column.primaryKey);
  return view.columns
    .filter((of) => of.show)
    .toSorted((a, b) => a.order - b.order)
    .flatMap((of) => table.columnById.get(of.columnId) ?? []);
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

export interface CsvExport {
  readonly handle: TableHandle;
  readonly columns: readonly ColumnSchema[];
  readonly query: RowQuery;
  readonly signal: AbortSignal;
  /** `raw` writes what looks like a formula as it is, for machines that read the file. */
  readonly formulas: 'guarded' | 'raw';
}

/** The CSV of a table or view, row by row from one snapshot of the database; memory does not grow with the table. */
export async function* csvLines(
  rowStore: RowStore,
  types: RegistryView<ServerColumnType>,
  of: CsvExport,
): AsyncIterable<string> {
  const cells = of.columns.map((column) => {
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
        return of.formulas === 'raw' || isNumber(value, text, type) ? text : guarded(text);
      },
    };
  });
  const titles = of.columns.map((column) => column.title);
  // A byte-order mark is what makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${await lines([of.formulas === 'raw' ? titles : titles.map(guarded)])}`;
  const query = { ...of.query, fields: titles };
  for await (const rows of rowStore.stream(of.handle, query, of.signal)) {
    yield await lines(rows.map((row) => cells.map((cell) => cell.text(row[cell.title] ?? null))));
  }
}

function lines(rows: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    stringify(rows as string[][], { record_delimiter: '\r\n' }, (error, output) => {
      if (error) reject(error);
      else resolve(output);
    });
  });
}
