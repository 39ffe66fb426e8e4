import { createHash } from 'node:crypto';
import { defineErrors } from '@trellis/core';
import { DatabaseError } from '../databases/index.ts';
import type { WrittenCalls } from '../changes/written-calls.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import type { IdempotencyService, IdempotentCall } from './idempotent-answer.ts';

const idempotencyErrors = defineErrors({
  IDEMPOTENCY_RUNNING: {
    status: 409,
    message: 'The same request is being carried out at this moment. Please wait for its answer.',
  },
  IDEMPOTENCY_OTHER: { status: 422, message: 'This Idempotency-Key was used for another request.' },
});

const keptFor = 24 * 60 * 60 * 1000;
/** A running call says so as often as this while it runs. Milliseconds. */
const beatEvery = 5000;
/** A call that has not said for so long that it runs was cut off with its server. Milliseconds. */
const silentFor = 30_000;
/** A call that wrote to another database, and of which nobody knows whether it happened, keeps its key for so long. */
const abandonedAfter = 10 * 60 * 1000;
/** Larger answers are not kept: the repetition is told that the first call succeeded. */
const largestBody = 1024 * 1024;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body_hash: string;
  readonly state: string;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: string | null;
  readonly created_at: number | string;
}

export interface IdempotencyDependencies {
  readonly metadata: Metadata;
  /** Told which request runs under which key, so that its writes mark it as done themselves. */
  readonly calls: WrittenCalls;
  /** Told when an answer could not be kept. The call succeeded all the same. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
  /** Milliseconds between two signs of life of a running call. Default 5,000. */
  readonly beatEvery?: number;
}

/**
 * Keeps the answers of writes for a day, so that a retry after a lost answer changes nothing.
 *
 * `created_at` of a running call moves on while its server lives. A server that was killed stops saying so, and the key is free
 * after half a minute, unless a write to another database was announced under it of which the outcome is not known yet.
 */
export function createIdempotency(deps: IdempotencyDependencies): IdempotencyService {
  const { calls, onError, now = Date.now } = deps;
  const { database } = deps.metadata;
  const running = new Set<string>();
  let beating: NodeJS.Timeout | undefined;

  return {
    async begin(call): Promise<IdempotentCall> {
      const key = createHash('sha256').update(`${call.principal}\n${call.key}`).digest('hex');
      const row = { key, method: call.method, path: call.path, body_hash: call.bodyHash };
      const known = await claim(key, row);
      if (known === undefined) return run(key, call.requestId);
      if (known.method !== call.method || known.path !== call.path || known.body_hash !== call.bodyHash) {
        throw idempotencyErrors.create('IDEMPOTENCY_OTHER');
      }
      if (known.state !== 'done') throw idempotencyErrors.create('IDEMPOTENCY_RUNNING');
      return {
        kind: 'replay',
        status: known.status ?? 200,
        headers: JSON.parse(known.headers ?? '{}') as Readonly<Record<string, string>>,
        body: known.body ?? '',
      };
    },
  };

  /** Takes the key, or gives the call that has it. */
  async function claim(key: string, row: object): Promise<Row | undefined> {
    const table = 'trellis_idempotency';
    try {
      return await database.write(async (unit) => {
        const known = await unit.first<Row>(unit.knex(table).where({ key }).select('*'));
        const isOver = known !== undefined && !running.has(key) && (await isFree(unit, key, known));
        if (known !== undefined && !isOver) return known;
        if (isOver) await unit.run(unit.knex(table).where({ key }).delete());
        await unit.run(unit.knex(table).insert({ ...row, state: 'running', created_at: now() }));
        return undefined;
      });
    } catch (error) {
      // Its twin took the key in the same moment.
      if (error instanceof DatabaseError && error.kind === 'unique')
        throw idempotencyErrors.create('IDEMPOTENCY_RUNNING');
      throw error;
    }
  }

  async function isFree(unit: Unit, key: string, { state, created_at }: Row): Promise<boolean> {
    const age = now() - Number(created_at);
    if (state !== 'running') return age > keptFor;
    if (age <= silentFor) return false;
    return age > abandonedAfter || !(await isAnnounced(unit, key));
  }

  function enter(key: string): void {
    running.add(key);
    beating ??= setInterval(() => void beat(), deps.beatEvery ?? beatEvery).unref();
  }

  function leave(key: string): void {
    running.delete(key);
    if (running.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  }

  async function beat(): Promise<void> {
    try {
      await database.write((unit) =>
        unit.run(
          unit
            .knex('trellis_idempotency')
            .whereIn('key', [...running])
            .where({ state: 'running' })
            .update({ created_at: now() }),
        ),
      );
    } catch (error) {
      onError(error);
    }
  }

  function run(key: string, requestId: string): IdempotentCall {
    calls.begin(requestId, key);
    enter(key);
    return {
      kind: 'run',
      async finish({ status, headers, body }) {
        leave(key);
        calls.end(requestId);
        const answer = {
          status,
          headers: JSON.stringify(headers),
          body: body.length <= largestBody ? body : '',
        };
        try {
          await database.write((unit) =>
            unit.run(
              unit
                .knex('trellis_idempotency')
                .where({ key })
                .update({ state: 'done', ...answer }),
            ),
          );
        } catch (error) {
          // The write has happened: nobody is helped by an error.
          onError(error);
        }
      },
      async abandon() {
        leave(key);
        // A write to another database that may have happened: the key is free, or its call done, once that is settled.
        if (calls.end(requestId).isOpen) return;
        // A write that was committed before the failure stays carried out.
        await database.write((unit) =>
          unit.run(unit.knex('trellis_idempotency').where({ key, state: 'running' }).delete()),
        );
      },
    };
  }
}

/** Whether a write to another database was announced by the call of this key and not settled. */
async function isAnnounced(unit: Unit, key: string): Promise<boolean> {
  // The key is a hash, so that nothing else in an announcement looks like it.
  const found = await unit.first(
    unit
      .knex('trellis_pending')
      .where('entry', 'like', `%"callKey":"${key}"%`)
      .select('operation_id')
      .limit(1),
  );
  return found !== undefined;
}

/** Forgets answers that are older than a day. */
export async function sweepIdempotency({ database }: Metadata, now: number = Date.now()): Promise<void> {
  await database.write((unit) =>
    unit.run(
      unit
        .knex('trellis_idempotency')
        .where('created_at', '<', now - keptFor)
        .delete(),
    ),
  );
}
