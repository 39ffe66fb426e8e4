import type { ColumnEntity, LiveEvent, Row, TableEntity } from '../shared/index.ts';
import type { ApiClient, ApiError, ApiRequest } from '../web/api.ts';
import { RowsClient } from '../web/rows/rows-client.ts';
import type { RowsPlace } from '../web/rows/rows-place.ts';
import { UndoStack } from '../web/rows/undo-stack.ts';

export const column = (id: string, title: string, more: Partial<ColumnEntity> = {}): ColumnEntity =>
  ({ id, title, uidt: 'Text', storage: 'text', column_name: title, pk: false, ...more }) as ColumnEntity;
export const columns = [column('cl_id', 'Id', { pk: true }), column('cl_name', 'Name')];

/** A view of the table `md_1`. */
export function place(of: readonly ColumnEntity[] = columns): RowsPlace {
  const table = { id: 'md_1', columns: of } as Partial<TableEntity> as TableEntity;
  return { kind: 'view', project: { id: 'p_1' } as never, table, view: { id: 'vw_1' } as never };
}

export const rowsPath = '/api/v1/db/data/noco/p_1/md_1/views/vw_1';
export const bulkPath = '/api/v1/db/data/bulk/noco/p_1/md_1';

/** A server of rows that a test can delay, refuse and count. */
export class Server implements ApiClient {
  rows: Row[] = Array.from({ length: 250 }, (_, at) => ({ Id: at + 1, Name: `name ${at + 1}` }));
  readonly requests: ApiRequest[] = [];
  /** Answers a write, or throws; the number of writes so far is its operation. */
  write: (request: ApiRequest) => unknown = () => ({});
  gate: Promise<void> = Promise.resolve();
  groupsRefusal: ApiError | undefined;
  writes = 0;
  /** Answers a read instead of the rows above. */
  answer: ((request: ApiRequest) => unknown) | undefined;

  get reads(): readonly ApiRequest[] {
    return this.requests.filter(({ method = 'GET', path }) => method === 'GET' && path === rowsPath);
  }

  async request<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).data;
  }

  async send<T>(request: ApiRequest): Promise<{ data: T; status: number; headers: Record<string, string> }> {
    this.requests.push(request);
    const isRead = (request.method ?? 'GET') === 'GET';
    const data = isRead ? this.read(request) : this.write(request);
    if (isRead) await this.gate;
    else this.writes += 1;
    const headers = { 'x-trellis-operation': `op${this.writes}`, 'x-request-id': `own${this.writes}` };
    return { data: data as T, status: 200, headers: isRead ? {} : headers };
  }

  download(): Promise<void> {
    return Promise.reject(new Error('not here'));
  }

  private read(request: ApiRequest): unknown {
    const { path, query } = request;
    if (this.answer !== undefined) return this.answer(request);
    if (path.endsWith('/count')) return { count: this.rows.length };
    const asked = JSON.parse(
      typeof query?.aggregations === 'string' ? query.aggregations : '[]',
    ) as readonly { readonly column: string }[];
    const figures = asked.map(({ column: id }) => `of ${id}`);
    if (path.endsWith('/aggregate')) return { list: figures.map((value) => ({ value })) };
    if (path.endsWith('/groups')) {
      if (this.groupsRefusal !== undefined) throw this.groupsRefusal;
      return { levels: [[{ values: ['a'], count: this.rows.length, figures }]] };
    }
    if (path.includes('/public/'))
      return {
        data: { list: this.rows.slice(0, Number(query?.limit)), pageInfo: { totalRows: this.rows.length } },
      };
    const start = Number(query?.offset);
    return { list: this.rows.slice(start, start + Number(query?.limit)) };
  }
}

/** A client of such rows with its own server; `undo` creates the undo stack that a page has after a reload. */
export function openRows(of = place()) {
  const server = new Server();
  const kept = { text: '' };
  const undo = () =>
    new UndoStack({
      read: () => kept.text,
      write: (text) => {
        kept.text = text;
      },
    });
  return { server, undo, client: new RowsClient(server, undo(), of) };
}

/** A change of a row's name. */
export const change = (rowKey: string, value: unknown) => ({
  rowKey,
  index: Number(rowKey) - 1,
  columnId: 'cl_name',
  value,
  before: null,
});
/** An event of the live channel about the table's rows. */
export const event = (
  changes: (LiveEvent & { kind: 'rows' })['changes'],
  requestId = 'other',
): LiveEvent => ({
  kind: 'rows',
  projectId: 'p_1',
  tableId: 'md_1',
  seq: 1,
  requestId,
  changes,
});
