import {
  Batcher,
  OutboxToken,
  payloadOf,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import type { Problem } from '../shared/index.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import type { Conditions } from './conditions.ts';
import type { Guard } from './guard.ts';
import { newId } from './ids.ts';
import type { Kinds } from './kinds.ts';
import { stopsAutomation, type OwnerScope } from './owner-scope.ts';
import type { Pause } from './pause.ts';
import { comesToMatch } from './row-triggers.ts';
import type { NewRun, RunStore } from './run-store.ts';
import { skippedBy, type SkippedRun } from './skipped-run.ts';
import type { Watches } from './watches.ts';

const topicId = 'automations.rows';
/** Rows whose events are handled together. */
const rowsAtOnce = 100;

export interface FanOutDependencies {
  readonly automations: AutomationStore;
  readonly runs: RunStore;
  readonly kinds: Kinds;
  readonly conditions: Conditions;
  readonly guard: Guard;
  readonly ownerScope: OwnerScope;
  readonly pause: Pause;
  readonly watches: Watches;
  /** Tells the owner of an automation that a set of rows did not start it. */
  readonly tellSkipped: (automation: Automation, problem: Problem) => Promise<void>;
  readonly didStart: (ruleIds: ReadonlySet<string>) => void;
}

/** Finds the automations that a change of a row starts, and stores a run for each of them. */
export function startFanOut(ctx: ServerPluginContext, deps: FanOutDependencies): void {
  const { automations, runs, kinds, conditions, guard, ownerScope, pause, watches } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  const batcher = new Batcher<OutboxEvent>(async (events) => {
    const failures = new Map<OutboxEvent, unknown>();
    const all = await automations.ofTables([...new Set(events.map(({ change }) => change.tableId))]);
    const full = new Set<string>();
    for (const automation of all) if (await guard.isFull(automation)) full.add(automation.id);
    const asked = new AskedOnce();
    const kept: NewRun[] = [];
    const dropped = new Map<string, number>();
    const skipped: SkippedRun[] = [];
    await Promise.all(
      events.map(async (event) => {
        try {
          for (const automation of all.filter((one) => isMeant(one, event))) {
            const { id } = automation;
            if (event.change.set !== undefined) {
              skipped.push(skippedBy(automation, event, event.change.set.count));
              continue;
            }
            if (await isWatched(automation, asked)) continue;
            if (full.has(id)) {
              dropped.set(id, (dropped.get(id) ?? 0) + 1);
              continue;
            }
            const run = await runOf(automation, event, asked);
            if (run !== undefined) kept.push(run);
          }
        } catch (error) {
          failures.set(event, error);
        }
      }),
    );
    await runs.add(kept);
    for (const [id, count] of dropped) await automations.countDropped(id, count);
    const started = new Set(kept.map(({ ruleId }) => ruleId));
    for (const automation of all) {
      if (automation.paused !== undefined || !started.has(automation.id)) continue;
      const often = await guard.tooOften(automation);
      if (often !== undefined) await pause(automation, often);
    }
    for (const automation of all.filter(({ definition }) => comesToMatch(definition.trigger.type))) {
      const tables = await watches.tablesOf(automation);
      const meant = events.filter((event) => isSince(automation, event) && tables.has(event.change.tableId));
      try {
        for (const event of meant) {
          const { set, tableId } = event.change;
          if (set === undefined || tableId === automation.tableId) continue;
          if (await isWatched(automation, asked)) skipped.push(skippedBy(automation, event, set.count));
        }
        if (await didMatch(automation, meant, asked)) started.add(automation.id);
      } catch (error) {
        for (const event of meant) failures.set(event, error);
      }
    }
    await runs.add(skipped.map(({ run }) => run));
    for (const { automation, run } of skipped) await deps.tellSkipped(automation, run.skipped);
    if (started.size > 0) deps.didStart(started);
    return failures;
  });

  /** Whether a change was made after an automation: by their places in the log, since clocks are adjusted and differ. */
  const isSince = ({ logPlace, createdAt }: Automation, { seq, change }: OutboxEvent) =>
    logPlace === undefined ? createdAt <= change.at : seq > logPlace;

  function isMeant(automation: Automation, event: OutboxEvent): boolean {
    const { change } = event;
    const { trigger } = automation.definition;
    const isOfRow =
      automation.tableId === change.tableId && (change.kind === 'row' || change.set !== undefined);
    if (!isOfRow || !isSince(automation, event)) return false;
    return kinds.trigger(trigger.type)?.startedBy?.(event, trigger.settings) === true;
  }

  /** The result for an automation; undefined if an error pauses it. */
  async function orPause<Found>(
    automation: Automation,
    asked: AskedOnce,
    find: (handle: TableHandle) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    try {
      const handle = await asked.handles.get(automation.id, async () =>
        open(await ownerScope(automation, `automation:${automation.id}`), automation.tableId ?? ''),
      );
      return handle && (await find(handle));
    } catch (error) {
      if (!stopsAutomation(error)) throw error;
      await asked.pauses.get(automation.id, () => pause(automation, error));
      return undefined;
    }
  }

  /** Whether its rows are compared with the former matches, instead of each row with its former values. */
  async function isWatched(automation: Automation, asked: AskedOnce): Promise<boolean> {
    if (!comesToMatch(automation.definition.trigger.type)) return false;
    const found = await asked.watched.get(automation.id, () =>
      orPause(automation, asked, (handle) => watches.isMeant(automation, handle)),
    );
    return found === true;
  }

  function runOf(automation: Automation, event: OutboxEvent, asked: AskedOnce): Promise<NewRun | undefined> {
    const { change } = event;
    const { trigger, conditions: wanted } = automation.definition;
    return orPause(automation, asked, async (handle) => {
      let made: Promise<TemplateValues> | undefined;
      const payload = () => (made ??= payloadOf(event, handle, rows));
      const seen = { event, handle, payload };
      if (!(await conditions.areMet(wanted, seen, comesToMatch(trigger.type)))) return undefined;
      const chain = await asked.chains.get(change.requestId, () => guard.chainOf(change.requestId));
      const stopped = guard.stopped(automation, chain);
      if (stopped !== undefined) throw stopped;
      const { data, previous, ...about } = await payload();
      return {
        id: newId('ar'),
        ruleId: automation.id,
        projectId: automation.projectId,
        eventId: event.id,
        version: automation.version,
        rowKey: change.rowKey ?? '',
        seq: event.seq,
        position: event.position,
        values: { row: data, previous, trigger: { ...about, row: change.rowKey ?? '' } },
        chain,
      };
    });
  }

  /** Whether rows came to match by computed or linked values; their runs are stored. */
  async function didMatch(
    automation: Automation,
    events: readonly OutboxEvent[],
    asked: AskedOnce,
  ): Promise<boolean> {
    if (events.length === 0 || !(await isWatched(automation, asked))) return false;
    const found = await orPause(automation, asked, (handle) => watches.told(automation, handle, events));
    return found === true;
  }

  /** Undefined for a table that was deleted, or that the owner may no longer see. */
  async function open(scope: TableHandle['scope'], tableId: string): Promise<TableHandle | undefined> {
    try {
      return await schema.open(scope, tableId);
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  }

  ctx.own(
    ctx.get(OutboxToken).subscribe({
      id: topicId,
      tables: () => automations.tables(),
      deliver: (event) => batcher.add(event),
      rowsAtOnce,
      // The outbox itself logs what it keeps trying.
      onLost(entries, reason) {
        if (reason === 'pruned')
          ctx.logger.warn('Changes were forgotten before automations heard of them', { entries });
      },
    }),
  );
}

/** Answers that are computed once for events that are handled together. */
class AskedOnce {
  /** By automation, with the rights of its owner. */
  readonly handles = new Answers<TableHandle | undefined>();
  /** By automation: whether its rows are compared with the former matches. */
  readonly watched = new Answers<boolean | undefined>();
  /** By automation: the first reason counts. */
  readonly pauses = new Answers<void>();
  /** By request. */
  readonly chains = new Answers<readonly string[]>();
}

class Answers<Answer> {
  readonly #given = new Map<string, Promise<Answer>>();

  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const given = this.#given.get(key) ?? ask();
    this.#given.set(key, given);
    return given;
  }
}
