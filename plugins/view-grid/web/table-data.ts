import {
  type CellValue,
  type ColumnEntity,
  formatRowKey,
  parseRowKey,
  type ProjectEntity,
  type Row,
  type RowKey,
  type TableEntity,
  type ViewEntity,
} from '@trellis/sdk/shared';
import type { ApiClient, ApiRequest } from '@trellis/sdk/web';
import type { GridCellChange, GridRowData } from './grid/index.ts';

/** The answer's header that names what a write did, so that it can be taken back. */
const operationHeader = 'x-trellis-operation';

/** Row keys to the values that a write left there, by column id. */
export type WrittenRows = ReadonlyMap<RowKey, Readonly<Record<string, unknown>>>;

/** The rows of one view over the data API, in the grid's terms: by column id instead of by title. */
export class TableData {
  private readonly rowsPath: string;
  private readonly bulkPath: string;
  private readonly operationsPath: string;
  private readonly columns: readonly ColumnEntity[];
  private readonly keyColumns: readonly ColumnEntity[];
  private readonly byId: ReadonlyMap<string, ColumnEntity>;
  private readonly done: string[] = [];
  private readonly undone: string[] = [];

  constructor(
    private readonly api: ApiClient,
    place: { readonly project: ProjectEntity; readonly table: TableEntity; readonly view: ViewEntity },
    /** Leaves out the view's filters whose comparison belongs to a plugin that is off. */
    private readonly skipsDisabledFilters = false,
  ) {
    const project = encodeURIComponent(place.project.id);
    const table = encodeURIComponent(place.table.id);
    this.rowsPath = `/api/v1/db/data/noco/${project}/${table}/views/${encodeURIComponent(place.view.id)}`;
    this.bulkPath = `/api/v1/db/data/bulk/noco/${project}/${table}`;
    this.operationsPath = `/api/v1/db/data/operations/${project}`;
    this.columns = place.table.columns ?? [];
    this.keyColumns = this.columns.filter((column) => column.pk);
    this.byId = new Map(this.columns.map((column) => [column.id, column]));
  }

  async loadRows(start: number, limit: number, signal: AbortSignal): Promise<readonly GridRowData[]> {
    const { list } = await this.api.request<{ readonly list: readonly Row[] }>({
      path: this.rowsPath,
      query: { offset: start, limit, count: 'false', ...this.filtering() },
      signal,
    });
    return list.map((row, at) => this.toGridRow(row, start + at));
  }

  async countRows(signal: AbortSignal): Promise<number> {
    const { count } = await this.api.request<{ readonly count: number | string }>({
      path: `${this.rowsPath}/count`,
      query: this.filtering(),
      signal,
    });
    return Number(count);
  }

  private filtering(): Readonly<Record<string, string>> {
    return this.skipsDisabledFilters ? { skipDisabledFilters: 'true' } : {};
  }

  toGridRow(row: Row, index: number): GridRowData {
    const hasKey = this.keyColumns.length > 0;
    return {
      key: hasKey ? this.keyOf(row) : `#${index}`,
      values: this.byColumnId(row),
      readOnly: hasKey ? undefined : true,
    };
  }

  /** The values of a row, or of the part of it that is there, by column id. */
  byColumnId(row: Row): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const { id, title } of this.columns) if (Object.hasOwn(row, title)) values[id] = row[title];
    return values;
  }

  /** Writes cells: those of a single row alone, those of several in one transaction. */
  async write(changes: readonly GridCellChange[]): Promise<WrittenRows> {
    const rows = valuesByRow(changes);
    const [only] = rows;
    if (only !== undefined && rows.size === 1) {
      const [rowKey, values] = only;
      const path = `${this.rowsPath}/${encodeURIComponent(rowKey)}`;
      const row = await this.send<Row>({ method: 'PATCH', path, body: this.titledValues(values) });
      return new Map([[rowKey, this.byColumnId(row)]]);
    }
    const body = [...rows].map(([rowKey, values]) => ({
      ...this.titledValues(values),
      ...this.keyObject(rowKey),
    }));
    await this.send({ method: 'PATCH', path: this.bulkPath, body });
    return rows;
  }

  /** Adds an empty row; resolves with it. */
  async append(): Promise<Row> {
    return this.send<Row>({ method: 'POST', path: this.rowsPath, body: {} });
  }

  /** Adds rows; resolves with their keys in the same order, as far as the answer names them. */
  async appendMany(rows: readonly Readonly<Record<string, unknown>>[]): Promise<readonly RowKey[]> {
    const body = rows.map((values) => this.titledValues(values));
    const answer = await this.send<readonly Row[]>({ method: 'POST', path: this.bulkPath, body });
    return answer.length === rows.length ? answer.map((row) => this.keyOf(row)) : [];
  }

  deleteRows(keys: readonly RowKey[]): Promise<unknown> {
    return this.send({ method: 'DELETE', path: this.bulkPath, body: keys.map((key) => this.keyObject(key)) });
  }

  /** Takes the last write back, or does it again. Resolves to false when there is none. */
  async undo(direction: 'undo' | 'redo'): Promise<boolean> {
    const [from, to] = direction === 'undo' ? [this.done, this.undone] : [this.undone, this.done];
    const operation = from.pop();
    if (operation === undefined) return false;
    const { headers } = await this.api.send({
      method: 'POST',
      path: `${this.operationsPath}/${encodeURIComponent(operation)}/undo`,
    });
    const reverse = headers[operationHeader];
    if (reverse !== undefined) to.push(reverse);
    return true;
  }

  private async send<T>(request: ApiRequest): Promise<T> {
    const { data, headers } = await this.api.send<T>(request);
    const operation = headers[operationHeader];
    if (operation !== undefined) {
      this.done.push(operation);
      this.undone.length = 0;
    }
    return data;
  }

  private keyOf(row: Row): RowKey {
    // A bulk answer names the key columns as the database does.
    return formatRowKey(
      this.keyColumns.map(
        ({ title, column_name: name }): CellValue => row[title] ?? (name === null ? null : row[name]) ?? null,
      ),
    );
  }

  private keyObject(rowKey: RowKey): Record<string, string> {
    const parts = parseRowKey(rowKey, this.keyColumns.length) ?? [];
    return Object.fromEntries(this.keyColumns.map(({ title }, at) => [title, parts[at] ?? '']));
  }

  private titledValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([id, value]) => [this.byId.get(id)?.title ?? id, value]),
    );
  }
}

function valuesByRow(changes: readonly GridCellChange[]): Map<RowKey, Record<string, unknown>> {
  const rows = new Map<RowKey, Record<string, unknown>>();
  for (const { rowKey, columnId, value } of changes) {
    const values = rows.get(rowKey) ?? {};
    values[columnId] = value;
    rows.set(rowKey, values);
  }
  return rows;
}
