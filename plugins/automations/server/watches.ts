import {
  AccessServiceToken,
  payloadOf,
  RowStoreToken,
  SchemaStoreToken,
  type ConditionReach,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type Predicate, type TemplateValues } from '@trellis/sdk/shared';
import { automationErrors, problemOf } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import { readConditions, type Conditions } from './conditions.ts';
import type { AutomationLimits, Guard } from './guard.ts';
import { newId } from './ids.ts';
import { stopsAutomation, type OwnerScope } from './owner-scope.ts';
import type { Pause } from './pause.ts';
import { comesToMatch } from './row-triggers.ts';
import type { NewRun, RunStore } from './run-store.ts';
import { mark, markOf, type Watch, type WatchStore } from './watch-store.ts';

export interface WatchDependencies {
  readonly watches: WatchStore;
  readonly automations: AutomationStore;
  readonly runs: RunStore;
  readonly conditions: Conditions;
  readonly guard: Guard;
  readonly ownerScope: OwnerScope;
  readonly pause: Pause;
}

/** An automation, its table as its owner may see it, and the columns that its conditions read. */
interface Watched {
  readonly automation: Automation;
  readonly handle: TableHandle;
  readonly reach: ConditionReach;
}

/** The keys of rows, by their marks. */
type Keys = ReadonlyMap<string, string>;

/** The most affected rows that are queried individually; beyond that, all rows are. */
const mostTouched = 1000;
const runsAtOnce = 100;

/**
 * Finds rows that come to match where changes do not tell the former state: by computed values, and by linked rows. Stores which
 * rows match, and compares them with those that match after a change.
 */
