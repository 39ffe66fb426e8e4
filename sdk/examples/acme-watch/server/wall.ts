import type { OpenViews, PluginDatabase } from '@trellis/sdk/server';

interface WallRow {
  readonly view_id: string;
  readonly table_id: string;
  readonly project_id: string;
}

/** The views that whoever passes by sees without an account. */
export class Wall implements Pick<OpenViews, 'ofTable' | 'isOpen'> {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  ofTable(tableId: string) {
    return this.#db.table('wall').where({ table_id: tableId });
  }

  async isOpen(viewId: string): Promise<boolean> {
    return (await this.viewsOf({ view_id: viewId })).length > 0;
  }

  /** The ids of the views of a table that hang there, or of one that does. */
  async viewsOf(of: Partial<WallRow>): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) => unit.all<WallRow>(unit.table('wall').where(of)));
    return rows.map(({ view_id }) => view_id);
  }

  /** Hangs a view there; one that hangs there stays. */
  async hang(row: WallRow): Promise<void> {
    await this.#db.writeKey(async (unit) => {
      const own = unit.table('wall').where({ view_id: row.view_id });
      if ((await unit.first(own.clone())) === undefined) await unit.run(unit.table('wall').insert(row));
    });
  }

  /** Takes a view down, or all of a project. */
  async takeDown(of: Partial<WallRow>): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('wall').where(of).delete()));
  }
}
