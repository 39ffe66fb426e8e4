import { createHash } from 'node:crypto';
import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { newId } from './ids.ts';

/** Which rows an automation found to match. */
export interface Watch {
  readonly id: string;
  /** What was computed for its conditions when it was made. */
  readonly meaning: string;
}

interface MarkRow {
  readonly row_mark: string;
}

const rowsAtOnce = 500;
/** Milliseconds after which a watch that is not ready was left by a server that stopped. */
const longestMaking = 3600_000;

/** By what a watch keeps a row. */
export function markOf(rowKey: string): string {
  return createHash('sha256').update(rowKey).digest('hex').slice(0, 32);
}

/** The rows that match the conditions of automations, as far as their changes do not tell whether they did before. */
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

  /** The ids of the tables that it was made with. */
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

  /** Keeps what matches at the moment, unless the automation is gone or asks something else by then, or has such a watch. */
  async make(
    ruleId: string,
    of: {
      /** Of the automation whose conditions were asked. */
      readonly version: number;
      readonly meaning: string;
      /** The tables whose rows start it, besides its own one. */
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
      // It was forgotten, or the version is another one, where the automation asks something else by then.
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

  /** Which of some rows it holds; of all, where none are named. */
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

  /** Has it made anew with the next event. */
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

  /** Takes away what belongs to no automation any more, a part in each transaction. */
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

/** Marks rows, in the transaction of what they start. */
export async function mark(unit: PluginUnit, { id }: Watch, marks: readonly string[]): Promise<void> {
  if (marks.length === 0) return;
  const rows = marks.map((row_mark) => ({ watch_id: id, row_mark }));
  await unit.run(unit.table('watch_row').insert(rows).onConflict(['watch_id', 'row_mark']).ignore());
}

/** Forgets which rows matched, in the transaction of what makes that another question; the rows themselves are left to `sweep`. */
export async function forgetWatch(unit: PluginUnit, ruleId: string): Promise<void> {
  await unit.run(unit.table('watch').where({ rule_id: ruleId }).delete());
}

function ready(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('watch').where({ ready: true });
}

function orphans(unit: PluginUnit, table: 'watch_table' | 'watch_row'): ReturnType<PluginUnit['table']> {
  return unit.table(table).whereNotIn('watch_id', unit.table('watch').select('id'));
}
