import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOutcome } from '@trellis/sdk/server';
import { DatabaseError, type DatabaseTarget } from '../../databases/index.ts';
import type { BaseDatabases } from './base-databases.ts';
import { connectionProblem } from './connection-problem.ts';

/** Milliseconds until a test is given up, and milliseconds that are added to the connection's own timeout. */
const longest = 10_000;
const beside = 3000;
/** Milliseconds that a failed test takes at least: the time until a refusal would tell what runs on a host. */
const shortest = 1000;

/** Connects to a database once. @param mayCreate whether to create a database that does not exist yet */
export async function testConnection(
  databases: Pick<BaseDatabases, 'test' | 'create'>,
  target: DatabaseTarget,
  options: { readonly mayCreate: boolean; readonly signal?: AbortSignal },
): Promise<ConnectionOutcome> {
  const { mayCreate, signal } = options;
  const ended = new AbortController();
  const stop = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  const atLeast = delay(shortest, undefined, { signal: stop }).catch(() => undefined);
  const openMs = 'openMs' in target ? (target.openMs ?? 0) : 0;
  const late = delay(Math.max(longest, openMs + beside), undefined, { signal: stop }).then(
    () => Promise.reject(new DatabaseError('timeout')),
    () => Promise.reject(new DatabaseError('cancelled')),
  );
  const trying = (async () => {
    if (mayCreate && !('file' in target)) await databases.create(target);
    await databases.test(target);
  })();
  try {
    await Promise.race([trying, late]);
    return { ok: true };
  } catch (error) {
    signal?.throwIfAborted();
    await atLeast;
    const { message, code, params } = connectionProblem(error);
    return { ok: false, message, code, params };
  } finally {
    ended.abort();
    // Whichever of the two loses the race may still reject, and nobody waits for it.
    trying.catch(() => undefined);
    late.catch(() => undefined);
  }
}
