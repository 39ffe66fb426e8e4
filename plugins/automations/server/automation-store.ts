import type { PluginDatabase, PluginUnit, Principal, Secrets } from '@trellis/sdk/server';
import type { AutomationDefinition, Problem } from '../shared/index.ts';
import { forgetWatch } from './watch-store.ts';

/** An automation. Times are in milliseconds since 1970. */
export interface Automation {
  readonly id: string;
  readonly projectId: string;
  /** Whose rights it runs with. */
  readonly owner: Principal;
  readonly active: boolean;
  readonly paused: Problem | undefined;
  /** How many of its events were not stored since it was paused, because enough of them wait. */
  readonly dropped: number;
  readonly version: number;
  readonly definition: AutomationDefinition;
  /** The table whose rows start it; undefined if none do. */
  readonly tableId: string | undefined;
  /** The end of the change log when it was created: only later changes start it. Undefined for old ones. */
  readonly logPlace: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The last time at which it was switched on or its trigger changed: earlier events do not start it. */
  readonly since: number;
  /** When it resumed after a pause; 0 for never. */
  readonly resumedAt: number;
}

/** A version of an automation. */
export interface AutomationVersion {
  readonly version: number;
  readonly definition: AutomationDefinition;
  readonly author: string;
  readonly createdAt: number;
}

interface RuleRow {
  readonly id: string;
  readonly project_id: string;
  readonly owner: string;
  readonly active: boolean | number | string;
  readonly trigger_type: string;
  readonly table_id: string;
  readonly paused: string | null;
  readonly dropped: number | string | null;
  readonly version: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly started_at: number | string | null;
  readonly resumed_at: number | string | null;
  readonly log_place: number | string | null;
}

interface VersionRow {
  readonly rule_id: string;
  readonly version: number | string;
  readonly sealed: string;
  readonly author: string;
  readonly created_at: number | string;
}

type Query = ReturnType<PluginUnit['table']>;

const purpose = 'automation';
const keptVersions = 100;

