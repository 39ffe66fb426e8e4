import { createHash } from 'node:crypto';
import { defineErrors } from '@trellis/core';
import type { Secrets } from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import { heldBy, type HeldCall, type WrittenCalls } from '../changes/written-calls.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { ageOfRow, fromNow } from '../runtime/database-clock.ts';
import { Heartbeat } from '../runtime/heartbeat.ts';
import { randomText } from '../runtime/ids.ts';
import type { Unit } from '../sql/unit.ts';
import type { IdempotencyService, IdempotentCall, KeptAnswer } from './idempotent-answer.ts';

const idempotencyErrors = defineErrors({
  IDEMPOTENCY_RUNNING: {
    status: 409,
    message: 'The same request is being carried out at this moment. Please wait for its answer.',
  },
  IDEMPOTENCY_DONE: {
    status: 409,
    message:
      'This request was carried out already. Its answer is not given again, because rights have changed since.',
  },
  IDEMPOTENCY_OTHER: { status: 422, message: 'This Idempotency-Key was used for another request.' },
});

const keptFor = 24 * 60 * 60 * 1000;
/** A running call says so as often as this while it runs. Milliseconds. */
const beatEvery = 5000;
/** A call that has not said for so long that it runs was cut off with its server. Milliseconds. */
const silentFor = 30_000;
/** How long a key is kept of a call whose write to an external database has an unknown outcome. */
const abandonedAfter = 10 * 60 * 1000;
/** Larger answers are not kept: the repetition is told that the first call succeeded. */
const largestBody = 1024 * 1024;
const claimLength = 16;
/** What answers are sealed for: they may hold links and tokens that are kept nowhere else. */
const purpose = 'idempotent-answer';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body_hash: string;
  readonly claim_id: string;
  readonly state: string;
  readonly status: number | null;
  /** A sealed `SealedAnswer`; empty where nothing is known but that the call succeeded. */
  readonly body: string | null;
  readonly created_at: number | string;
  /** Milliseconds since the last sign of life, or since the end of the call. */
  readonly age: number | string;
}

interface SealedAnswer extends Pick<KeptAnswer, 'headers' | 'body'> {
  /** How often rights had changed on this installation when the answer was given. */
  readonly rights: number;
}

export interface IdempotencyDependencies {
  readonly metadata: Metadata;
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  /** Told which request runs under which key, so that its writes mark it as done themselves. */
  readonly calls: WrittenCalls;
  /** Told when an answer could not be kept. The call succeeded all the same. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two signs of life of a running call. Default 5,000. */
  readonly beatEvery?: number;
}

const table = 'trellis_idempotency';

/**
 * Keeps the answers of writes for a day, so that a retry after a lost answer changes nothing.
 *
 * `created_at` of a running call moves on while its server lives, by the clock of the database. A server that was killed stops
 * saying so, and the key is free after half a minute, unless a write to another database was announced under it of which the
 * outcome is not known yet. Each run has a claim of its own: a server that only stalled finds that the key is no longer its.
 *
 * Many handlers ask for rights themselves, and a repetition does not reach them: once rights have changed anywhere, it is told
 * only that the call was carried out.
 */
