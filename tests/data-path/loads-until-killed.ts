import { openDatabase, type DatabaseTarget } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';
import { createTaskWorker } from './task-worker.ts';

/** The input from the test that kills this process. */
export interface KilledLoaderInput {
  readonly target: DatabaseTarget;
  readonly projectId: string;
  readonly tableId: string;
  readonly rowsPerLoad: number;
}

/**
 * Loads rows three times and adds them as tasks, until it is killed. Prints one line for each event: an acknowledged load, or an
 * added part.
 */
const [, , given = '{}'] = process.argv;
const { target, projectId, tableId, rowsPerLoad } = JSON.parse(given) as KilledLoaderInput;
const path = await createDataPath(await openDatabase(target, { name: 'killed' }));
const scope = path.access.systemScope(projectId, 'killed');
path.bus.subscribe('task.changed', {
  message: ({ task }) => process.stdout.write(`added ${task.id} ${task.progress.done}\n`),
  gap: () => {},
});
createTaskWorker(path).start();

async function* rowsOf(load: number) {
  for (let part = 1; part <= rowsPerLoad; part += 1) yield { Batch: load, Part: part };
}

for (let load = 1; load <= 3; load += 1) {
  process.stdout.write(`began ${load}\n`);
  await path.rowStore.load(await path.handleOf(scope, tableId), rowsOf(load));
  process.stdout.write(`loaded ${load}\n`);
}
