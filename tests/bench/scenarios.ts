import type { Call } from './load.ts';
import { cellsOf } from './rows.ts';

export interface Scenario {
  readonly name: string;
  /** The maximum number of measured requests. */
  readonly requests: number;
  /** Simultaneous callers, for calls of which the product runs fewer at once than the usual number of callers. */
  readonly concurrency?: number;
  call(index: number): Call;
}

/** The measured calls on one table of `rows` rows. */
export function scenarios(projectId: string, tableId: string, rows: number): readonly Scenario[] {
  const data = `/api/v1/db/data/v1/${projectId}/${tableId}`;
  const bulk = `/api/v1/db/data/bulk/v1/${projectId}/${tableId}`;
  const deep = Math.floor(rows * 0.9);
  /** A row's key, far from the previous one. */
  const scattered = (index: number): number => ((index * 7919) % rows) + 1;
  const get = (path: string): Call => ({ method: 'GET', path });
  return [
    { name: 'read one', requests: 20_000, call: (index) => get(`${data}/${scattered(index)}`) },
    { name: 'list 25, no count', requests: 10_000, call: () => get(`${data}?limit=25&count=false`) },
    { name: 'list 25', requests: 10_000, call: () => get(`${data}?limit=25`) },
    {
      name: 'list 25 at 90 %',
      requests: 2000,
      call: (index) => get(`${data}?limit=25&offset=${deep + (index % 40) * 25}`),
    },
    {
      name: 'filtered and sorted',
      requests: 200,
      call: (index) => get(`${data}?limit=25&where=(Amount,gt,${900_000 + (index % 50)})&sort=-Amount`),
    },
    {
      name: 'update',
      requests: 5000,
      call: (index) => ({
        method: 'PATCH',
        path: `${data}/${scattered(index)}`,
        body: { Name: `Changed ${index}`, Amount: index },
      }),
    },
    {
      name: 'create',
      requests: 5000,
      call: (index) => ({ method: 'POST', path: data, body: cellsOf(index) }),
    },
    {
      name: 'bulk insert 1,000',
      requests: 50,
      call: (index) => ({
        method: 'POST',
        path: bulk,
        body: Array.from({ length: 1000 }, (_, row) => cellsOf(index * 1000 + row)),
      }),
    },
  ];
}