/** Automations with their versions. */
export class AutomationStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;
  readonly #upgraded: (definition: AutomationDefinition) => AutomationDefinition;

  constructor(
    db: PluginDatabase,
    secrets: Secrets,
    upgraded: (definition: AutomationDefinition) => AutomationDefinition,
  ) {
    this.#db = db;
    this.#secrets = secrets;
    this.#upgraded = upgraded;
  }

  async byId(id: string): Promise<Automation | undefined> {
    const [found] = await this.#find((query) => query.where({ id }));
    return found;
  }

  /** Sorted by creation. */
  ofProject(projectId: string): Promise<readonly Automation[]> {
    return this.#find((query) => query.where({ project_id: projectId }));
  }

  /** Active automations that rows of these tables start, or affect through links. */
  ofTables(tableIds: readonly string[]): Promise<readonly Automation[]> {
    return this.#find((query, unit) => {
      const by = unit
        .table('watch_table')
        .whereIn('table_id', [...tableIds])
        .select('watch_id');
      const linked = unit.table('watch').where({ ready: true }).whereIn('id', by).select('rule_id');
      return query
        .where({ active: true })
        .andWhere((one) => void one.whereIn('table_id', [...tableIds]).orWhereIn('id', linked));
    });
  }

  /** Automations with this trigger that are active, or inactive. */
  ofTrigger(type: string, of: Pick<Automation, 'active'>): Promise<readonly Automation[]> {
    return this.#find((query) => query.where({ trigger_type: type, active: of.active }));
  }

  /** Those that are on, of all projects. */
  ofActive(): Promise<readonly Automation[]> {
    return this.#find((query) => query.where({ active: true }));
  }

  /** The ids of the tables whose rows start automations that are on, or decide about their rows by links. */
  async tables(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.read(async (unit) => {
      const own = unit.table('rule').where({ active: true }).distinct('table_id');
      const watches = unit.table('watch').where({ ready: true }).select('id');
      const linked = unit.table('watch_table').whereIn('watch_id', watches).distinct('table_id');
      return [
        ...(await unit.all<Pick<RuleRow, 'table_id'>>(own)),
        ...(await unit.all<Pick<RuleRow, 'table_id'>>(linked)),
      ];
    });
    return new Set(rows.map(({ table_id }) => table_id).filter((id) => id !== ''));
  }

  async add(automation: Automation): Promise<void> {
    await this.#db.write(async (unit) => {
      await unit.run(
        unit.table('rule').insert({
          id: automation.id,
          project_id: automation.projectId,
          created_at: automation.createdAt,
          log_place: automation.logPlace ?? null,
          ...this.#columns(automation),
        }),
      );
      await this.#keepVersion(unit, automation);
    });
  }

  /** Returns the automation after the change; undefined if it was deleted. A changed definition becomes a new version. */
  async change(
    id: string,
    patch: (
      now: Automation,
    ) => Partial<Pick<Automation, 'owner' | 'active' | 'paused' | 'definition' | 'tableId'>>,
  ): Promise<Automation | undefined> {
    return this.#db.write(async (unit) => {
      const row = await unit.first<RuleRow>(unit.table('rule').where({ id }).forUpdate());
      if (row === undefined) return undefined;
      const [before] = await this.#withDefinitions(unit, [row]);
      if (before === undefined) return undefined;
      const change = patch(before);
      const isOther =
        change.definition !== undefined &&
        JSON.stringify(change.definition) !== JSON.stringify(before.definition);
      const at = Date.now();
      const next = { ...before, ...change };
      const after: Automation = {
        ...next,
        // Counted again from the next pause on.
        dropped: 'paused' in change && change.paused === undefined ? 0 : before.dropped,
        version: before.version + (isOther ? 1 : 0),
        updatedAt: at,
        since: beginsAnew(before, next) ? at : before.since,
        resumedAt: before.paused !== undefined && next.paused === undefined ? at : before.resumedAt,
      };
      await unit.run(unit.table('rule').where({ id }).update(this.#columns(after)));
      if (asksAnew(before, after)) await forgetWatch(unit, id);
      if (isOther) await this.#keepVersion(unit, after);
      return after;
    });
  }

  /**
   * Changes the definitions of a project's automations in the transaction of `unit`, without new versions, since no person wrote
   * them. `change` returns what differs. Returns the ids of those that it paused.
   */
  async rewrite(
    unit: PluginUnit,
    projectId: string,
    change: (now: Automation) => Partial<Pick<Automation, 'definition' | 'paused'>>,
  ): Promise<readonly string[]> {
    const stopped: string[] = [];
    const rows = await unit.all<RuleRow>(unit.table('rule').where({ project_id: projectId }).forUpdate());
    for (const before of await this.#withDefinitions(unit, rows)) {
      const { definition, paused } = change(before);
      const { id, version } = before;
      if (definition !== undefined)
        await unit.run(
          unit
            .table('version')
            .where({ rule_id: id, version })
            .update({ sealed: this.#seal(definition) }),
        );
      if (paused === undefined) continue;
      stopped.push(id);
      await unit.run(
        unit
          .table('rule')
          .where({ id })
          .update({ paused: JSON.stringify(paused) }),
      );
    }
    return stopped;
  }

  /** The newest first. */
  async versions(id: string): Promise<readonly AutomationVersion[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<VersionRow>(unit.table('version').where({ rule_id: id }).orderBy('version', 'desc')),
    );
    return rows.map((row) => this.#toVersion(row));
  }

  /** Counts events that were not stored. */
  async countDropped(id: string, count: number): Promise<void> {
    await this.#db.write((unit) => {
      const own = unit.table('rule').where({ id });
      return unit.runLast([
        own.clone().whereNull('dropped').update({ dropped: 0 }),
        own.clone().increment('dropped', count),
      ]);
    });
  }

  /** Deletes it with its versions; its runs, which may be many, are left to `RunSweep.forget`. Returns whether it existed. */
  async remove(id: string): Promise<boolean> {
    return this.#db.write(async (unit) => {
      await unit.run(unit.table('version').where({ rule_id: id }).delete());
      await forgetWatch(unit, id);
      return (await unit.run(unit.table('rule').where({ id }).delete())) > 0;
    });
  }

  /** Returns the ids of the deleted ones. */
  async forgetProject(projectId: string): Promise<readonly string[]> {
    const gone = (await this.ofProject(projectId)).map(({ id }) => id);
    for (const id of gone) await this.remove(id);
    return gone;
  }

  async #find(narrow: (query: Query, unit: PluginUnit) => Query) {
    return this.#db.read(async (unit) => {
      const rows = await unit.all<RuleRow>(narrow(unit.table('rule'), unit).orderBy(['created_at', 'id']));
      return this.#withDefinitions(unit, rows);
    });
  }

  async #withDefinitions(unit: PluginUnit, rows: readonly RuleRow[]): Promise<readonly Automation[]> {
    const versions =
      rows.length === 0
        ? []
        : await unit.all<VersionRow>(
            unit.table('version').where((query) => {
              for (const { id, version } of rows) void query.orWhere({ rule_id: id, version });
            }),
          );
    const byRule = new Map(versions.map((row) => [row.rule_id, this.#toVersion(row).definition]));
    return rows.flatMap((row) => {
      const definition = byRule.get(row.id);
      return definition === undefined ? [] : [toAutomation(row, definition)];
    });
  }

  #columns(automation: Automation) {
    const { owner, active, paused, dropped, version, definition, tableId, updatedAt } = automation;
    return {
      owner: JSON.stringify(owner),
      active,
      trigger_type: definition.trigger.type,
      table_id: tableId ?? '',
      paused: paused === undefined ? null : JSON.stringify(paused),
      dropped,
      version,
      updated_at: updatedAt,
      started_at: automation.since,
      resumed_at: automation.resumedAt,
    };
  }

  async #keepVersion(unit: PluginUnit, { id, version, definition, owner, updatedAt }: Automation) {
    await unit.run(
      unit.table('version').insert({
        rule_id: id,
        version,
        sealed: this.#seal(definition),
        author: owner.email,
        created_at: updatedAt,
      }),
    );
    await unit.run(
      unit
        .table('version')
        .where({ rule_id: id })
        .andWhere('version', '<=', version - keptVersions)
        .delete(),
    );
  }

  #seal(definition: AutomationDefinition): string {
    return this.#secrets.encrypt(purpose, JSON.stringify(definition));
  }

  #toVersion({ version, sealed, author, created_at }: VersionRow): AutomationVersion {
    const kept = JSON.parse(this.#secrets.decrypt(purpose, sealed)) as AutomationDefinition;
    const definition = this.#upgraded(kept);
    return { version: Number(version), definition, author, createdAt: Number(created_at) };
  }
}

