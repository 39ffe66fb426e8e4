import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isVisitor, type Principal, type RouteDefinition, type RouteRequest } from '@trellis/sdk/server';
import { httpErrors } from './http-errors.ts';
import { isStream, jsonType, type ReadyAnswer } from './send-answer.ts';

/** Answers a repeated write from its first answer. */
export interface IdempotencyService {
  begin(call: {
    /** The id of the request, by which its writes are known. */
    readonly requestId: string;
    readonly key: string;
    /** Identifies the caller: callers with different texts never share a key. */
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
/** Strangers share the keys of an address or of a link: none may meet another's by chance. */
const shortestKeyOfGuests = 32;

/**
 * What a repeated write must have in common with the first one.
 *
 * @throws TrellisError 400 for a key that cannot be kept, and `IDEMPOTENCY_RAW` where the handler reads the body itself, of which nobody can
 * say before whether it is the same: whoever sends a key relies on it.
 */
export async function idempotencyOf(
  request: RouteRequest,
  route: Pick<RouteDefinition, 'repeatableByGuests' | 'permission'>,
  target: string,
): Promise<Parameters<IdempotencyService['begin']>[0] | undefined> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (!keyShape.test(key)) throw httpErrors.create('IDEMPOTENCY_KEY');
  // Rights of visitors were checked before, as those of members; all visitors of a link share its keys.
  const isNobody = request.principal.id === '';
  const isGuest = isNobody && (!isVisitor(request.principal) || route.permission === 'public');
  const isRepeatable = !isGuest || route.repeatableByGuests === true;
  if (isNobody && !(isRepeatable && key.length >= shortestKeyOfGuests)) return undefined;
  if (request.stream !== undefined) throw httpErrors.create('IDEMPOTENCY_RAW');
  return {
    requestId: request.id,
    key,
    principal: isGuest ? `guest ${target}` : callerOf(request.principal),
    method: request.method,
    path: target,
    bodyHash: await hashOf(request),
  };
}

/** Each session, each token and each preview has its own keys: what one of them was answered may be more than another may know. */
function callerOf({ kind, id, credentialId, maximumRole, customRole, onlyProjects, scopeRules }: Principal) {
  return JSON.stringify([kind, id, credentialId, maximumRole, customRole, onlyProjects, scopeRules]);
}

/** A hash of the body, and of the files with their names. */
async function hashOf({ body, files = [] }: RouteRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(body ?? null));
  for (const { field, name, type, path } of files) {
    const content = createHash('sha256');
    await pipeline(createReadStream(path), content);
    hash.update(JSON.stringify([field, name, type, content.digest('hex')]));
  }
  return hash.digest('hex');
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
