import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { FilterNode, MovedConditions } from '@trellis/sdk/shared';

export type Condition = Extract<FilterNode, { kind: 'condition' }>;

/** Who watches which table, by one condition. */
export interface Watch {
  /** Of the watch, and of its condition. */
  readonly id: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly tableId: string;
  readonly filter: Condition;
}

interface WatchRow {
  readonly id: string;
  readonly account_id: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly filter: string;
}

export class WatchStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async find(id: string): Promise<Watch | undefined> {
    const row = await this.#db.read((unit) => unit.first<WatchRow>(unit.table('watch').where({ id })));
    return row && toWatch(row);
  }

  async idsOf(accountId: string): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<WatchRow>(unit.table('watch').where({ account_id: accountId })),
    );
    return rows.map(({ id }) => id);
  }

  async add({ id, accountId, projectId, tableId, filter }: Watch): Promise<void> {
    const place = { account_id: accountId, project_id: projectId, table_id: tableId };
    const row = { id, ...place, filter: JSON.stringify(filter) };
    await this.#db.write((unit) => unit.run(unit.table('watch').insert(row)));
  }

  async setFilter(id: string, filter: Condition): Promise<void> {
    const change = { filter: JSON.stringify(filter) };
    await this.#db.write((unit) => unit.run(unit.table('watch').where({ id }).update(change)));
  }

  /** Lets conditions follow values that moved, in the transaction of `unit`. What asks for a value that no cell has any more is over. */
  async move(unit: PluginUnit, { tableId, filters, isGone }: MovedConditions): Promise<void> {
    const rows = await unit.all<WatchRow>(unit.table('watch').where({ table_id: tableId }).forUpdate());
    for (const { id, filter } of rows.map(toWatch)) {
      const own = unit.table('watch').where({ id });
      const [moved] = filters([filter]);
      await unit.run(isGone([filter]) ? own.delete() : own.update({ filter: JSON.stringify(moved) }));
    }
  }

  /** Ends all watches of an account or a project, or one. */
  async end(of: Partial<Pick<WatchRow, 'id' | 'account_id' | 'project_id'>>): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('watch').where(of).delete()));
  }
}

function toWatch(row: WatchRow): Watch {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    tableId: row.table_id,
    filter: JSON.parse(row.filter) as Condition,
  };
}
