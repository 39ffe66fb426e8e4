import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { isCustomRoleId } from '#plugins/sys-members/shared';

/** A change: whether a view is hidden from a role. */
export interface Hiding {
  readonly viewId: string;
  /** A built-in role, or the id of a custom one. */
  readonly role: string;
  readonly isHidden: boolean;
}

interface HiddenRow {
  readonly view_id: string;
  readonly role: string;
}

const tables = ['hidden', 'hidden_custom'] as const;
const tableOf = (role: string) => (isCustomRoleId(role) ? 'hidden_custom' : 'hidden');

/** Which views are hidden from which roles. */
export class HiddenViews {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** The roles from which each view is hidden, by view id. */
  async of(projectId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await this.#db.read((unit) =>
      Promise.all(
        tables.map((table) =>
          unit.all<HiddenRow>(unit.table(table).where({ project_id: projectId }).select('view_id', 'role')),
        ),
      ),
    );
    const byView = new Map<string, Set<string>>();
    for (const { view_id: viewId, role } of rows.flat())
      byView.set(viewId, (byView.get(viewId) ?? new Set()).add(role));
    return byView;
  }

  /** @param settle runs in the same transaction. */
  async change(
    projectId: string,
    hidings: readonly Hiding[],
    settle: (unit: PluginUnit) => Promise<void>,
  ): Promise<void> {
    await this.#db.writeKey(async (unit) => {
      for (const { viewId, role, isHidden } of hidings) {
        const key = { view_id: viewId, role };
        await unit.run(unit.table(tableOf(role)).where(key).delete());
        if (isHidden) await unit.run(unit.table(tableOf(role)).insert({ ...key, project_id: projectId }));
      }
      await settle(unit);
    });
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const table of tables) await unit.run(unit.table(table).where({ project_id: projectId }).delete());
    });
  }
}
