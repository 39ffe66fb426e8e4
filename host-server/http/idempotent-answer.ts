import { createHash } from 'node:crypto';
import type { RouteRequest } from '@trellis/sdk/server';
import { httpErrors } from './http-errors.ts';
import { isStream, jsonType, type ReadyAnswer } from './send-answer.ts';

/** Answers a repeated write from its first answer. */
export interface IdempotencyService {
  begin(call: {
    /** The id of the request, by which its writes are known. */
    readonly requestId: string;
    readonly key: string;
    readonly principal: string;
    readonly method: string;
    readonly path: string;
    readonly bodyHash: string;
  }): Promise<IdempotentCall>;
  /** Ends the signs of life of handlers that never end. */
  dispose(): Promise<void>;
}

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type IdempotentCall =
  | ({ readonly kind: 'replay' } & KeptAnswer)
  | {
      readonly kind: 'run';
      finish(answer: KeptAnswer): Promise<void>;
      /** The call failed. It may be tried again, unless it wrote rows before it failed. */
      abandon(): Promise<void>;
    };

const keyShape = /^[\x21-\x7e]{1,200}$/;

/**
 * What a repeated write must have in common with the first one.
 *
 * @throws TrellisError 400 for a key that cannot be kept: whoever sends one relies on it.
 */
export function idempotencyOf(
  request: RouteRequest,
  target: string,
): Parameters<IdempotencyService['begin']>[0] | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (!keyShape.test(key)) throw httpErrors.create('IDEMPOTENCY_KEY');
  if (request.principal.id === '') return undefined;
  return {
    requestId: request.id,
    key,
    principal: request.principal.id,
    method: request.method,
    path: target,
    bodyHash: createHash('sha256')
      .update(JSON.stringify(request.body ?? null))
      .digest('hex'),
  };
}

/** Runs a handler for the first call of its key and keeps the answer; a later one gets the kept answer. */
export async function runOnce(
  call: IdempotentCall,
  handle: () => Promise<ReadyAnswer>,
): Promise<ReadyAnswer> {
  if (call.kind === 'replay') {
    const headers = { ...call.headers, 'idempotency-replayed': 'true' };
    return { status: call.status, headers, cookies: [], body: call.body };
  }
  let answer: ReadyAnswer;
  try {
    answer = await handle();
  } catch (error) {
    await call.abandon();
    throw error;
  }
  await call.finish({
    status: answer.status,
    headers: { ...answer.headers, 'content-type': answer.headers['content-type'] ?? jsonType },
    body: isStream(answer.body) ? '' : Buffer.from(answer.body).toString(),
  });
  return answer;
}
