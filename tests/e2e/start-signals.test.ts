import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shipToNewFolder } from './built-product.ts';

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

/** Starts the product as its users do, and hears what it says. */
function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, {
    cwd: process.cwd(),
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return {
    child,
    complained: () => complained,
    /** Resolves to what a pattern finds for the nth time. */
    says: async (pattern: RegExp, nth = 1): Promise<string> => {
      for (;;) {
        const found = [...said.matchAll(pattern)][nth - 1];
        if (found !== undefined) return found[1] ?? found[0];
        await once(child.stdout, 'data');
      }
    },
    /** The output is at its end when the last of them has ended. */
    ended: once(child.stdout, 'end'),
  };
}

test.each([
  ['its shell becomes what it runs', async () => '/bin/sh'],
  ['its shell waits for what it runs', waitingShell],
])('npm start that is told to end ends the server in good order where %s', async (_, shellOf) => {
  const npm = start('npm', ['start', `--script-shell=${await shellOf()}`], {
    TRELLIS_DATA_DIR: await mkdtemp(join(folder, 'data-')),
    // So little that the watch over it begins at once.
    NODE_OPTIONS: '--max-old-space-size=250',
  });
  await npm.says(/Trellis listens on/g);
  npm.child.kill('SIGTERM');
  await npm.says(/Trellis stops\./g);
  await npm.ended;
  expect(npm.complained()).not.toContain('debugger');
});

test('a server that a plugin keeps busy is started again without that plugin, and ends by the signals of a terminal', async () => {
  const dataDir = await shipToNewFolder([
    {
      id: 'never-ends',
      name: 'Looper',
      server: `export default { setup(ctx) {
        ctx.routes({ method: 'GET', path: 'spin', permission: 'public', summary: 'Loops',
          async handle() { await undefined; for (let turn = 0; ; turn += 1) JSON.stringify({ turn }); } });
      } };`,
    },
  ]);
  const script = start('host-server/start', [], {
    TRELLIS_DATA_DIR: dataDir,
    TRELLIS_PLUGINS_ENABLED: 'never-ends',
    TRELLIS_WATCHDOG_SECONDS: '2',
  });
  const spin = async (url: string) => (await fetch(`${url}/api/v1/plugins/never-ends/spin`)).status;
  const listens = /Trellis listens on (\S+)/g;
  await spin(await script.says(listens)).catch(() => undefined);
  expect(await spin(await script.says(listens, 2))).toBe(501);
  // A terminal tells all of them.
  const server = Number(
    await promisify(execFile)('pgrep', ['-P', String(script.child.pid)]).then(({ stdout }) => stdout),
  );
  const exited = once(script.child, 'exit');
  process.kill(server, 'SIGINT');
  script.child.kill('SIGINT');
  await script.says(/Trellis stops\./g);
  expect(await exited).toEqual([0, null]);
  await rm(dataDir, { recursive: true, force: true });
});
