import { KeyedWork, mostInterrupted, pauseAfter, type Background, type Logger } from '@trellis/sdk/server';
import type { Delivery, DeliveryStore, Outcome, WaitingDelivery } from './delivery-store.ts';
import type { Hook, HookStore } from './hook-store.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { OwnerLost } from './owner-lost.ts';
import type { OwnerCode } from './pause-codes.ts';
import type { Pause } from './pause.ts';
import type { Send, Sent } from './send.ts';
import type { RefusesAll } from './refusals.ts';
import type { TargetGate } from './target-gate.ts';
import { tellOf } from './tell-of.ts';
import { hookErrors } from './hook-errors.ts';
import { SlowMessages } from './slow-messages.ts';
import { triesOf } from './tries.ts';
import { firstOfEachRow, unitsOf, type Unit } from './units.ts';

export interface DispatcherDependencies {
  readonly hooks: Pick<HookStore, 'byId' | 'change'>;
  readonly deliveries: Pick<DeliveryStore, 'waitingHooks' | 'waiting' | 'claim' | 'settle'>;
  readonly send: Send;
  /** Whether messages of this type can be sent at the moment; otherwise they wait, without counting tries. */
  readonly isThere: (type: string) => boolean;
  /** In which it looks for what waits, and takes it. */
  readonly background: Background;
  readonly logger: Pick<Logger, 'error'>;
  /** Called when a webhook was paused because its receiver no longer answers. */
  readonly didPause: (hook: Hook) => Promise<void>;
  /** Called when the messages of a webhook begin to fail, or arrive again. */
  readonly didTurn: (hook: Hook) => void;
  readonly guard: Pick<LoopGuard, 'sent' | 'judge'>;
  readonly pause: Pause;
  readonly ownerLost: OwnerLost;
  readonly refusesAll: RefusesAll;
  /** Limits the messages to one target. */
  readonly gate: Pick<TargetGate, 'take'>;
  readonly now?: () => number;
  /** Milliseconds between looks for what is due. Default 1,000. */
  readonly every?: number;
}

/** Tries of one event, and rounds of one webhook, before giving up: about a day. */
export const mostAttempts = 12;
/** Failed rounds after which events are tried one at a time, and not before the webhook's `retryAt`. */
const patience = 3;
/** Longer than a message may take; a request takes far less than a mail. Messages held by a hanging server also wait that long. */
const leaseMs = { request: 20_000, other: 60_000 } as const;
/**
 * The number of deliveries that a look reads first; each further read takes twice as many, from the oldest on. Rows of one
 * message may be released between two reads, and would then be sent separately.
 */
const looked = 125;
const mostLooked = 10_000;
/** Milliseconds for which a look is used. Events that arrived later, and those that other servers sent, are seen by the next look. */
const longestLook = 2000;
/** Milliseconds of the thread that a message takes, from its template to the answer. */
const messageMs = 0.5;
/** Milliseconds after which results are stored, even if other messages of the round have not finished. */
const settleEvery = 250;
/** Milliseconds that a round waits for its last messages if others arrived; messages of other rows continue meanwhile. */
const longestWait = 1000;
/** Messages of a webhook in one round, if its target accepts so many. */
const atOnce = 50;

/** What a try came to, and what is over. */
type Tried = Outcome & Pick<Sent, 'final'>;

/** The waiting events of a webhook, found by one look. Events that other servers took meanwhile are not returned by the claim. */
interface Look {
  readonly at: number;
  /** The oldest first. */
  readonly waiting: readonly WaitingDelivery[];
  /** Whether more waits behind. */
  readonly isCut: boolean;
}

