import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { openDatabase, type DatabaseTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachDatabase } from '../../host-server/databases/testing.ts';
import { withMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';
import type { KilledLoaderInput } from './loads-until-killed.ts';
import { createTaskWorker, expireRuns, stagedIn } from './task-worker.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rowsPerLoad = 4500;
const hours = 3_600_000;

const lines = {
  title: 'Lines',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Batch', type: 'Number' },
    { title: 'Part', type: 'Number' },
  ],
};

/** When the server is killed. */
const moments: readonly (readonly [string, RegExp])[] = [
  ['while rows are read', /^began 2$/],
  ['as soon as it is acknowledged', /^loaded 2$/],
  ['between two of its parts', /^added \S+ [1-9]/],
];

/** Runs the loader and kills it at a line that it says; gives the loads that it acknowledged. */
async function killAt(line: RegExp, input: KilledLoaderInput): Promise<readonly number[]> {
  const script = join(root, 'tests/data-path/loads-until-killed.ts');
  const child = spawn(
    process.execPath,
    [join(root, 'tests/run-typescript.mjs'), script, JSON.stringify(input)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const loaded: number[] = [];
  const said = createInterface({ input: child.stdout });
  said.on('line', (text) => {
    const [, load] = /^loaded (\d+)/.exec(text) ?? [];
    if (load !== undefined) loaded.push(Number(load));
    if (line.test(text)) child.kill('SIGKILL');
  });
  await once(said, 'close');
  return loaded;
}

/** How many different parts of each load are in the table, and how many rows. */
async function partsOf(target: DatabaseTarget, tableName: string) {
  const database = await openDatabase(target, { name: 'look' });
  const rows = await database.read((unit) =>
    unit.all<{ batch: unknown; parts: unknown; rows: unknown }>(
      unit
        .knex(tableName)
        .groupBy('batch')
        .orderBy('batch')
        .select('batch')
        .countDistinct({ parts: 'part' })
        .count({ rows: 'id' }),
    ),
  );
  await database.close();
  return rows.map((row) => ({ load: Number(row.batch), parts: Number(row.parts), rows: Number(row.rows) }));
}

describeEachDatabase('a load whose server is killed', (_open, dialect) => {
  const databases = createTestDatabases(dialect, withMetadata);
  afterAll(() => databases.dropAll());

  // Where the rows are read and staged, databases do not differ.
  test.each(dialect === 'sqlite' ? moments : moments.slice(-1))(
    '%s is added whole by the next one, each row once, or not at all',
    async (_moment, line) => {
      const target = await databases.target();
      const before = await openDatabase(target, { name: 'before the kill' });
      const made = await createDataPath(before);
      const { projectId = '' } = await made.newProject('Ledger');
      const scope = made.access.systemScope(projectId, 'test');
      const table = await made.schema.createTable(scope, lines);
      await made.dispose();
      await before.close();

      const loaded = await killAt(line, { target, projectId, tableId: table.id, rowsPerLoad });

      const database = await openDatabase(target, { name: 'after the kill' });
      const after = await createDataPath(database);
      await expireRuns(database);
      const worker = createTaskWorker(after);
      worker.start();
      const ofProject = after.access.systemScope(projectId, 'test');
      for (const { id } of await after.tasks.list(ofProject)) {
        const { task } = await after.tasks.ended(ofProject, id);
        if (task.kind === 'rows.load') expect(task.state).toBe('done');
      }
      const found = await partsOf(target, table.tableName);
      for (const parts of found) expect(parts).toMatchObject({ parts: rowsPerLoad, rows: rowsPerLoad });
      // A load that the kill cut off may have become a task whose caller did not hear of it.
      expect(found.map(({ load }) => load).slice(0, loaded.length)).toEqual(loaded);
      expect(found.length).toBeLessThanOrEqual(loaded.length + 1);

      // What was read for a load that never became a task is gone after an hour.
      await database.write((unit) =>
        unit.run(unit.knex('trellis_staged_row').update({ staged_at: Date.now() - 2 * hours })),
      );
      await after.rowStore.sweepLoads(await after.taskRows.payloadsOf('rows.load'));
      expect(await stagedIn(database)).toBe(0);
      expect(await partsOf(target, table.tableName)).toEqual(found);
      await worker.stop();
      await after.dispose();
      await database.close();
    },
  );
});
