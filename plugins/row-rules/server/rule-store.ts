import { requireRevision, revisionOf, type PluginDatabase, type PluginUnit } from '@trellis/sdk/server';
import type { FilterNode, MovedConditions } from '@trellis/sdk/shared';
import type { RowRule, RuleLimit } from '../shared/index.ts';

interface RuleRow {
  readonly table_id: string;
  readonly role: string;
  readonly filters: string;
  /** Empty for rules created when there was one kind. */
  readonly limits: RuleLimit | null;
  /** Empty for an active rule. */
  readonly stopped: boolean | number | string | null;
}

/** The table and role of a rule. */
export type RulePlace = Pick<RowRule, 'tableId' | 'role'> & { readonly projectId: string };

/** A change of a rule, with the former revision. */
export interface RuleChange {
  /** Undefined for none. */
  readonly rule: Pick<RowRule, 'filters' | 'limits'> | undefined;
  readonly replaces: string | null | undefined;
}

/** The rules of projects, at most one per table and role. */
export class RuleStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async list(projectId: string): Promise<readonly RowRule[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<RuleRow>(unit.table('rule').where({ project_id: projectId })),
    );
    return rows.map(toRule);
  }

  /**
   * Updates the rules of a table when values are renamed, in the transaction of `unit`. A rule that names a deleted value is
   * stopped.
   */
  async move(unit: PluginUnit, { tableId, filters: moved, isGone }: MovedConditions): Promise<void> {
    const rows = await unit.all<RuleRow>(unit.table('rule').where({ table_id: tableId }).forUpdate());
    for (const row of rows) {
      const { role, filters, isStopped } = toRule(row);
      const change = {
        filters: JSON.stringify(moved(filters)),
        stopped: isStopped || isGone(filters) ? true : null,
      };
      await unit.run(unit.table('rule').where({ table_id: tableId, role }).update(change));
    }
  }

  /**
   * Replaces or deletes a rule. `settle` runs in the same transaction.
   *
   * @throws TrellisError `CHANGED_MEANWHILE`
   */
  async set(
    { projectId, tableId, role }: RulePlace,
    { rule, replaces }: RuleChange,
    settle: (unit: PluginUnit) => Promise<void>,
  ): Promise<void> {
    const key = { table_id: tableId, role };
    const row = rule && { limits: rule.limits, filters: JSON.stringify(rule.filters), stopped: null };
    await this.#db.writeKey(async (unit) => {
      const of = () => unit.table('rule').where(key);
      const before = await unit.first<RuleRow>(of().forUpdate());
      requireRevision(replaces, before && toRule(before).revision);
      // A rule that did not exist is not deleted: if somebody has created it since, the insert conflicts with its key.
      if (before !== undefined) await unit.run(row === undefined ? of().delete() : of().update(row));
      else if (row !== undefined)
        await unit.run(unit.table('rule').insert({ ...key, project_id: projectId, ...row }));
      await settle(unit);
    });
  }

  async forgetTable(tableId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('rule').where({ table_id: tableId }).delete()));
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('rule').where({ project_id: projectId }).delete()));
  }
}

function toRule({ table_id: tableId, role, filters, limits, stopped }: RuleRow): RowRule {
  return ruleOf(
    { tableId, role },
    {
      limits: limits ?? 'see',
      filters: JSON.parse(filters) as readonly FilterNode[],
      isStopped: Number(stopped) === 1,
    },
  );
}

/** A rule with its revision. */
export function ruleOf(
  { tableId, role }: Pick<RowRule, 'tableId' | 'role'>,
  { limits, filters, isStopped }: Pick<RowRule, 'limits' | 'filters' | 'isStopped'>,
): RowRule {
  return {
    tableId,
    role,
    limits,
    filters,
    isStopped,
    revision: revisionOf([limits, filters, isStopped]),
  };
}