/**
 * Sends waiting events of webhooks: those of one row one after another, those of several rows in parallel. Several servers share
 * the work by claims. A failing receiver is tried less and less often; after about a day its webhook is paused, and its events
 * keep waiting.
 */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #now: () => number;
  readonly #work: KeyedWork;
  /** By webhook id, whether all of the last messages that this server sent have failed. */
  readonly #failing = new Map<string, boolean>();

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#work = new KeyedWork({
      due: () => deps.deliveries.waitingHooks(this.#now()),
      run: (id, signal) => this.#run(id, signal),
      failed: (error) => deps.logger.error('Webhooks could not be sent', { error }),
      every: deps.every,
    });
  }

  /** Looks for webhooks that have something to do. */
  look(): void {
    this.#work.look();
  }

  wake(hookIds: Iterable<string>): void {
    this.#work.wake(hookIds);
  }

  /** Resolves when nothing is under way. */
  settle(): Promise<void> {
    return this.#work.settle();
  }

  dispose(): Promise<void> {
    return this.#work.dispose();
  }

  async #run(hookId: string, signal: AbortSignal): Promise<void> {
    const slow = new SlowMessages();
    let look: Look | undefined;
    for (let isMore = true; (isMore || slow.count > 0) && !signal.aborted;) {
      // What comes meanwhile for other rows is seen by the next look.
      if (!isMore) await slow.settled(settleEvery);
      ({ isMore, look } = await this.#round(hookId, look, slow));
    }
    await slow.settled();
  }

  /**
   * @param known the rest of the previous round's look
   * @param slow unfinished messages of earlier rounds, to which this one adds its own
   */
  async #round(
    hookId: string,
    known: Look | undefined,
    slow: SlowMessages,
  ): Promise<{ readonly isMore: boolean; readonly look?: Look | undefined }> {
    const { hooks, guard, pause, gate, background } = this.#deps;
    const over = { isMore: false };
    const { signal } = this.#work;
    const found = await background.run(() => this.#found(hookId, known), signal);
    if (found === undefined || signal.aborted) return over;
    const { hook, now, look, due, lost } = found;
    if (lost !== undefined) {
      await pause(hookId, lost);
      return over;
    }
    const worn = due.filter(({ deliveries: [{ interrupted }] }) => interrupted >= mostInterrupted);
    if (worn.length > 0) return { isMore: await this.#giveUp(hookId, worn) };
    const places = hook.failures >= patience ? 1 : atOnce;
    const tried = roundOf(inTurn(due)).slice(0, Math.max(0, places - slow.count));
    if (tried.length === 0) return over;
    const verdict = guard.judge(hookId, now);
    if (verdict.kind === 'loop') await pause(hookId, 'HOOK_LOOP');
    // Stored with the webhook, so that no other server sends meanwhile.
    if (verdict.kind === 'hold') await hooks.change(hookId, () => ({ retryAt: verdict.until }));
    if (verdict.kind !== 'go') return over;
    const permits = await gate.take(targetOf(hook), tried.length, signal);
    if (permits === undefined) return over;
    let isLeft = permits.count;
    try {
      const wanted = tried.slice(0, permits.count);
      const claimed = await background.run(() => this.#claimed({ hook, now }, wanted), signal);
      if (claimed === undefined) return over;
      const { still, taken } = claimed;
      // What another server took meanwhile is its own; what is left is found by a look of its own.
      if (taken.length === 0) return { isMore: known !== undefined };
      guard.sent(hookId, this.#now());
      isLeft -= taken.length;
      background.charge(taken.length * messageMs);
      const trying = taken.map((unit) => this.#try(still, unit).finally(() => permits.done()));
      const { sent, open } = await this.#settled(hookId, trying, longestWait);
      // Where the plugin ends meanwhile, the messages are sent again.
      if (signal.aborted) return over;
      const told = performance.now();
      await this.#judge(still, sent);
      background.charge(performance.now() - told);
      if (open.length > 0) slow.add(this.#finished(still, open), open.length);
      const isSmooth =
        open.length === 0 && taken.length === wanted.length && sent.every(({ state }) => state === 'done');
      return isSmooth ? leftOf(look, taken) : { isMore: true };
    } finally {
      for (; isLeft > 0; isLeft -= 1) permits.done();
    }
  }

  /**
   * Stores the results of finished messages without waiting for slower ones. Ends when the plugin does.
   *
   * @param patience milliseconds after which those that are not through are left open, where one has arrived; all of them by default
   */
  async #settled(
    hookId: string,
    trying: readonly Promise<Tried>[],
    patience = Number.POSITIVE_INFINITY,
  ): Promise<{
    readonly sent: readonly Tried[];
    readonly open: readonly Promise<Tried>[];
  }> {
    const { deliveries, background } = this.#deps;
    const begun = performance.now();
    const through: { readonly one: Promise<Tried>; readonly tried: Tried }[] = [];
    const all = Promise.all(trying.map(async (one) => void through.push({ one, tried: await one })));
    let sent: readonly Tried[] = [];
    while (sent.length < trying.length) {
      await endsWithin(all, settleEvery);
      if (this.#work.signal.aborted) break;
      const fresh = through.slice(sent.length).map(({ tried }) => tried);
      if (fresh.length > 0) {
        const settling = performance.now();
        await deliveries.settle(hookId, fresh);
        background.charge(performance.now() - settling);
      }
      sent = [...sent, ...fresh];
      if (performance.now() - begun >= patience && sent.some(({ state }) => state === 'done')) break;
    }
    const kept = new Set(through.slice(0, sent.length).map(({ one }) => one));
    return { sent, open: trying.filter((one) => !kept.has(one)) };
  }

  /** Stores results of messages that their round did not wait for. Other messages of the round arrived, so the receiver is available. */
  async #finished(hook: Hook, trying: readonly Promise<Tried>[]): Promise<void> {
    const { sent } = await this.#settled(hook.id, trying);
    if (this.#work.signal.aborted) return;
    const gone = sent.find(({ final }) => final === 'place');
    if (gone !== undefined) await this.#deps.pause(hook.id, { message: gone.error ?? '' });
    await this.#giveUpWorn(hook.id, sent);
  }

  async #found(hookId: string, known: Look | undefined) {
    const hook = await this.#deps.hooks.byId(hookId);
    const now = this.#now();
    if (hook === undefined || !this.#mayGo(hook, now)) return undefined;
    const found = { hook, now, ...(await this.#due(hook, now, known)) };
    // Asked before each round, since rights may have changed since the one before.
    const lost: OwnerCode | undefined = found.due.length > 0 ? await this.#deps.ownerLost(hook) : undefined;
    return { ...found, lost };
  }

  /** Takes units for this server, where the webhook may still go on: somebody may have changed it while it waited for its turn. */
  async #claimed({ hook, now }: { readonly hook: Hook; readonly now: number }, wanted: readonly Unit[]) {
    const begun = this.#now();
    const still = begun === now ? hook : await this.#deps.hooks.byId(hook.id);
    if (still === undefined || !this.#mayGo(still, begun)) return undefined;
    const lease = still.settings.notification.type === 'URL' ? leaseMs.request : leaseMs.other;
    return { still, taken: await this.#deps.deliveries.claim(wanted, begun, begun + lease) };
  }

  /** The events that may be sent now, the oldest first, only the oldest of each row; events that must wait do not block later ones. */
  async #due(
    { id, settings }: Hook,
    now: number,
    known: Look | undefined,
  ): Promise<{ readonly look: Look; readonly due: readonly Unit[] }> {
    const dueOf = ({ waiting, isCut }: Look) =>
      firstOfEachRow(unitsOf(waiting, { isBatching: settings.batch, isCut })).filter((unit) =>
        unit.deliveries.every(({ nextAt, leaseUntil }) => nextAt <= now && leaseUntil <= now),
      );
    if (known !== undefined && now - known.at < longestLook) {
      const due = dueOf(known);
      if (due.length > 0) return { look: known, due };
    }
    for (let limit = looked; ; limit *= 2) {
      const waiting = await this.#deps.deliveries.waiting(id, limit);
      const look = { at: now, waiting, isCut: waiting.length === limit };
      const due = dueOf(look);
      if (!look.isCut || due.length >= atOnce || limit >= mostLooked) return { look, due };
    }
  }

  /** Gives up events that were taken many times without finishing: they may be what ended the server. */
  async #giveUp(hookId: string, units: readonly Unit[]): Promise<boolean> {
    const error = hookErrors.create('HOOK_STOPPED').message;
    const outcomes = units.map(({ deliveries: [first, ...rest] }): Outcome => {
      const eventIds = [first, ...rest].map(({ eventId }) => eventId);
      const nothing = { status: undefined, durationMs: undefined, request: undefined, triedAt: undefined };
      return { eventIds, state: 'failed', attempts: first.attempts, nextAt: 0, error, ...nothing };
    });
    await this.#deps.deliveries.settle(hookId, outcomes);
    return true;
  }

  #mayGo({ active, paused, retryAt, settings }: Hook, now: number): boolean {
    return active && paused === undefined && retryAt <= now && this.#deps.isThere(settings.notification.type);
  }

  async #try(hook: Hook, unit: Unit<Delivery>): Promise<Tried> {
    const { settings } = hook;
    const { attempts } = unit.deliveries[0];
    const triedAt = this.#now();
    const { error, retryAfterMs, final, ...sent } = await this.#deps.send(
      {
        hook: {
          id: hook.id,
          projectId: hook.projectId,
          title: settings.title,
          secrets: hook.secrets,
        },
        notification: settings.notification,
        values: {
          ...tellOf(unit),
          hook: { id: hook.id, title: settings.title },
        },
        eventId: unit.id,
        attempt: attempts,
      },
      this.#work.signal,
    );
    const eventIds = unit.deliveries.map(({ eventId }) => eventId);
    const earlier = triesOf(unit.deliveries[0]);
    const tried = {
      eventIds,
      attempts,
      triedAt,
      earlier,
      error,
      final,
      ...sent,
    };
    if (error === undefined) return { ...tried, state: 'done', nextAt: 0 };
    // Others of the webhook may be taken all the same.
    if (final === 'message') return { ...tried, state: 'failed', nextAt: 0 };
    const nextAt = this.#now() + Math.max(pauseAfter(attempts), retryAfterMs ?? 0);
    return { ...tried, state: 'waiting', nextAt };
  }

  /** Slows down when nothing arrives, and gives up single events that fail while others arrive. */
  async #judge(hook: Hook, outcomes: readonly Tried[]): Promise<void> {
    const { id, failures } = hook;
    const { hooks, didPause, pause, refusesAll } = this.#deps;
    const fails = outcomes.every(({ state }) => state !== 'done');
    // Nobody knows here what was before the first ones, nor what other servers could not send.
    const hasTurned = this.#failing.get(id) !== fails || (!fails && failures > 0);
    this.#failing.set(id, fails);
    const gone = outcomes.find(({ final }) => final === 'place');
    if (gone !== undefined) {
      await hooks.change(id, () => ({ failures: 0, retryAt: 0 }));
      return pause(id, { message: gone.error ?? '' });
    }
    // A receiver that refuses a message is available.
    const hasArrived = outcomes.some(({ state }) => state !== 'waiting');
    if (!hasArrived) {
      const rounds = failures + 1;
      const reason = outcomes.find(({ error }) => error !== undefined)?.error ?? '';
      const isOver = rounds >= mostAttempts;
      const after = await hooks.change(id, () => ({
        failures: rounds,
        retryAt: rounds >= patience ? this.#now() + pauseAfter(rounds) : 0,
        ...(isOver && { paused: reason }),
      }));
      // A webhook that pauses keeps everything that waits.
      if (isOver && after !== undefined) return didPause(after);
    } else if (failures > 0) await hooks.change(id, () => ({ failures: 0, retryAt: 0 }));
    await this.#giveUpWorn(id, outcomes);
    const isRefused =
      outcomes.some(({ final }) => final === 'message') && outcomes.every(({ state }) => state !== 'done');
    if (isRefused && (await refusesAll(hook))) await pause(id, 'HOOK_ALL_REFUSED');
    else if (hasTurned) this.#deps.didTurn(hook);
  }

  /** Gives events up that were tried as often as they are. */
  async #giveUpWorn(hookId: string, outcomes: readonly Tried[]): Promise<void> {
    const worn = outcomes.filter(({ state, attempts }) => state === 'waiting' && attempts >= mostAttempts);
    if (worn.length === 0) return;
    await this.#deps.deliveries.settle(
      hookId,
      worn.map((outcome) => ({ ...outcome, state: 'failed' })),
    );
  }
}

