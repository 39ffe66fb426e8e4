import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { FilterNode } from '@trellis/sdk/shared';
import type { RowRule, RuleLimit } from '../shared/index.ts';

interface RuleRow {
  readonly table_id: string;
  readonly role: string;
  readonly filters: string;
  /** Empty for rules that were made when there was one kind. */
  readonly limits: RuleLimit | null;
}

/** What a rule is for. */
export type RulePlace = Pick<RowRule, 'tableId' | 'role'> & { readonly projectId: string };

/** The rules of projects, one for a table and a role at the most. */
export class RuleStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async list(projectId: string): Promise<readonly RowRule[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<RuleRow>(unit.table('rule').where({ project_id: projectId })),
    );
    return rows.map(({ table_id: tableId, role, filters, limits }) => ({
      tableId,
      role,
      limits: limits ?? 'see',
      filters: JSON.parse(filters) as readonly FilterNode[],
    }));
  }

  /** Puts the rule in the place of the one before, or takes it away. `settle` runs in the same transaction. */
  async set(
    { projectId, tableId, role }: RulePlace,
    rule: Pick<RowRule, 'filters' | 'limits'> | undefined,
    settle: (unit: PluginUnit) => Promise<void>,
  ): Promise<void> {
    const key = { table_id: tableId, role };
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('rule').where(key).delete());
      if (rule !== undefined) {
        const { limits, filters } = rule;
        const row = { ...key, project_id: projectId, limits, filters: JSON.stringify(filters) };
        await unit.run(unit.table('rule').insert(row));
      }
      await settle(unit);
    });
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('rule').where({ project_id: projectId }).delete()));
  }
}
