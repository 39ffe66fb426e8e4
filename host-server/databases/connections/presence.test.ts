import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatabaseTarget } from '../database.ts';
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
});