/**
 * The part of these units for one round. Events during which servers ended are sent in ever smaller rounds, in the end alone, so
 * that they finish before the next end, and the event that ends servers is found separately from others.
 */
function roundOf(due: readonly Unit[]): readonly Unit[] {
  const tried = due.slice(0, atOnce);
  const interrupted = Math.max(0, ...tried.map(({ deliveries: [first] }) => first.interrupted));
  return tried.slice(0, Math.max(1, atOnce >> interrupted));
}

/** Waits for work, but for so many milliseconds at the most. */
async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What a look holds without what was sent since. */
function leftOf(
  { at, waiting, isCut }: Look,
  sent: readonly Unit<Delivery>[],
): { readonly isMore: boolean; readonly look: Look } {
  const gone = new Set(sent.flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId)));
  const left = waiting.filter(({ eventId }) => !gone.has(eventId));
  return {
    isMore: left.length > 0 || isCut,
    look: { at, waiting: left, isCut },
  };
}

/**
 * Sorts the least refused events first, since events that a receiver never accepts would block all others; the oldest event comes
 * second, so that it always has its turn.
 */
function inTurn(due: readonly Unit[]): readonly Unit[] {
  const triesOf = ({ deliveries: [{ attempts }] }: Unit): number => attempts;
  const [first, ...others] = due.toSorted((one, other) => triesOf(one) - triesOf(other));
  const [oldest] = due;
  if (first === undefined || oldest === undefined) return due;
  const rest = others.filter((unit) => unit !== oldest);
  return oldest === first ? [first, ...rest] : [first, oldest, ...rest];
}

/** The target of a webhook: the host of its address (which contains no placeholders) and port, normalised; or its channel. */
export function targetOf({ settings: { notification } }: Hook): string {
  const { type, payload } = notification;
  if (type !== 'URL') return type;
  const path = typeof payload.path === 'string' ? payload.path : '';
  if (!URL.canParse(path)) return '';
  const { protocol, hostname, port } = new URL(path);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
