import { openDatabase, type DatabaseTarget } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';
import { deliveredMark } from './recorded.ts';

/** The input from the test that kills this process. */
export interface KilledWriterInput {
  /** The metadata's database. */
  readonly target: DatabaseTarget;
  /** The folder of an external base's file. */
  readonly sqliteFolder?: string;
  readonly projectId: string;
  readonly tableId: string;
  /** The number of rows that each call writes. */
  readonly rowsPerCall: number;
}

/**
 * Inserts, changes and deletes batches of rows on two lanes until it is killed; prints each call's operation when the row store has
 * acknowledged it, and on the error stream each change that the outbox delivered.
 */
async function writeUntilKilled({
  target,
  sqliteFolder,
  projectId,
  tableId,
  rowsPerCall,
}: KilledWriterInput): Promise<never> {
  const { rowStore, handleOf, access, outbox } = await createDataPath(
    await openDatabase(target, { name: 'killed' }),
    {
      sqliteFolder,
    },
  );
  outbox.subscribe({
    id: 'every-change',
    deliver: async ({ id }) => void process.stderr.write(`${deliveredMark}${id}\n`),
  });
  await outbox.settle();
  const scope = access.systemScope(projectId, 'killed');
  const acknowledge = (operationId: string | undefined) => process.stdout.write(`${operationId}\n`);

  async function lane(first: number): Promise<never> {
    for (let batch = first; ; batch += 2) {
      const rows = Array.from({ length: rowsPerCall }, (_, index) => ({
        Name: `${batch} of ${first} '${index}'`,
        Batch: batch,
        Price: `${index}.50`,
        Open: index % 2 === 0,
        Day: '2026-11-20',
      }));
      const made = await rowStore.createMany(await handleOf(scope, tableId), rows);
      acknowledge(made.operationId);
      const changed = await rowStore.updateMany(
        await handleOf(scope, tableId),
        made.result.map((key) => ({ ...key, Name: null, Price: '9.75' })),
      );
      acknowledge(changed.operationId);
      if ((batch - first) % 4 !== 0) continue;
      const gone = await rowStore.deleteMany(await handleOf(scope, tableId), made.result);
      acknowledge(gone.operationId);
    }
  }

  return Promise.race([lane(1), lane(2)]);
}

const [, , input = '{}'] = process.argv;
await writeUntilKilled(JSON.parse(input) as KilledWriterInput);
