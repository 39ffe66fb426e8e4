import {
  askUntil,
  createTestServer,
  type Receiver,
  startReceiver,
  type TestClient,
  type TestServer,
  type TestServerOptions,
} from '@trellis/sdk/testing/server';
import type { AutomationEntity, RunDetail, RunEntity } from '../shared/index.ts';

interface TableAnswer {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

const base = '/api/v1/plugins/automations';

/** A project with the tables Requests and Tasks, for tests of automations. */
export interface Desk {
  readonly server: TestServer;
  readonly receiver: Receiver;
  readonly ann: TestClient;
  readonly projectId: string;
  readonly requests: TableAnswer;
  readonly tasks: TableAnswer;
  readonly rows: (table: 'Requests' | 'Tasks') => string;
  column(table: TableAnswer, title: string): string;
  /** Creates an automation; by default a new row of Requests starts it. */
  make(change?: object): Promise<AutomationEntity>;
  /** An automation's runs, when they meet a condition. */
  runs(id: string, meets: (list: readonly RunEntity[]) => boolean): Promise<readonly RunEntity[]>;
  run(id: string, runId: string): Promise<RunDetail>;
  /** The automation, when it meets a condition. */
  until(id: string, meets: (automation: AutomationEntity) => boolean): Promise<AutomationEntity>;
  titles(table: 'Requests' | 'Tasks'): Promise<readonly string[]>;
  close(): Promise<void>;
}

const columns = [
  { title: 'Id', uidt: 'ID', pk: true, ai: true },
  { title: 'Title', uidt: 'SingleLineText' },
  { title: 'Priority', uidt: 'SingleLineText' },
  { title: 'Note', uidt: 'SingleLineText' },
  { title: 'Hours', uidt: 'Number' },
];

/** Opens the desk on a new server. */
export async function openDesk(options: TestServerOptions = {}): Promise<Desk> {
  const receiver = await startReceiver();
  const server = await createTestServer({
    ...options,
    env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1', ...options.env },
  });
  const ann = await server.signUp('ann@example.com');
  const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Desk' });
  const projectId = project.body.id;
  const table = async (title: string) =>
    (await ann.post<TableAnswer>(`/api/v1/db/meta/projects/${projectId}/tables`, { title, columns })).body;
  const requests = await table('Requests');
  const tasks = await table('Tasks');
  const rows = (title: string) => `/api/v1/db/data/v1/Desk/${title}`;
  const column = (of: TableAnswer, title: string) =>
    of.columns.find((candidate) => candidate.title === title)?.id ?? '';

  return {
    server,
    receiver,
    ann,
    projectId,
    requests,
    tasks,
    rows,
    column,
    async make(change) {
      const answer = await ann.post<AutomationEntity>(`${base}/projects/${projectId}/automations`, {
        title: 'Plan',
        trigger: { type: 'row.added', settings: { table: requests.id } },
        steps: [
          {
            id: 'task',
            name: 'task',
            type: 'row.create',
            settings: { table: tasks.id, cells: { [column(tasks, 'Title')]: 'Do {{row.Title}}' } },
          },
        ],
        ...change,
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    async runs(id, meets) {
      const path = `${base}/automations/${id}/runs`;
      return askUntil(async () => (await ann.get<{ list: RunEntity[] }>(path)).body.list, meets);
    },
    run: async (id, runId) => (await ann.get<RunDetail>(`${base}/automations/${id}/runs/${runId}`)).body,
    async until(id, meets) {
      const path = `${base}/automations/${id}`;
      return askUntil(async () => (await ann.get<AutomationEntity>(path)).body, meets);
    },
    async titles(title) {
      const { body } = await ann.get<{ list: { Title: string }[] }>(`${rows(title)}?limit=200`);
      return body.list.map((row) => row.Title);
    },
    async close() {
      await server.dispose();
      await receiver.close();
    },
  };
}
