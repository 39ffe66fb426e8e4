import { toDisposable } from '@trellis/core';
import type { Background, Logger, Outbox, OutboxSubscription } from '@trellis/sdk/server';
import type { Metadata } from '../../metadata/metadata.ts';
import type { ChangeLog } from '../change-log.ts';
import { SettledLog } from '../settled-log.ts';
import { TopicDispatch } from './dispatch-topic.ts';
import { TopicRows } from './topic-rows.ts';

export interface OutboxDependencies {
  readonly metadata: Metadata;
  readonly log: Pick<ChangeLog, 'onDidCommit'>;
  /** Topics are dispatched in it, a part of the log at a time. */
  readonly background: Pick<Background, 'run'>;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Milliseconds between looks for what other servers wrote and for retries that are due. Default 1,000. */
  readonly every?: number;
}

/** Milliseconds from one look at a topic to the next: what many commits bring meanwhile is found by one. */
const restBetween = 200;

/** The outbox, with what the host calls. */
export interface HostOutbox extends Outbox {
  /** Resolves when everything that was committed before, and was not held back, was tried once on this server. */
  settle(): Promise<void>;
  /** Whether a topic has nothing left to deliver but retries. */
  isCaughtUp(topicId: string): Promise<boolean>;
  dispose(): Promise<void>;
}

/** One subscription at work. */
interface Running {
  readonly subscription: OutboxSubscription;
  readonly dispatch: TopicDispatch;
  readonly ending: AbortController;
  run: Promise<void> | undefined;
  /** Whether its place in the log is kept. */
  isBegun: boolean;
  isAsked: boolean;
  /** When the last look began, by `performance.now()`. */
  lookedAt: number;
  /** Waits for the end of the rest between two looks. */
  rest: NodeJS.Timeout | undefined;
}

/**
 * Dispatches the topics of the outbox. A lease for each topic lets one server deliver it at a time; the place of a topic moves
 * only from where that server found it, so that one that lost its lease stores nothing.
 */
export function createOutbox(deps: OutboxDependencies): HostOutbox {
  const { metadata, log, logger, background } = deps;
  const now = deps.now ?? Date.now;
  const rows = new TopicRows(metadata);
  const settled = new SettledLog(metadata, now);
  const topics = new Map<string, Running>();
  const listening = log.onDidCommit(wakeAll);
  const timer = setInterval(wakeAll, deps.every ?? 1000);
  timer.unref();

  function wakeAll(): void {
    for (const topic of topics.values()) wakeSoon(topic);
  }

  /** At once after a quiet while. */
  function wakeSoon(topic: Running): void {
    const rest = topic.lookedAt + restBetween - performance.now();
    if (rest <= 0) return wake(topic);
    topic.rest ??= setTimeout(() => wake(topic), rest).unref();
  }

  function wake(topic: Running): void {
    topic.isAsked = true;
    topic.run ??= work(topic)
      .catch((error: unknown) => {
        if (!topic.ending.signal.aborted)
          logger.error('A topic of the outbox could not be dispatched', {
            topic: topic.subscription.id,
            error,
          });
      })
      .finally(() => {
        topic.run = undefined;
        if (topic.isAsked && !topic.ending.signal.aborted) wakeSoon(topic);
      });
  }

  /** Takes the lease only when there is something to do. */
  async function work(topic: Running): Promise<void> {
    topic.isAsked = false;
    topic.lookedAt = performance.now();
    clearTimeout(topic.rest);
    topic.rest = undefined;
    const { subscription, dispatch, ending } = topic;
    // Not in the background, where requests go first: writes before a new topic has its place would not be delivered to it.
    if (!topic.isBegun) await dispatch.begin();
    topic.isBegun = true;
    if (!(await background.run(() => dispatch.isDue(), ending.signal))) return;
    await metadata.leases.hold(
      `outbox:${subscription.id}`,
      ({ signal }) => dispatch.drain(AbortSignal.any([signal, ending.signal])),
      { wait: 0 },
    );
  }

  return {
    subscribe(subscription) {
      if (topics.has(subscription.id))
        throw new Error(
          `Somebody subscribes to the topic '${subscription.id}' already; give this one another id.`,
        );
      const topic: Running = {
        subscription,
        dispatch: new TopicDispatch({ settled, rows, now, background, logger }, subscription),
        ending: new AbortController(),
        run: undefined,
        isBegun: false,
        isAsked: false,
        lookedAt: Number.NEGATIVE_INFINITY,
        rest: undefined,
      };
      topics.set(subscription.id, topic);
      wake(topic);
      return toDisposable(async () => {
        topics.delete(subscription.id);
        clearTimeout(topic.rest);
        topic.ending.abort(new Error('The subscription ended.'));
        await topic.run;
      });
    },
    end: () => settled.end(),
    state: (id) => rows.state(id),
    async resume(id) {
      await rows.resume(id);
      const topic = topics.get(id);
      if (topic !== undefined) wake(topic);
    },
    deliveries: (id, { limit }) => rows.deliveries(id, limit),
    async settle() {
      for (const topic of topics.values()) {
        await topic.run;
        wake(topic);
        await topic.run;
      }
    },
    async isCaughtUp(id) {
      const topic = await rows.read(id);
      if (topic === undefined) return false;
      const place = topics.get(id)?.dispatch.placeOf(topic) ?? topic.lastSeq;
      return place >= (await settled.newest());
    },
    async dispose() {
      clearInterval(timer);
      await listening.dispose();
      const running = [...topics.values()];
      topics.clear();
      for (const { ending, rest } of running) {
        clearTimeout(rest);
        ending.abort(new Error('The server stops.'));
      }
      for (const { run } of running) await run;
    },
  };
}
