import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { HideableRole } from '../shared/index.ts';

/** A change: whether a view is hidden from a role. */
export interface Hiding {
  readonly viewId: string;
  readonly role: HideableRole;
  readonly isHidden: boolean;
}

interface HiddenRow {
  readonly view_id: string;
  readonly role: HideableRole;
}

/** Which views are hidden from which roles. */
export class HiddenViews {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** By the id of the view, the roles from which it is hidden. */
  async of(projectId: string): Promise<ReadonlyMap<string, ReadonlySet<HideableRole>>> {
    const rows = await this.#db.read((unit) =>
      unit.all<HiddenRow>(unit.table('hidden').where({ project_id: projectId }).select('view_id', 'role')),
    );
    const byView = new Map<string, Set<HideableRole>>();
    for (const { view_id: viewId, role } of rows)
      byView.set(viewId, (byView.get(viewId) ?? new Set()).add(role));
    return byView;
  }

  /** @param settle runs in the same transaction. */
  async change(
    projectId: string,
    hidings: readonly Hiding[],
    settle: (unit: PluginUnit) => Promise<void>,
  ): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const { viewId, role, isHidden } of hidings) {
        const key = { view_id: viewId, role };
        await unit.run(unit.table('hidden').where(key).delete());
        if (isHidden) await unit.run(unit.table('hidden').insert({ ...key, project_id: projectId }));
      }
      await settle(unit);
    });
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('hidden').where({ project_id: projectId }).delete()));
  }
}
