import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keptSecret } from './kept-secret.ts';
import { prepareFolder } from './prepare-folder.ts';

/** Run by the test of a full disk, in a process whose files accept no byte: prints the outcome of the first steps of a start. */
const [, , folder = '', isLimited] = process.argv;

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

if (isLimited === undefined) {
  const self = [process.execPath, fileURLToPath(import.meta.url), folder, 'limited'];
  spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', ...self], { stdio: 'inherit' });
} else {
  const failures = [
    await failureOf(prepareFolder(folder, 'TRELLIS_DATA_DIR')),
    await failureOf(keptSecret(folder, undefined)),
  ];
  process.stdout.write(JSON.stringify(failures));
}
