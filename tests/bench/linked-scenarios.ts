import type { LinkedTables } from './linked-tables.ts';
import type { Scenario } from './scenarios.ts';

/** The product runs two long reads at once; with more callers, only their waiting would be measured. */
const concurrency = 2;

/** The measured calls on orders with their links. */
export function linkedScenarios({ projectId, ordersId, groupColumns }: LinkedTables): readonly Scenario[] {
  const data = `/api/v1/db/data/v1/${projectId}/${ordersId}`;
  const scenario = (name: string, requests: number, path: string): Scenario => ({
    name,
    requests,
    concurrency,
    call: () => ({ method: 'GET', path: data + path }),
  });
  const grouped = (levels: number) => {
    // The bare server needs the name.
    const by = groupColumns.slice(0, levels).map(({ id, name }) => ({ fk_column_id: id, name }));
    const groups = JSON.stringify(by);
    const figures = JSON.stringify([{ column: 'Amount', aggregation: 'sum' }]);
    return `/groups?groupArrJson=${encodeURIComponent(groups)}&aggregations=${encodeURIComponent(figures)}`;
  };
  const page = '?limit=25&count=false';
  return [
    { ...scenario('linked 25', 3000, page), concurrency: 10 },
    scenario('linked by number', 500, `${page}&sort=-Amount`),
    scenario('linked by rollup', 100, `${page}&sort=-Total`),
    scenario('linked by lookup', 100, `${page}&sort=Customer%20name`),
    scenario('linked by links', 20, `${page}&sort=Lines`),
    scenario('linked by junction', 20, `${page}&sort=Tags`),
    scenario('groups by one', 100, grouped(1)),
    scenario('groups by two', 100, grouped(2)),
  ];
}
