import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-signals-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

/** A shell that waits for what it runs, and ends by a signal without telling it. */
async function waitingShell(): Promise<string> {
  const file = join(folder, 'shell');
  await writeFile(file, '#!/bin/sh\nshift\neval "$1"\nexit $?\n');
  await chmod(file, 0o755);
  return file;
}

test.each([
  ['its shell becomes the server', async () => '/bin/sh'],
  ['its shell waits for the server', waitingShell],
])('npm start that is told to end ends the server in good order where %s', async (_, shellOf) => {
  const npm = spawn('npm', ['start', `--script-shell=${await shellOf()}`], {
    cwd: process.cwd(),
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      TRELLIS_DATA_DIR: await mkdtemp(join(folder, 'data-')),
      // So little that the watch over it begins at once.
      NODE_OPTIONS: '--max-old-space-size=250',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complained = '';
  npm.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  let said = '';
  const says = (text: string) =>
    new Promise<void>((resolve) => {
      const hear = () => {
        if (!said.includes(text)) return;
        npm.stdout.off('data', hear);
        resolve();
      };
      npm.stdout.on('data', hear);
      hear();
    });
  npm.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  // The output is at its end when the last of them has ended.
  const ended = once(npm.stdout, 'end');
  await says('Trellis listens on');
  npm.kill('SIGTERM');
  await says('Trellis stops.');
  await ended;
  expect(said).toContain('Trellis stops.');
  expect(complained).not.toContain('debugger');
});
