import { expect } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { ConnectedDatabase } from './connected-database.ts';

export type Row = Readonly<Record<string, unknown>>;

const meta = '/api/v1/db/meta';

/** Reads a connected database's project through the API. */
export function readerOf({ owner, project }: ConnectedDatabase) {
  const data = (path: string) => `/api/v1/db/data/noco/${project.title}/${path}`;

  async function list(path: string): Promise<readonly Row[]> {
    const answer = await owner.get<{ list: readonly Row[] }>(data(path));
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
    return answer.body.list;
  }

  async function tables(): Promise<readonly TableEntity[]> {
    const path = `${meta}/projects/${project.id}/tables`;
    return (await owner.get<{ list: readonly TableEntity[] }>(path)).body.list;
  }

  async function table(title: string): Promise<TableEntity> {
    const found = (await tables()).find((one) => one.title === title);
    return (await owner.get<TableEntity>(`${meta}/tables/${found?.id ?? ''}`)).body;
  }

  async function types(title: string): Promise<readonly (readonly [string, string])[]> {
    return ((await table(title)).columns ?? []).map((column) => [column.title, column.uidt] as const);
  }

  /** Deletes a row and undoes that; returns the row before and afterwards. */
  async function deletedAndBack(title: string, key: string): Promise<readonly [before: Row, after: Row]> {
    const path = data(`${title}/${key}`);
    const { body: before } = await owner.get<Row>(path);
    const deleted = await owner.delete(path);
    expect(deleted).toMatchObject({ status: 200, body: 1 });
    expect((await owner.get(path)).status).toBe(404);
    const operation = deleted.headers.get('x-trellis-operation') ?? '';
    const undone = await owner.post(`/api/v1/db/data/operations/${project.title}/${operation}/undo`);
    expect(undone).toMatchObject({ status: 200, body: { rows: 1 } });
    return [before, (await owner.get<Row>(path)).body];
  }

  return { data, list, tables, table, types, deletedAndBack };
}

export type Reader = ReturnType<typeof readerOf>;
