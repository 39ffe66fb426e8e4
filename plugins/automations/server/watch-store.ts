import { createHash } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { newId } from './ids.ts';

/** The stored set of rows that match an automation. */
export interface Watch {
  readonly id: string;
  /** What its conditions computed when it was created. */
  readonly meaning: string;
}

interface MarkRow {
  readonly row_mark: string;
}

const rowsAtOnce = 500;
/** Milliseconds after which an unfinished watch counts as left by a stopped server. */
const longestMaking = 3600_000;

/** The mark of a row in a watch. */
export function markOf(rowKey: string): string {
  return createHash('sha256').update(rowKey).digest('hex').slice(0, 32);
}

/**
 * The rows that match the conditions of automations, for conditions where a change does not tell whether its row matched before.
 */
export class WatchStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  async ofRule(ruleId: string): Promise<Watch | undefined> {
    return this.#db.read((unit) =>
      unit.first<Watch>(ready(unit).where({ rule_id: ruleId }).select('id', 'meaning')),
    );
  }

  /** The ids of the tables with which it was created. */
  async tablesOf(ruleId: string): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly table_id: string }>(
        unit
          .table('watch_table')
          .whereIn('watch_id', ready(unit).where({ rule_id: ruleId }).select('id'))
          .select('table_id'),
      ),
    );
    return rows.map(({ table_id }) => table_id);
  }

  /** Stores the current matches, unless the automation was deleted or has other conditions by now, or has such a watch. */
  async make(
    ruleId: string,
    of: {
      /** The version of the automation whose conditions were queried. */
      readonly version: number;
      readonly meaning: string;
      /** Further tables whose rows affect its matches, besides its own. */
      readonly tables: Iterable<string>;
      readonly marks: readonly string[];
    },
  ): Promise<void> {
    const watch: Watch = { id: newId('aw'), meaning: of.meaning };
    const tables = Array.from(of.tables, (table_id) => ({ watch_id: watch.id, table_id }));
    await this.#db.write(async (unit) => {
      await unit.run(
        unit.table('watch').insert({ ...watch, rule_id: ruleId, ready: false, created_at: Date.now() }),
      );
      if (tables.length > 0) await unit.run(unit.table('watch_table').insert(tables));
    });
    for (let from = 0; from < of.marks.length; from += rowsAtOnce)
      await this.#db.write((unit) => mark(unit, watch, of.marks.slice(from, from + rowsAtOnce)));
    await this.#db.write(async (unit) => {
      const rule = await unit.first<{ readonly version: number }>(
        unit.table('rule').where({ id: ruleId }).forUpdate().select('version'),
      );
      const own = ready(unit).where({ rule_id: ruleId });
      const other = await unit.first(own.clone().where({ meaning: of.meaning }).select('id'));
      const made = unit.table('watch').where({ id: watch.id });
      // It was deleted, or the version changed and the automation has other conditions now.
      const isThere = (await unit.first(made.clone().select('id'))) !== undefined;
      const asksSame = rule !== undefined && Number(rule.version) === of.version;
      if (!asksSame || other !== undefined || !isThere) {
        await unit.run(made.delete());
        return;
      }
      await unit.run(own.clone().delete());
      await unit.run(made.update({ ready: true }));
    });
  }

  /** The marks that it contains, of the given ones or of all. */
  async held({ id }: Watch, marks?: readonly string[]): Promise<ReadonlySet<string>> {
    const own = (unit: PluginUnit) => unit.table('watch_row').where({ watch_id: id }).select('row_mark');
    const found = await this.#db.read(async (unit) => {
      if (marks === undefined) return unit.all<MarkRow>(own(unit));
      const parts: MarkRow[] = [];
      for (let from = 0; from < marks.length; from += rowsAtOnce) {
        const part = marks.slice(from, from + rowsAtOnce);
        parts.push(...(await unit.all<MarkRow>(own(unit).whereIn('row_mark', part))));
      }
      return parts;
    });
    return new Set(found.map(({ row_mark }) => row_mark));
  }

  /** Deletes it; the next event creates a new one. */
  async forget(ruleId: string): Promise<void> {
    await this.#db.write((unit) => forgetWatch(unit, ruleId));
  }

  async count({ id }: Watch): Promise<number> {
    const row = await this.#db.read((unit) =>
      unit.first<{ readonly total: number | string }>(
        unit.table('watch_row').where({ watch_id: id }).count({ total: '*' }),
      ),
    );
    return Number(row?.total ?? 0);
  }

  async unmark({ id }: Watch, marks: readonly string[]): Promise<void> {
    for (let from = 0; from < marks.length; from += rowsAtOnce) {
      const part = marks.slice(from, from + rowsAtOnce);
      await this.#db.write((unit) =>
        unit.run(unit.table('watch_row').where({ watch_id: id }).whereIn('row_mark', part).delete()),
      );
    }
  }

  /** Deletes what no longer belongs to an automation, a part in each transaction. */
  async sweep(): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('watch')
          .where((one) => void one.whereNotIn('rule_id', unit.table('rule').select('id')))
          .orWhere(
            (one) => void one.where({ ready: false }).andWhere('created_at', '<', Date.now() - longestMaking),
          )
          .delete(),
      ),
    );
    await this.#db.write((unit) => unit.run(orphans(unit, 'watch_table').delete()));
    for (;;) {
      const left = await this.#db.read((unit) =>
        unit.first<{ readonly watch_id: string }>(orphans(unit, 'watch_row').select('watch_id')),
      );
      if (left === undefined) return;
      const found = await this.held({ id: left.watch_id, meaning: '' });
      await this.unmark({ id: left.watch_id, meaning: '' }, [...found]);
    }
  }
}

/** Marks rows, in the transaction that stores their runs. */
export async function mark(unit: PluginUnit, { id }: Watch, marks: readonly string[]): Promise<void> {
  if (marks.length === 0) return;
  const rows = marks.map((row_mark) => ({ watch_id: id, row_mark }));
  await unit.run(unit.table('watch_row').insert(rows).onConflict(['watch_id', 'row_mark']).ignore());
}

/** Deletes the set of matches, in the transaction that changes the conditions; the rows are left to `sweep`. */
export async function forgetWatch(unit: PluginUnit, ruleId: string): Promise<void> {
  await unit.run(unit.table('watch').where({ rule_id: ruleId }).delete());
}

function ready(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('watch').where({ ready: true });
}

function orphans(unit: PluginUnit, table: 'watch_table' | 'watch_row'): ReturnType<PluginUnit['table']> {
  return unit.table(table).whereNotIn('watch_id', unit.table('watch').select('id'));
}
