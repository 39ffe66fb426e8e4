import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import { openDatabase, type Database, type SqliteTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases } from '../../host-server/databases/testing.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath, expireLeases } from './data-path.ts';

const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
    { title: 'Points', type: 'SingleLineText' },
  ],
};

type DataPath = Awaited<ReturnType<typeof createDataPath>>;

/** What the product says of the table and what is in the database, held against each other. */
async function checkWhole(database: Database, { schema }: DataPath, scope: AccessScope, tableId: string) {
  const table = await schema.table(scope, tableId);
  for (const column of table.columns) {
    const isThere = await database.schema((changer) => changer.hasColumn(table.tableName, column.columnName));
    expect({ column: column.title, isThere }).toEqual({ column: column.title, isThere: true });
  }
  const running = await database.read((unit) =>
    unit.all(unit.knex('trellis_task').where({ state: 'running' }).select('id', 'kind')),
  );
  expect(running).toEqual([]);
  const points = table.columnByTitle.get('Points');
  const rows = await database.read((unit) =>
    unit.all<Record<string, unknown>>(
      unit
        .knex(table.tableName)
        .select(points?.columnName ?? '')
        .orderBy('id'),
    ),
  );
  return { table, values: rows.map((row) => Number(row[points?.columnName ?? ''])) };
}

const steps = [
  'createTable.intent',
  'createTable.applied',
  'createColumn.intent',
  'createColumn.added',
  'createColumn.applied',
  'alterColumn.intent',
  'alterColumn.applied',
  'retypeColumn.intent',
  'retypeColumn.added',
  'retypeColumn.converted',
  'retypeColumn.applied',
] as const;

describeEachMetadata('a schema change that is cut off', (open) => {
  test.each(steps)('at %s is whole after the next start', async (step) => {
    const database = await open();
    let isArmed = false;
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve_) => {
      reached = resolve_;
    });
    const former = await createDataPath(database, {
      reach: (point) => {
        if (!isArmed || point !== step) return Promise.resolve();
        reached();
        return new Promise<void>(() => undefined);
      },
    });
    const scope = await former.newProject('Cut');
    const table = await former.schema.createTable(scope, people);
    await database.write((unit) =>
      unit.run(
        unit.knex(table.tableName).insert([
          { title: 'a', points: '1' },
          { title: 'b', points: '2' },
        ]),
      ),
    );
    isArmed = true;
    const points = table.columnByTitle.get('Points')?.id ?? '';
    const [kind] = step.split('.');
    if (kind === 'createTable') void former.schema.createTable(scope, { ...people, title: 'Late' });
    if (kind === 'createColumn')
      void former.schema.createColumn(scope, table.id, { title: 'Late', type: 'Number' });
    if (kind === 'alterColumn') void former.schema.updateColumn(scope, points, { required: true });
    if (kind === 'retypeColumn') void former.schema.updateColumn(scope, points, { type: 'Number' });
    await isReached;

    // The former process is dead: nobody renews its lease.
    await expireLeases(database);
    const next = await createDataPath(database);
    await next.schema.resumeJobs();
    const { table: after, values } = await checkWhole(database, next, scope, table.id);
    expect(values).toEqual([1, 2]);
    if (kind === 'createTable') expect((await next.schema.table(scope, 'Late')).columns).toHaveLength(3);
    if (kind === 'createColumn') expect(after.columnByTitle.get('Late')?.type).toBe('Number');
    if (kind === 'alterColumn') expect(after.columnByTitle.get('Points')?.required).toBe(true);
    if (kind === 'retypeColumn') expect(after.columnByTitle.get('Points')?.type).toBe('Number');
    await next.dispose();
    await former.dispose();
  });
});

describe('a server that is killed', () => {
  const databases = createTestDatabases('sqlite');
  afterAll(() => databases.dropAll());

  test('while it changes columns loses nothing that it acknowledged and leaves nothing half done', async () => {
    const target = (await databases.target()) as SqliteTarget;
    const ground = await openDatabase(target, { name: 'ground' });
    const first = await createDataPath(ground);
    const scope = await first.newProject('Killed');
    const table = await first.schema.createTable(scope, people);
    const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
    for (let start = 0; start < numbers.length; start += 100) {
      const rows = numbers
        .slice(start, start + 100)
        .map((number) => ({ title: 'x', points: String(number) }));
      await ground.write((unit) => unit.run(unit.knex(table.tableName).insert(rows)));
    }
    await first.dispose();
    await ground.close();

    for (const lines of [2, 7, 12]) {
      const said = await runAndKill(target.file, scope.projectId ?? '', table.id, lines);
      const database = await openDatabase(target, { name: 'next' });
      await expireLeases(database);
      const next = await createDataPath(database);
      await next.schema.resumeJobs();
      const { table: after, values } = await checkWhole(database, next, scope, table.id);
      expect(values).toEqual(numbers);
      const deleted = new Set(
        said.filter((line) => line.startsWith('deleted ')).map((line) => line.slice(8)),
      );
      for (const title of deleted) expect(after.columnByTitle.has(title)).toBe(false);
      await next.dispose();
      await database.close();
    }
  });
});

/** Lets the worker go until it has said so many lines, and kills it in the middle of what follows. */
async function runAndKill(
  file: string,
  project: string,
  table: string,
  lines: number,
): Promise<readonly string[]> {
  const root = resolve(import.meta.dirname, '../..');
  const child = spawn(
    process.execPath,
    ['tests/run-typescript.mjs', 'tests/data-path/schema-worker.ts', file, project, table],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length >= lines) child.kill('SIGKILL');
  }
  return said;
}
