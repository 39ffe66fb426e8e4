import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { Change, TableSchema } from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import type { HostOutbox } from '../../host-server/changes/outbox/outbox.ts';
import { openDatabase, type Database } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachDatabase } from '../../host-server/databases/testing.ts';
import { withMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath, expireLeases } from './data-path.ts';
import { announcements, deliveredMark, recorded, recordedIn } from './recorded.ts';
import type { KilledWriterInput } from './writes-until-killed.ts';

const rowsPerCall = 120;
const root = fileURLToPath(new URL('../../', import.meta.url));

const shops = {
  title: 'Shops',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Batch', type: 'Number' },
    { title: 'Price', type: 'Decimal' },
    { title: 'Open', type: 'Checkbox' },
    { title: 'Day', type: 'Date' },
    { title: 'Stars', type: 'Rating' },
  ],
};

/** What a killed process had told. */
interface Told {
  /** The operations of acknowledged calls. */
  readonly acknowledged: readonly string[];
  /** The ids of changes that its outbox had delivered. */
  readonly delivered: readonly string[];
}

/** Runs the writer and kills it as soon as it has acknowledged so many calls. */
async function killAfter(calls: number, input: KilledWriterInput): Promise<Told> {
  const script = join(root, 'tests/data-path/writes-until-killed.ts');
  const child = spawn(
    process.execPath,
    [join(root, 'tests/run-typescript.mjs'), script, JSON.stringify(input)],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const delivered: string[] = [];
  const others = createInterface({ input: child.stderr });
  others.on('line', (line) => {
    if (line.startsWith(deliveredMark)) delivered.push(line.slice(deliveredMark.length));
    else process.stderr.write(`${line}\n`);
  });
  const ended = Promise.all([once(lines, 'close'), once(others, 'close')]);
  lines.on('line', (line) => {
    acknowledged.push(line);
    if (acknowledged.length === calls) child.kill('SIGKILL');
  });
  await ended;
  return { acknowledged, delivered };
}

type Cells = Readonly<Record<string, CellValue>>;

/** Everything that a call writes, as of one moment: the killed process's last statement may still be running. */
function readAll(database: Database, table: TableSchema) {
  return database.read(
    async (unit) => {
      const columns = table.columns.map((column) => column.columnName);
      const data = await unit.rows(unit.knex(table.tableName).select(columns));
      const codecs = table.columns.map(({ id, storage, nativeType }) => {
        return [id, database.dialect.types.codec(storage, nativeType)] as const;
      });
      return {
        rows: data.rows.map((cells) =>
          Object.fromEntries(
            codecs.map(([id, codec], index) => [id, codec.fromDatabase(cells[index] ?? null)]),
          ),
        ) as Cells[],
        changes: await recordedIn(unit, table.id),
      };
    },
    { isolation: 'snapshot' },
  );
}

/** Delivers what the killed process did not; gives the ids of the changes. */
async function deliverRest(outbox: HostOutbox, most: number): Promise<readonly string[]> {
  const delivered: string[] = [];
  const subscription = outbox.subscribe({
    id: 'every-change',
    deliver: async ({ id }) => void delivered.push(id),
  });
  for (let isDone = false; !isDone;) {
    await outbox.settle();
    isDone = (await outbox.isCaughtUp('every-change')) || delivered.length > 2 * most;
    if (!isDone) await delay(50);
  }
  await subscription.dispose();
  return delivered;
}

function countBy<T>(items: readonly T[], name: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return counts;
}

/** The rows that the change log tells of. Each row is inserted, changed and deleted at most once, in this order. */
function replay(changes: readonly Change[]): Map<string, Cells> {
  const rows = new Map<string, Cells>();
  for (const op of ['insert', 'update', 'delete'] as const) {
    for (const change of changes.filter((candidate) => candidate.op === op)) {
      const { rowKey = '', after } = change;
      if (op === 'delete') rows.delete(rowKey);
      else rows.set(rowKey, { ...rows.get(rowKey), ...after });
    }
  }
  return rows;
}

describeEachDatabase('a killed process', (_open, dialect) => {
  const databases = createTestDatabases(dialect, withMetadata);
  afterAll(() => databases.dropAll());

  test('loses nothing that it acknowledged and leaves no call half done', async () => {
    for (const calls of [1, 8, 21]) {
      const target = await databases.target();
      const before = await openDatabase(target, { name: 'before the kill' });
      const made = await createDataPath(before);
      const scope = await made.newProject('Atlas');
      const table = await made.schema.createTable(scope, shops);
      await made.dispose();
      await before.close();

      const { acknowledged, delivered } = await killAfter(calls, {
        target,
        projectId: table.projectId,
        tableId: table.id,
        rowsPerCall,
      });
      expect(acknowledged.length).toBeGreaterThanOrEqual(calls);

      const database = await openDatabase(target, { name: 'after the kill' });
      const { rows, changes } = await readAll(database, table);
      const operations = countBy(changes, (change) => change.operationId);
      expect(acknowledged.filter((id) => !operations.has(id))).toEqual([]);
      // Two lanes have at most one unacknowledged call each.
      expect(operations.size).toBeLessThanOrEqual(acknowledged.length + 2);
      for (const [id, rowsOf] of operations) expect([id, rowsOf]).toEqual([id, rowsPerCall]);
      const key = table.primaryKey[0]?.id ?? '';
      const told = replay(changes);
      expect(rows).toHaveLength(told.size);
      for (const row of rows) expect(row).toEqual(told.get(formatRowKey([row[key] ?? null])));

      const after = await createDataPath(database);
      // Those that the killed process held.
      await expireLeases(database);
      expect(await after.audit.count(after.access.systemScope(table.projectId, 'test'))).toBe(
        operations.size,
      );
      const ids = changes.map(({ id }) => id).toSorted();
      const everDelivered = new Set([...delivered, ...(await deliverRest(after.outbox, ids.length))]);
      expect([...everDelivered].toSorted()).toEqual(ids);
      const again = await after.rowStore.create(
        await after.handleOf(after.access.systemScope(table.projectId, 'test'), table.id),
        {
          Name: 'still writable',
        },
      );
      expect(again.result).toMatchObject({ Name: 'still writable' });
      await after.dispose();
      await database.close();
    }
  });

  test('knows after its next start what became of its writes to another database', async () => {
    for (const calls of [2, 9]) {
      const sqliteFolder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
      const file = { kind: 'sqlite', file: join(sqliteFolder, 'shops.db'), create: true } as const;
      const external = await openDatabase(file, { name: 'shops' });
      await external.schema((changer) =>
        changer.createTable({
          name: 'shops',
          columns: [
            { name: 'id', kind: 'integer', autoIncrement: true },
            { name: 'name', kind: 'string' },
            { name: 'batch', kind: 'integer' },
          ],
          primaryKey: ['id'],
        }),
      );
      const target = await databases.target();
      const before = await openDatabase(target, { name: 'before the kill' });
      const made = await createDataPath(before, { sqliteFolder });
      const project = await made.schema.createProject(made.access.systemScope(undefined, 'test'), {
        title: 'Shops',
        external: { type: 'sqlite3', config: { connection: { filename: 'shops.db' } } },
      });
      const table = await made.schema.table(made.access.systemScope(project.id, 'test'), 'Shops');
      await made.dispose();
      await before.close();

      const { acknowledged } = await killAfter(calls, {
        target,
        sqliteFolder,
        projectId: project.id,
        tableId: table.id,
        rowsPerCall,
      });

      const database = await openDatabase(target, { name: 'after the kill' });
      const after = await createDataPath(database, { sqliteFolder });
      await after.rowStore.settlePending(
        (projectId) => after.access.systemScope(projectId, 'test'),
        Date.now() + 1,
      );
      const changes = await recorded(database, table.id);
      expect(await announcements(database)).toEqual([]);
      const operations = countBy(changes, (change) => change.operationId);
      expect(acknowledged.filter((id) => !operations.has(id))).toEqual([]);
      for (const [id, rowsOf] of operations) expect([id, rowsOf]).toEqual([id, rowsPerCall]);
      const told = replay(changes);
      const { rows } = await external.read((unit) =>
        unit.rows(unit.knex('shops').select(['id', 'name', 'batch'])),
      );
      expect(rows.map(([id]) => formatRowKey([id as CellValue])).toSorted()).toEqual(
        [...told.keys()].toSorted(),
      );
      const [name, batch] = ['name', 'batch'].map((of) => table.columnByName.get(of)?.id ?? '');
      for (const [id, ...cells] of rows) {
        const record = told.get(formatRowKey([id as CellValue])) ?? {};
        expect(cells).toEqual([record[name ?? ''], record[batch ?? '']]);
      }
      await after.dispose();
      await database.close();
      await external.close();
      await rm(sqliteFolder, { recursive: true, force: true });
    }
  });
});
