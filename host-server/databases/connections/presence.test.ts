import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatabaseTarget, ServerTarget } from '../database.ts';
import { createTestDatabases, describeEachServer } from '../testing.ts';
import { openPresence } from './presence.ts';

const root = join(import.meta.dirname, '../../..');

/** A server in a process of its own. */
async function startOther(target: DatabaseTarget) {
  const script = join(import.meta.dirname, 'holds-presence.ts');
  const child = spawn(
    process.execPath,
    [join(root, 'tests/run-typescript.mjs'), script, JSON.stringify(target)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [id] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    id,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A way to a database server that can fall silent without a word. */
async function wayTo({ host, port }: ServerTarget) {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const proxy = createServer((near) => {
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (isSilent || to.write(data)));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
    },
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function tests(targetOf: () => Promise<DatabaseTarget>): void {
  test('a server that was killed or has stopped has ended for the others, and one that runs has not', async () => {
    const target = await targetOf();
    const own = await openPresence(target);
    const other = await startOther(target);
    const beside = await openPresence(target);
    try {
      expect(await own.endedOf([own.id, other.id, beside.id])).toEqual([]);
      await other.kill();
      // A database server hears of the end of a process a moment later.
      while ((await own.endedOf([other.id])).length === 0) await new Promise(setImmediate);
      expect(await own.endedOf([other.id, beside.id])).toEqual([other.id]);
      await beside.dispose();
      while ((await own.endedOf([beside.id])).length === 0) await new Promise(setImmediate);
    } finally {
      await own.dispose();
    }
  });

  test('nothing is said of what no server of this kind was called', async () => {
    const own = await openPresence(await targetOf());
    expect(await own.endedOf(['host:1:abcdefgh', ''])).toEqual([]);
    await own.dispose();
  });
}

describe('the presence of servers on SQLite', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-presence-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  tests(() => Promise.resolve({ kind: 'sqlite', file: join(folder, 'metadata.db') }));
});

describeEachServer('the presence of servers', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());
  tests(() => databases.target());

  test('nobody waits for ever for a database server that has fallen silent', async () => {
    const target = (await databases.target()) as ServerTarget;
    const way = await wayTo(target);
    const own = await openPresence({ ...target, host: '127.0.0.1', port: way.port });
    way.fallSilent();
    // Nothing is known, so nobody is taken for ended.
    expect(await own.endedOf(['server:host:1:abcdefgh'])).toEqual([]);
    await own.dispose();
    way.close();
  }, 30_000);
});