export function createWatches(ctx: ServerPluginContext<AutomationLimits>, deps: WatchDependencies) {
  const { watches, automations, runs, conditions, guard, ownerScope, pause } = deps;
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const limits = () => ctx.settings.current;
  /** By automation. */
  const making = new Map<string, Promise<void>>();

  async function keysOf(
    { handle }: Watched,
    asked: { readonly within?: Predicate | undefined; readonly conditions?: readonly unknown[] },
    limit: number,
  ): Promise<Keys> {
    const { table, scope } = handle;
    const { within } = asked;
    const rules = within && new Map([[table.id, within]]);
    const there = rules ? await schema.open(access.narrow(scope, { rows: rules }), table.id) : handle;
    const query = {
      fields: table.primaryKey.map(({ title }) => title),
      ...(asked.conditions && { filters: readConditions(asked.conditions) }),
    };
    const found = await inTime(() => rows.list(there, query, { limit, offset: 0 }));
    return byMark(found.flatMap((row) => rows.keyOf(table, row) ?? []));
  }

  /** All matching rows. @throws TrellisError `AUTOMATION_MATCHES_MANY` */
  async function matchingKeys(watched: Watched): Promise<Keys> {
    const { keptMatches: most } = limits();
    const found = await keysOf(watched, { conditions: watched.automation.definition.conditions }, most + 1);
    if (found.size > most) throw automationErrors.create('AUTOMATION_MATCHES_MANY', { most });
    return found;
  }

  async function make(watched: Watched): Promise<void> {
    const { automation, reach } = watched;
    const marks = [...(await matchingKeys(watched)).keys()];
    const { id, version } = automation;
    await watches.make(id, { version, meaning: reach.meaning, tables: reach.tables, marks });
  }

  /** The rows that matched until now; undefined if they are stored only now. */
  async function kept(watched: Watched): Promise<Watch | undefined> {
    const { automation, reach } = watched;
    const { id } = automation;
    const held = await watches.ofRule(id);
    if (held?.meaning === reach.meaning) return held;
    // An automation that is paused for this is checked again when it resumes.
    if (held === undefined && automation.paused !== undefined) return undefined;
    const other = making.get(id);
    if (other !== undefined) {
      // It may have been started for the automation's earlier conditions.
      await other.catch(() => undefined);
      return kept(watched);
    }
    const made = make(watched).finally(() => making.delete(id));
    making.set(id, made);
    await made;
    return undefined;
  }

  async function open(automation: Automation, handle: TableHandle): Promise<Watched> {
    const condition = await conditions.savedPredicate(handle, automation.definition.conditions);
    const seen = handle.scope.rowPredicate(handle.table.id);
    const items = [condition, seen].filter((one) => one !== undefined);
    return { automation, handle, reach: await rows.reachOf(handle, { kind: 'and', items }) };
  }

  /** Compares the current matches with the former ones, among the rows that the changes of one request affect. */
  async function compare(watched: Watched, watch: Watch, changes: readonly OutboxEvent[]) {
    const { automation, handle, reach } = watched;
    const touched = await inTime(() => reach.touchedBy(changes.map(({ change }) => change)));
    const near = touched && (await keysOf(watched, { within: touched }, mostTouched + 1));
    if (near === undefined || near.size > mostTouched) {
      const matching = await matchingKeys(watched);
      return differenceOf(matching, await watches.held(watch));
    }
    const matching = await keysOf(
      watched,
      { within: touched, conditions: automation.definition.conditions },
      mostTouched,
    );
    // Deleted rows are found only in the changes.
    const own = byMark(changes.flatMap((event) => ownKey(event, handle) ?? []));
    const asked = new Set([...near.keys(), ...matching.keys(), ...own.keys()]);
    return differenceOf(matching, await watches.held(watch, [...asked]));
  }

  /** Stores runs for rows that came to match, together with the new matches. Returns whether there were any. */
  async function start(
    { automation: given, handle }: Watched,
    watch: Watch,
    { fresh, changes }: { readonly fresh: Keys; readonly changes: readonly OutboxEvent[] },
  ): Promise<boolean> {
    const [last] = changes.slice(-1);
    if (fresh.size === 0 || last === undefined) return false;
    const { keptMatches: most } = limits();
    if ((await watches.count(watch)) + fresh.size > most)
      throw automationErrors.create('AUTOMATION_MATCHES_MANY', { most });
    const chain = await guard.chainOf(last.change.requestId);
    const stopped = guard.stopped(given, chain);
    if (stopped !== undefined) throw stopped;
    const own = new Map(changes.map((event) => [ownKey(event, handle) ?? '', event]));
    let automation = given;
    let isStarted = false;
    const all = [...fresh];
    for (let from = 0; from < all.length; from += runsAtOnce) {
      const part = all.slice(from, from + runsAtOnce);
      const isFull = await guard.isFull(automation);
      const begun: NewRun[] = [];
      for (const [row, key] of isFull ? [] : part) {
        const event = own.get(key);
        const values = await (event ? valuesOf(event, handle) : valuesOfLinked(last, handle, key));
        if (values === undefined) continue;
        const { id, seq, position } = event ?? last;
        begun.push({
          id: newId('ar'),
          ruleId: automation.id,
          projectId: automation.projectId,
          eventId: event ? id : `${id}:${row.slice(0, 20)}`,
          version: automation.version,
          rowKey: key,
          seq,
          position,
          values,
          chain,
        });
      }
      const marks = part.map(([row]) => row);
      await runs.add(begun, (unit) => mark(unit, watch, marks));
      if (isFull) await automations.countDropped(automation.id, part.length);
      isStarted ||= begun.length > 0;
      const often = automation.paused === undefined ? await guard.tooOften(automation) : undefined;
      if (often === undefined) continue;
      await pause(automation, often);
      automation = { ...automation, paused: problemOf(often) };
    }
    return isStarted;
  }

  async function follow(watched: Watched, events: readonly OutboxEvent[]): Promise<boolean> {
    const watch = await kept(watched);
    if (watch === undefined) return false;
    // A write to so many rows that it names none starts nothing.
    if (events.some(({ change }) => change.kind === 'rowSet')) {
      await watches.forget(watched.automation.id);
      await kept(watched);
      return false;
    }
    let isStarted = false;
    for (const changes of byRequest(events.filter(({ change }) => change.kind === 'row'))) {
      const { gone, fresh } = await compare(watched, watch, changes);
      await watches.unmark(watch, gone);
      if (await start(watched, watch, { fresh, changes })) isStarted = true;
    }
    return isStarted;
  }

  async function valuesOf(event: OutboxEvent, handle: TableHandle): Promise<TemplateValues> {
    const { data, previous, ...about } = await payloadOf(event, handle, rows);
    return { row: data, previous, trigger: { ...about, row: event.change.rowKey ?? '' } };
  }

  /** The values for a row that did not change itself. */
  async function valuesOfLinked(
    { id, seq, change }: OutboxEvent,
    handle: TableHandle,
    key: string,
  ): Promise<TemplateValues | undefined> {
    const row = await rows.read(handle, key);
    if (row === undefined) return undefined;
    const event = { id, type: 'after.update', operation: 'update', row: key, sequence: seq };
    return {
      row,
      previous: row,
      trigger: {
        user: { id: change.actorId, email: change.actorEmail },
        table: { id: handle.table.id, title: handle.table.title },
        event: { ...event, at: new Date(change.at).toISOString() },
        row: key,
      },
    };
  }

  /** Whether rows come to match an automation by what only the database knows about them. */
  async function isMeant({ definition }: Automation, handle: TableHandle): Promise<boolean> {
    const { trigger, conditions: asked } = definition;
    return comesToMatch(trigger.type) && !(await conditions.areOfStoredCells(asked, handle));
  }

  return {
    isMeant,

    /** The tables whose changes may affect it: its own, and the known ones that its conditions reach. */
    async tablesOf({ id, tableId = '' }: Automation): Promise<ReadonlySet<string>> {
      return new Set([tableId, ...(await watches.tablesOf(id))]);
    },

    /**
     * Stores runs for the rows that come to match by some changes. Returns whether there were any.
     *
     * @throws TrellisError `AUTOMATION_MATCHES_MANY`, `AUTOMATION_MATCHES_SLOW`, or the reason why it must not be started
     */
    async told(
      automation: Automation,
      handle: TableHandle,
      events: readonly OutboxEvent[],
    ): Promise<boolean> {
      try {
        return await follow(await open(automation, handle), events);
      } catch (error) {
        // No matches are stored while it is paused for this; they are stored again when it resumes.
        if (error instanceof TrellisError && error.code.startsWith('AUTOMATION_MATCHES_'))
          await watches.forget(automation.id);
        throw error;
      }
    },

    /** Stores which rows match when it is saved or resumed; these do not come to match. Returns the updated automation. */
    async begin(automation: Automation): Promise<Automation> {
      const { id, tableId, active, definition } = automation;
      if (tableId === undefined || !active || !comesToMatch(definition.trigger.type)) return automation;
      try {
        const handle = await schema.open(await ownerScope(automation, `automation:${id}`), tableId);
        if (await isMeant(automation, handle)) await kept(await open(automation, handle));
      } catch (error) {
        if (stopsAutomation(error)) await pause(automation, error);
        // The next change of its rows creates the watch.
        else ctx.logger.warn('The rows that match an automation were not found', { automation: id, error });
      }
      return (await automations.byId(id)) ?? automation;
    },
  };
}
export type Watches = ReturnType<typeof createWatches>;

