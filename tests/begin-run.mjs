import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the folder that the run's test files share (`host-server/databases/testing/shared-in-run.ts`). */
export default async function beginRun() {
  process.env.TRELLIS_TEST_RUN = await mkdtemp(join(tmpdir(), 'trellis-run-'));
}
