import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { describeEachHome } from './each-home.ts';

const projects = 300;
function describeSearch(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let ann: TestClient;

  beforeAll(async () => {
    server = await start();
    ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const path = `/api/v1/db/meta/projects/${body.id}/tables`;
    for (const title of ['Orders', 'Rarities'])
      await ann.post(path, { title, columns: [{ title: 'Id', uidt: 'ID' }] });
    await copyProject(body.id);
    // The memberships of the caller are read once and kept.
    await search('rarities');
  });
  afterAll(() => server?.dispose());

  /** Many projects of the same people with one table each, in the metadata alone. */
  async function copyProject(id: string): Promise<void> {
    const { database, generations } = server.host.container.get(MetadataToken);
    const copies = Array.from({ length: projects }, (_, at) => String(at).padStart(14, '0'));
    await database.write(async (unit) => {
      type Kept = Record<string, unknown>;
      const first = async (table: string, where: object) => {
        const row = await unit.first<Kept>(unit.knex(table).where(where));
        if (row === undefined) throw new Error(`${table} has no such row.`);
        return row;
      };
      const [project, base, grant, table] = [
        await first('trellis_project', { id }),
        await first('trellis_base', { project_id: id }),
        await first('trellis_grant', { project_id: id }),
        await first('trellis_table', { project_id: id, title: 'Orders' }),
      ];
      const insert = async (name: string, of: (copy: string) => Kept) => {
        for (const copy of copies) await unit.run(unit.knex(name).insert(of(copy)));
      };
      await insert('trellis_project', (copy) => ({ ...project, id: `p_${copy}`, title: `Shop ${copy}` }));
      await insert('trellis_base', (copy) => ({ ...base, id: `ds_${copy}`, project_id: `p_${copy}` }));
      await insert('trellis_grant', (copy) => ({ ...grant, project_id: `p_${copy}` }));
      await insert('trellis_table', (copy) => ({
        ...table,
        id: `md_${copy}`,
        project_id: `p_${copy}`,
        base_id: `ds_${copy}`,
        table_name: `orders_${copy}`,
      }));
      for (const of of ['projects', 'access']) await generations.bump(unit, of);
    });
  }

  /** What a search finds, and what it read of the database. */
  async function search(text: string) {
    const read = jest.spyOn(server.host.container.get(DatabaseToken), 'read');
    try {
      const path = `/api/v1/plugins/sys-tables/found-tables?text=${text}`;
      const { body } = await ann.get<{ list: readonly { title: string }[] }>(path);
      const answers = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown>));
      const rows = answers.map((answer) => (Array.isArray(answer) ? answer.length : 1));
      return {
        found: body.list.map(({ title }) => title),
        reads: rows.length,
        rows: rows.reduce((sum, count) => sum + count, 0),
      };
    } finally {
      read.mockRestore();
    }
  }

  test('a search for tables of all projects reads what it finds, however many projects there are', async () => {
    const rare = await search('RARIT');
    expect(rare.found).toEqual(['Rarities']);
    expect(rare.reads).toBeLessThan(20);
    expect(rare.rows).toBeLessThan(50);
    const none = await search('nowhere');
    expect(none).toMatchObject({ found: [] });
    expect(none.rows).toBeLessThan(20);
  });

  test('a search that finds tables in all projects looks into a few of them', async () => {
    const { found, reads, rows } = await search('orders');
    expect(found).toHaveLength(50);
    // A handful for each project that is looked into.
    expect(reads).toBeLessThan(50 * 8);
    expect(rows).toBeLessThan(50 * 16);
  });
}

describeEachHome('tables of all projects', describeSearch);