/** @throws TrellisError `AUTOMATION_MATCHES_SLOW` if the database takes too long, which is recognised by the error's code */
async function inTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isSlow = error instanceof Error && 'code' in error && error.code === 'DATABASE_TIMEOUT';
    throw isSlow ? automationErrors.create('AUTOMATION_MATCHES_SLOW', {}, error) : error;
  }
}

function ownKey({ change: { tableId, rowKey } }: OutboxEvent, { table }: TableHandle): string | undefined {
  return tableId === table.id ? rowKey : undefined;
}

function byMark(keys: readonly string[]): Keys {
  return new Map(keys.map((key) => [markOf(key), key]));
}

function differenceOf(matching: Keys, held: ReadonlySet<string>) {
  return {
    gone: [...held].filter((row) => !matching.has(row)),
    fresh: new Map([...matching].filter(([row]) => !held.has(row))),
  };
}

/** Groups changes by request, in the order of the log, since changes of one request count as one event. */
function byRequest(events: readonly OutboxEvent[]): Iterable<readonly OutboxEvent[]> {
  const groups = new Map<string, OutboxEvent[]>();
  const inOrder = events.toSorted((one, other) => one.seq - other.seq || one.position - other.position);
  for (const event of inOrder) {
    const { requestId } = event.change;
    const group = groups.get(requestId);
    if (group === undefined) groups.set(requestId, [event]);
    else group.push(event);
  }
  return groups.values();
}
