import { jest } from '@jest/globals';
import type { TestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../../host-server/databases/tokens.ts';
import { SessionUnit } from '../../../host-server/databases/units/session-unit.ts';
import type { Query } from '../../../host-server/sql/unit.ts';

/**
 * The statements about some tables that a server runs during the work. Its projects are in its own database.
 *
 * @param tables the beginning of these tables' names in the database
 */
export async function statementsAbout(
  { host }: Pick<TestServer, 'host'>,
  tables: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const seen: string[] = [];
  const note = (query: Query) => seen.push('sql' in query ? query.sql : query.toSQL().sql);
  const units = SessionUnit.prototype;
  const { rows, all, first, batch } = units;
  const spies = [
    jest.spyOn(units, 'rows').mockImplementation(function noted(this: SessionUnit, query) {
      note(query);
      return rows.call(this, query);
    }),
    jest.spyOn(units, 'all').mockImplementation(function noted(this: SessionUnit, query) {
      note(query);
      return all.call(this, query) as Promise<never>;
    }),
    jest.spyOn(units, 'first').mockImplementation(function noted(this: SessionUnit, query) {
      note(query);
      return first.call(this, query) as Promise<never>;
    }),
    jest.spyOn(units, 'batch').mockImplementation(function noted(this: SessionUnit, queries) {
      queries.forEach(note);
      return batch.call(this, queries);
    }),
  ];
  const database = host.container.get(DatabaseToken);
  const written = database.readJson === undefined ? undefined : jest.spyOn(database, 'readJson');
  const read = jest.spyOn(database, 'get');
  try {
    await work();
    for (const [statement] of read.mock.calls) note(statement);
    for (const [statement, form] of written?.mock.calls ?? []) {
      note(statement);
      // The thread that writes the rows as JSON reads linked ones itself.
      if ('links' in form) seen.push(...form.links.map(({ sql }) => sql));
    }
  } finally {
    for (const spy of [...spies, read, written]) spy?.mockRestore();
  }
  return seen.filter((sql) => sql.includes(tables));
}
