import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder in which test files leave what others of this run can use (`host-server/databases/testing/shared-in-run.ts`). */
export default async function beginRun() {
  process.env.TRELLIS_TEST_RUN = await mkdtemp(join(tmpdir(), 'trellis-run-'));
}
