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
import type { Automation, AutomationStore } from './automation-store.ts';
import type { Conditions } from './conditions.ts';
import type { Guard } from './guard.ts';
import { newId } from './ids.ts';
import type { Kinds } from './kinds.ts';
import { isOwnerLost, type OwnerScope } from './owner-scope.ts';
import type { Pause } from './pause.ts';
import { comesToMatch } from './row-triggers.ts';
import type { NewRun, RunStore } from './run-store.ts';

export const topicId = 'automations.rows';

export interface FanOutDependencies {
  readonly automations: AutomationStore;
  readonly runs: RunStore;
  readonly kinds: Kinds;
  readonly conditions: Conditions;
  readonly guard: Guard;
  readonly ownerScope: OwnerScope;
  readonly pause: Pause;
  readonly didStart: (ruleIds: ReadonlySet<string>) => void;
}

/** Finds the automations that a change of a row starts, and keeps a run for each of them. */
export function startFanOut(ctx: ServerPluginContext, deps: FanOutDependencies): void {
  const { automations, runs, kinds, conditions, guard, ownerScope, pause } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  const batcher = new Batcher<OutboxEvent>(async (events) => {
    const failures = new Map<OutboxEvent, unknown>();
    const all = await automations.ofTables([...new Set(events.map(({ change }) => change.tableId))]);
    const kept: NewRun[] = [];
    await Promise.all(
      events.map(async (event) => {
        try {
          for (const automation of all) {
            const run = await runOf(automation, event);
            if (run !== undefined) kept.push(run);
          }
        } catch (error) {
          failures.set(event, error);
        }
      }),
    );
    await runs.add(kept);
    const started = new Set(kept.map(({ ruleId }) => ruleId));
    for (const automation of all) {
      const often = started.has(automation.id) ? await guard.tooOften(automation) : undefined;
      if (often !== undefined) await pause(automation, often);
    }
    if (kept.length > 0) deps.didStart(started);
    return failures;
  });

  async function runOf(automation: Automation, event: OutboxEvent): Promise<NewRun | undefined> {
    const { change } = event;
    const { trigger, conditions: wanted } = automation.definition;
    const kind = kinds.trigger(trigger.type);
    if (automation.tableId !== change.tableId || automation.createdAt > change.at) return undefined;
    if (kind?.startedBy?.(event, trigger.settings) !== true) return undefined;
    try {
      const scope = await ownerScope(automation, `automation:${automation.id}`);
      const handle = await open(scope, change.tableId);
      if (handle === undefined) return undefined;
      let made: Promise<TemplateValues> | undefined;
      const payload = () => (made ??= payloadOf(event, handle, rows));
      if (!(await conditions.areMet(wanted, event, handle, comesToMatch(trigger.type), payload)))
        return undefined;
      const chain = await guard.chainOf(change.requestId);
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
    } catch (error) {
      if (!(error instanceof TrellisError) || (error.status >= 500 && !isOwnerLost(error))) throw error;
      await pause(automation, error);
      return undefined;
    }
  }

  /** Undefined for a table that was deleted, or that the owner may not see any more. */
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
      filter: ({ kind }) => kind === 'row',
      deliver: (event) => batcher.add(event),
      onLost: (entries) =>
        ctx.logger.warn('Changes were forgotten before automations heard of them', { entries }),
    }),
  );
}
