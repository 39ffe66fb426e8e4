import { createHash } from 'node:crypto';
import { defineErrors } from '@trellis/core';
import { DatabaseError } from '../databases/index.ts';
import type { WrittenCalls } from '../changes/written-calls.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { IdempotencyService, IdempotentCall } from './idempotent-answer.ts';

const idempotencyErrors = defineErrors({
  IDEMPOTENCY_RUNNING: {
    status: 409,
    message: 'The same request is being carried out at this moment. Please wait for its answer.',
  },
  IDEMPOTENCY_OTHER: { status: 422, message: 'This Idempotency-Key was used for another request.' },
});

const keptFor = 24 * 60 * 60 * 1000;
/** A call that did not end within this was cut off with its server. */
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
}

/** Keeps the answers of writes for a day, so that a retry after a lost answer changes nothing. */
export function createIdempotency(deps: IdempotencyDependencies): IdempotencyService {
  const { calls, onError, now = Date.now } = deps;
  const { database } = deps.metadata;

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
        const age = known === undefined ? 0 : now() - Number(known.created_at);
        const isOver = age > keptFor || (known?.state === 'running' && age > abandonedAfter);
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

  function run(key: string, requestId: string): IdempotentCall {
    calls.begin(requestId, key);
    return {
      kind: 'run',
      async finish({ status, headers, body }) {
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
