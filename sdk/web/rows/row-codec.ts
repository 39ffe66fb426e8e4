import {
  type CellValue,
  type ColumnEntity,
  formatRowKey,
  parseRowKey,
  type Row,
  type RowKey,
} from '../../shared/index.ts';
import type { RowData } from './row-source.ts';

/** The values of a row, or of a part of it, by column id. @public */
export type RowValues = Readonly<Record<string, unknown>>;

/** Converts between rows of the API, by title, and rows of the page, by column id; the only such place in the page. */
export class RowCodec {
  readonly #columns: readonly ColumnEntity[];
  readonly #keyColumns: readonly ColumnEntity[];
  readonly #byId: ReadonlyMap<string, ColumnEntity>;
  /** Whether cells are computed from others, so that an event does not contain their new values. */
  readonly hasVirtual: boolean;

  constructor(columns: readonly ColumnEntity[]) {
    this.#columns = columns;
    this.#keyColumns = columns.filter((column) => column.pk);
    this.#byId = new Map(columns.map((column) => [column.id, column]));
    this.hasVirtual = columns.some(({ virtual }) => virtual === true);
  }

  /** A row of a list; without a key it is identified by its index and is read-only. */
  decode(row: Row, index: number): RowData {
    const hasKey = this.#keyColumns.length > 0;
    return {
      key: hasKey ? this.keyOf(row) : `#${index}`,
      values: this.valuesOf(row),
      readOnly: hasKey ? undefined : true,
    };
  }

  valuesOf(row: Row): RowValues {
    const values: Record<string, unknown> = {};
    for (const { id, title } of this.#columns) if (Object.hasOwn(row, title)) values[id] = row[title];
    return values;
  }

  encode(values: RowValues): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([id, value]) => [this.#byId.get(id)?.title ?? id, value]),
    );
  }

  /** The key of a row by titles, or by the database's names, as in a bulk answer. */
  keyOf(row: Row): RowKey {
    return formatRowKey(
      this.#keyColumns.map(
        ({ title, column_name: name }): CellValue => row[title] ?? (name === null ? null : row[name]) ?? null,
      ),
    );
  }

  /** The key columns of a row by title, for a bulk write. */
  encodeKey(rowKey: RowKey): Record<string, string> {
    const parts = parseRowKey(rowKey, this.#keyColumns.length) ?? [];
    return Object.fromEntries(this.#keyColumns.map(({ title }, at) => [title, parts[at] ?? '']));
  }

  /** The id of the column with this title. */
  idOf(title: string): string | undefined {
    return this.#columns.find((column) => column.title === title)?.id;
  }

  isKey(columnId: string): boolean {
    return this.#byId.get(columnId)?.pk === true;
  }
}

const titledRows = new WeakMap<object, { readonly columns: readonly ColumnEntity[]; readonly row: Row }>();

/** The row by titles, for column types; created once per row on first use. @public */
export function titledRow(values: RowValues, columns: readonly ColumnEntity[]): Row {
  const known = titledRows.get(values);
  if (known?.columns === columns) return known.row;
  const row: Row = Object.fromEntries(
    columns.map(({ id, title }) => [title, (values[id] ?? null) as CellValue]),
  );
  titledRows.set(values, { columns, row });
  return row;
}
