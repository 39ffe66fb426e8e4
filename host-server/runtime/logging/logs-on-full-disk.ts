import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLogger } from './logger.ts';

/** Run by the test of logs on a full disk: a process whose log file accepts a few lines reports on standard error that it continued. */
const [, , file = '', isLimited] = process.argv;

if (isLimited === undefined) {
  const self = [process.execPath, fileURLToPath(import.meta.url), file, 'limited'];
  const log = openSync(file, 'w');
  const { status } = spawnSync('sh', ['-c', 'ulimit -f 4; exec "$0" "$@"', ...self], {
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  process.exitCode = status ?? 1;
} else {
  const logger = createLogger({ level: 'info' });
  for (let line = 0; line < 100; line += 1) {
    logger.info('A line of the log', { line, filling: 'x'.repeat(100) });
    await setTimeout(1);
  }
  process.stderr.write('went on\n');
}