export function createIdempotency(deps: IdempotencyDependencies): IdempotencyService {
  const { calls, onError, secrets } = deps;
  const { database, generations } = deps.metadata;
  /** The claims of this server, with their keys. */
  const running = new Map<string, string>();
  let heartbeat: Heartbeat | undefined;

  return {
    async begin(call): Promise<IdempotentCall> {
      const key = createHash('sha256').update(`${call.principal}\n${call.key}`).digest('hex');
      const held = { key, claim: randomText(claimLength) };
      const known = await claim(held, { method: call.method, path: call.path, body_hash: call.bodyHash });
      if (known === undefined) return run(held, call.requestId);
      if (known.method !== call.method || known.path !== call.path || known.body_hash !== call.bodyHash) {
        throw idempotencyErrors.create('IDEMPOTENCY_OTHER');
      }
      if (known.state !== 'done') throw idempotencyErrors.create('IDEMPOTENCY_RUNNING');
      return { kind: 'replay', status: known.status ?? 200, ...(await unsealed(known.body ?? '')) };
    },
    async dispose() {
      running.clear();
      await heartbeat?.stop();
    },
  };

  /** @throws TrellisError `IDEMPOTENCY_DONE` for an answer that the caller may have lost the right to, or that cannot be read */
  async function unsealed(sealed: string): Promise<Pick<KeptAnswer, 'headers' | 'body'>> {
    if (sealed === '') return { headers: {}, body: '' };
    const rights = await database.read((unit) => generations.read(unit, 'access'));
    let kept: SealedAnswer;
    try {
      kept = JSON.parse(secrets.decrypt(purpose, sealed)) as SealedAnswer;
    } catch (cause) {
      throw idempotencyErrors.create('IDEMPOTENCY_DONE', {}, cause);
    }
    if (kept.rights !== rights) throw idempotencyErrors.create('IDEMPOTENCY_DONE');
    return { headers: kept.headers, body: kept.body };
  }

  /** Takes the key, or gives the call that has it. */
  async function claim(held: HeldCall, call: object): Promise<Row | undefined> {
    const { key } = held;
    try {
      return await database.write(
        async (unit) => {
          const age = ageOfRow(unit, database.dialect, 'created_at');
          const known = await unit.first<Row>(unit.knex(table).where({ key }).select('*', age));
          const created_at = fromNow(unit, database.dialect);
          const begun = { ...call, state: 'running', claim_id: held.claim, created_at };
          if (known === undefined) await unit.run(unit.knex(table).insert({ key, ...begun }));
          else if (await isFree(unit, key, known)) await takeOver(unit, key, known, begun);
          else return known;
          return undefined;
        },
        { retry: true },
      );
    } catch (error) {
      // Its twin took the key in the same moment.
      if (error instanceof DatabaseError && error.kind === 'unique')
        throw idempotencyErrors.create('IDEMPOTENCY_RUNNING');
      throw error;
    }
  }

  async function isFree(unit: Unit, key: string, { state, claim_id, age }: Row): Promise<boolean> {
    if (state !== 'running') return Number(age) > keptFor;
    if (running.has(claim_id) || Number(age) <= silentFor) return false;
    return Number(age) > abandonedAfter || !(await isAnnounced(unit, key));
  }

  function enter({ key, claim: claimed }: HeldCall): void {
    running.set(claimed, key);
    heartbeat ??= new Heartbeat({ every: deps.beatEvery ?? beatEvery, beat, onError });
  }

  function leave({ claim: claimed }: HeldCall): void {
    running.delete(claimed);
    if (running.size > 0) return;
    void heartbeat?.stop();
    heartbeat = undefined;
  }

  /** One sign of life for all calls of this server. */
  async function beat(): Promise<true> {
    await database.write(
      (unit) =>
        unit.run(
          unit
            .knex(table)
            .whereIn('key', [...running.values()])
            .whereIn('claim_id', [...running.keys()])
            .where({ state: 'running' })
            .update({ created_at: fromNow(unit, database.dialect) }),
        ),
      { retry: true },
    );
    return true;
  }

  function run(held: HeldCall, requestId: string): IdempotentCall {
    calls.begin(requestId, held);
    enter(held);
    return {
      kind: 'run',
      async finish({ status, headers, body }) {
        leave(held);
        calls.end(requestId);
        const kept: SealedAnswer = {
          headers,
          body: body.length <= largestBody ? body : '',
          rights: generations.current('access'),
        };
        try {
          const done = {
            state: 'done',
            status,
            headers: null,
            body: secrets.encrypt(purpose, JSON.stringify(kept)),
          };
          await database.write((unit) => unit.run(heldBy(unit, held).update(done)));
        } catch (error) {
          // The write has happened, so an error would help nobody.
          onError(error);
        }
      },
      async abandon() {
        leave(held);
        // A write to another database that may have happened: the key is free, or its call done, once that is settled.
        if (calls.end(requestId).isOpen) return;
        // A write that was committed before the failure stays carried out.
        try {
          await database.write((unit) => unit.run(heldBy(unit, held).where({ state: 'running' }).delete()));
        } catch (error) {
          // The caller is to hear why its call failed, and not this; without a sign of life the key becomes free by itself.
          onError(error);
        }
      },
    };
  }
}

/** Replaces an old call by a new one, unless the old call showed life or was taken over since it was read. */
async function takeOver(unit: Unit, key: string, known: Row, begun: object): Promise<void> {
  const { claim_id, state, created_at } = known;
  const empty = { status: null, headers: null, body: null };
  const { changes } = await unit.run(
    unit
      .knex(table)
      .where({ key, claim_id, state, created_at })
      .update({ ...empty, ...begun }),
  );
  if (changes === 0) throw idempotencyErrors.create('IDEMPOTENCY_RUNNING');
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

/** Answers that are forgotten in one transaction. */
const forgottenAtOnce = 500;

/** Forgets answers that are older than a day, in short transactions: a busy hour leaves hundreds of thousands. */
export async function sweepIdempotency({ database }: Metadata, signal: AbortSignal): Promise<void> {
  for (let forgotten = forgottenAtOnce; forgotten === forgottenAtOnce;) {
    signal.throwIfAborted();
    forgotten = await database.write(async (unit) => {
      const old = () => unit.knex(table).where('created_at', '<', fromNow(unit, database.dialect, -keptFor));
      const rows = await unit.all<{ readonly key: string }>(old().limit(forgottenAtOnce).select('key'));
      const keys = rows.map(({ key }) => key);
      // The condition is repeated: a key that was taken over since is new again.
      if (keys.length > 0) await unit.run(old().whereIn('key', keys).delete());
      return keys.length;
    });
  }
}
