import { randomBytes } from 'node:crypto';
import type { PluginDatabase } from '@trellis/sdk/server';

/** A stored comment; times are in milliseconds. */
export interface CommentRow {
  readonly id: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly row_key: string;
  readonly account_id: string;
  readonly email: string;
  readonly text: string;
  readonly created_at: number | string;
  readonly changed_at: number | string;
}

/** The most comments of one row that are read, the newest ones. */
const mostRead = 1000;
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

function newId(): string {
  return `adt_${Array.from(randomBytes(14), (byte) => digits[byte % digits.length]).join('')}`;
}

/** The comments of all rows; the caller has checked the rights. */
export class CommentStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Of one row, the newest first. */
  ofRow(tableId: string, rowKey: string): Promise<readonly CommentRow[]> {
    return this.#db.read((unit) =>
      unit.all<CommentRow>(
        unit
          .table('comment')
          .where({ table_id: tableId, row_key: rowKey })
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(mostRead)
          .select('*'),
      ),
    );
  }

  byId(id: string): Promise<CommentRow | undefined> {
    return this.#db.read((unit) => unit.first<CommentRow>(unit.table('comment').where({ id }).select('*')));
  }

  /** The number of comments of the rows; those without any are absent. */
  async counts(tableId: string, rowKeys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ row_key: string; count: number | string }>(
        unit
          .table('comment')
          .where({ table_id: tableId })
          .whereIn('row_key', [...rowKeys])
          .groupBy('row_key')
          .select('row_key')
          .count({ count: '*' }),
      ),
    );
    return new Map(rows.map(({ row_key: key, count }) => [key, Number(count)]));
  }

  async add(comment: Omit<CommentRow, 'id' | 'created_at' | 'changed_at'>): Promise<CommentRow> {
    const now = Date.now();
    const row = { ...comment, id: newId(), created_at: now, changed_at: now };
    await this.#db.write((unit) => unit.run(unit.table('comment').insert(row)));
    return row;
  }

  async change(id: string, text: string): Promise<void> {
    const change = { text, changed_at: Date.now() };
    await this.#db.write((unit) => unit.run(unit.table('comment').where({ id }).update(change)));
  }

  async delete(id: string): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('comment').where({ id }).delete()));
  }
}
