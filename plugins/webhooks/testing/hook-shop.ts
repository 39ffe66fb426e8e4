import {
  askUntil,
  createTestServer,
  type Received,
  type Receiver,
  startReceiver,
  type TestClient,
  type TestServer,
  type TestServerOptions,
} from '@trellis/sdk/testing/server';
import type { DeliveryEntity, HookEntity } from '../shared/index.ts';

/** The rows of the table `Things`, one by one and in bulk. */
export const rows = '/api/v1/db/data/v1/Shop/Things';
export const bulk = '/api/v1/db/data/bulk/v1/Shop/Things';

export interface TableAnswer {
  readonly project_id: string;
  readonly id: string;
  readonly columns: readonly {
    readonly id: string;
    readonly title: string;
    readonly column_name: string;
  }[];
}

/** A server with a table, and a receiver that its webhooks call. */
export interface HookShop {
  readonly server: TestServer;
  readonly receiver: Receiver;
  /** The owner of the project. */
  readonly ann: TestClient;
  readonly table: TableAnswer;
  /** The id of one of the table's columns. */
  idOf(title: string): string;
  /** Creates a webhook that calls the receiver at a path. */
  hook(path: string, more?: object, payload?: object): Promise<HookEntity>;
  /** A webhook's log, when it meets the condition. */
  logOf(id: string, meets: (list: readonly DeliveryEntity[]) => boolean): Promise<readonly DeliveryEntity[]>;
  /** Deletes the created webhooks, and resets the receiver's answers. */
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

export async function openHookShop(options: TestServerOptions = {}): Promise<HookShop> {
  const receiver = await startReceiver();
  const server = await createTestServer({
    ...options,
    env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1', ...options.env },
  });
  const ann = await server.signUp('ann@example.com');
  const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  const { body: table } = await ann.post<TableAnswer>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Price', uidt: 'Decimal' },
      { title: 'Sold', uidt: 'Checkbox' },
    ],
  });
  const made: string[] = [];
  return {
    server,
    receiver,
    ann,
    table,
    idOf: (title) => table.columns.find((column) => column.title === title)?.id ?? '',
    async hook(path, more = {}, payload = {}) {
      const { status, body } = await ann.post<HookEntity>(`/api/v1/db/meta/tables/${table.id}/hooks`, {
        title: path,
        event: 'after',
        operation: 'insert',
        notification: { type: 'URL', payload: { method: 'POST', path: receiver.url + path, ...payload } },
        ...more,
      });
      if (status !== 200) throw new Error(`The webhook was refused: ${JSON.stringify(body)}`);
      made.push(body.id);
      return body;
    },
    async logOf(id, meets) {
      const path = `/api/v1/db/meta/hooks/${id}/deliveries`;
      const log = async () => (await ann.get<{ list: readonly DeliveryEntity[] }>(path)).body.list;
      return askUntil(log, meets);
    },
    async clear() {
      for (const id of made.splice(0)) await ann.delete(`/api/v1/db/meta/hooks/${id}`);
      receiver.answer((_, response) => void response.end('ok'));
    },
    async dispose() {
      await server.dispose();
      await receiver.close();
    },
  };
}

/** Tests whether a request was made to a path. */
export function at(path: string): (request: Received) => boolean {
  return (request) => request.path.startsWith(path);
}

export function json(request: Received | undefined): Record<string, unknown> {
  return JSON.parse(request?.body ?? 'null') as Record<string, unknown>;
}