/** Whether events before a change of it no longer start it. */
function beginsAnew(before: Automation, after: Automation): boolean {
  const trigger = ({ definition }: Automation) => JSON.stringify(definition.trigger);
  return (after.active && !before.active) || trigger(before) !== trigger(after);
}

/** Whether other rows match than before, or none were tracked. */
function asksAnew(before: Automation, after: Automation): boolean {
  const asked = ({ owner, definition: { trigger, conditions } }: Automation) =>
    JSON.stringify([owner.id, trigger, conditions]);
  const runs = ({ active, paused }: Automation) => active && paused === undefined;
  return !after.active || asked(before) !== asked(after) || (runs(after) && !runs(before));
}

function toAutomation(row: RuleRow, definition: AutomationDefinition): Automation {
  return {
    id: row.id,
    projectId: row.project_id,
    owner: JSON.parse(row.owner) as Principal,
    active: Number(row.active) === 1,
    paused: row.paused === null ? undefined : (JSON.parse(row.paused) as Problem),
    dropped: Number(row.dropped ?? 0),
    version: Number(row.version),
    definition,
    tableId: row.table_id === '' ? undefined : row.table_id,
    logPlace: row.log_place === null ? undefined : Number(row.log_place),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    since: Number(row.started_at ?? row.updated_at),
    resumedAt: Number(row.resumed_at ?? 0),
  };
}
